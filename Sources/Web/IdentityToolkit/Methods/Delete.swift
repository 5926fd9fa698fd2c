internal import Accounts
internal import Base

extension APIMethod {
    static let delete = APIMethod(
        "delete",
        documentation: MethodDocumentation(
            summary: "Deletes the account of an ID token; for admins, any account.",
            fields: [Property("idToken", .text)],
            adminFields: [Property("localId", .text)],
            response: .kind("DeleteAccountResponse"),
            refusals: [.missingIDToken, .missingLocalID, .userNotFound, .credentialTooOld, .adminOnlyOperation]),
        run: { (call) throws(ActionError) in try await call.delete() })
}

extension Call {
    /// `accounts:delete`: deletes the account of an ID token; for admins, any account.
    func delete() async throws(ActionError) -> JSON {
        if case .admin = actor {
            try await accounts.erasure.delete(accountNamedByAdmin())
        } else {
            try await accounts.delete(requiredUser(), from: client, in: project)
        }
        return .object(["kind": "identitytoolkit#DeleteAccountResponse"])
    }

    private func accountNamedByAdmin() async throws(ActionError) -> Account {
        guard let id = try body.text("localId") else { throw .refused(.missingLocalID) }
        return try await profile(of: AccountID(rawValue: id)).account
    }
}
