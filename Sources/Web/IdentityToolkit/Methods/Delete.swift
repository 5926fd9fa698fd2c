internal import Accounts
internal import EmailActions

extension Call {
    /// `accounts:delete`: an account by its own ID token, or by an admin's word.
    func delete() async throws(ActionError) -> JSON {
        try await site.accounts.delete(accountToDelete(), in: project.id)
        return .object(["kind": "identitytoolkit#DeleteAccountResponse"])
    }

    private func accountToDelete() async throws(ActionError) -> AccountID {
        if let idToken = try body.text("idToken") {
            let account = try await account(behind: idToken)
            try await requireRecentSignIn(idToken)
            return account.id
        }
        guard caller.isAdmin else { throw .refused(.missingIDToken) }
        guard let id = try body.text("localId") else { throw .refused(.missingLocalID) }
        return AccountID(rawValue: id)
    }
}
