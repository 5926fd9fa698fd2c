internal import Accounts

/// The person or program that acts in a call, whose rules hold for it. It is established once: a
/// method that users and admins share asks nothing else, not for an admin key, and not for an ID
/// token.
enum Actor: Sendable {
    /// The user of an ID token, even if an admin key came with it, or the refusal of the token.
    case user(Result<SignedInUser, ActionError>)
    case admin
    /// A client without a signed-in user.
    case anyone

    /// Verifies the ID token of a body. An empty one is none, as in Firebase.
    init(_ body: JSONFields, of caller: Caller, in accounts: Accounts) async throws(ActionError) {
        guard let idToken = try body.text("idToken") else {
            self = caller.isAdmin ? .admin : .anyone
            return
        }
        do throws(ActionError) { self = .user(.success(try await accounts.user(behind: idToken, in: caller.project.id))) } catch {
            self = .user(.failure(error))
        }
    }
}

extension Call {
    /// The user who acts; nil for an admin and without a signed-in user. Refuses what
    /// `Accounts.user(behind:)` refuses.
    func signedInUser() throws(ActionError) -> SignedInUser? {
        guard case .user(let user) = actor else { return nil }
        return try user.get()
    }

    /// The user of a call that only users make. Refuses `MISSING_ID_TOKEN`.
    func requiredUser() throws(ActionError) -> SignedInUser {
        guard let user = try signedInUser() else { throw .refused(.missingIDToken) }
        return user
    }
}
