internal import Accounts
internal import EmailActions
internal import JSON

extension APIMethod {
    static let delete = APIMethod(
        "delete",
        documentation: MethodDocumentation(
            summary: "Deletes the account of an ID token; for admins, any account.",
            fields: [Property("idToken", .text)],
            adminFields: [Property("localId", .text)],
            response: .kind("DeleteAccountResponse"),
            refusals: [.missingIDToken, .missingLocalID, .userNotFound, .credentialTooOld]),
        run: { (call) throws(ActionError) in try await call.delete() })
}

extension Call {
    /// `accounts:delete`: deletes the account of an ID token; for admins, any account.
    func delete() async throws(ActionError) -> JSON {
        if let idToken = try body.text("idToken") {
            let account = try await account(behind: idToken)
            try await requireRecentSignIn(idToken)
            try admitNotice(to: account)
            try await actions.delete(account, in: project)
        } else {
            try await actions.erasure.delete(accountNamedByAdmin())
        }
        return .object(["kind": "identitytoolkit#DeleteAccountResponse"])
    }

    private func accountNamedByAdmin() async throws(ActionError) -> Account {
        guard caller.isAdmin else { throw .refused(.missingIDToken) }
        guard let id = try body.text("localId") else { throw .refused(.missingLocalID) }
        return try await profile(of: AccountID(rawValue: id)).account
    }
}
