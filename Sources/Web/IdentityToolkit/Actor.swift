internal import Accounts
internal import EmailActions

/// The person or program that acts in a call, whose rules hold for it. A method that users and
/// admins share asks nothing else: not for an admin key, and not for an ID token.
enum Actor: Sendable {
    /// The user of an ID token, which is not verified yet, even if an admin key came with it.
    case user(idToken: String)
    case admin
    /// A client without a signed-in user.
    case anyone
}

extension Call {
    /// An empty ID token is none, as in Firebase.
    var actor: Actor {
        get throws(ActionError) {
            if let idToken = try body.text("idToken") { return .user(idToken: idToken) }
            return caller.isAdmin ? .admin : .anyone
        }
    }

    /// The user who acts; nil for an admin and without a signed-in user. Refuses what
    /// `user(behind:)` refuses.
    func signedInUser() async throws(ActionError) -> SignedInUser? {
        guard case .user(let idToken) = try actor else { return nil }
        return try await user(behind: idToken)
    }

    /// The user of a call that only users make. Refuses `MISSING_ID_TOKEN`.
    func requiredUser() async throws(ActionError) -> SignedInUser {
        guard let user = try await signedInUser() else { throw .refused(.missingIDToken) }
        return user
    }

    /// Refuses what `Accounts.user(behind:)` refuses.
    func user(behind idToken: String) async throws(ActionError) -> SignedInUser {
        try await accounts.user(behind: idToken, in: project.id)
    }

    /// Refuses `CREDENTIAL_TOO_OLD_LOGIN_AGAIN` for changes that a stolen old token must not make.
    func requireRecentSignIn(of user: SignedInUser) throws(ActionError) {
        guard !toolkit.isDevelopment else { return }
        try accounts.requireSignIn(of: user, within: Self.recently)
    }

    /// Refuses an old token where a way to sign in is linked: that lasts like a new password.
    func requireRecentSignIn(toLink user: SignedInUser) throws(ActionError) {
        if !user.isAnonymous { try requireRecentSignIn(of: user) }
    }
}
