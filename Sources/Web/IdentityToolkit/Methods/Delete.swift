internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `accounts:delete`: an account by its own ID token, or by an admin's word.
    func delete() async throws(ActionError) -> JSON {
        if let idToken = try body.text("idToken") {
            let account = try await account(behind: idToken)
            try await requireRecentSignIn(idToken)
            try await site.accounts.delete(account)
        } else {
            try await site.accounts.delete(accountNamedByAdmin(), byAdmin: true)
        }
        return .object(["kind": "identitytoolkit#DeleteAccountResponse"])
    }

    private func accountNamedByAdmin() async throws(ActionError) -> Account {
        guard caller.isAdmin else { throw .refused(.missingIDToken) }
        guard let id = try body.text("localId") else { throw .refused(.missingLocalID) }
        return try await profile(of: AccountID(rawValue: id)).account
    }
}
