extension Accounts {
    /// Deletes an account for its own session. Mails a notice to its address and to those that
    /// could undo a change, if the account has proved them: the session may be an intruder's.
    /// Refuses `USER_NOT_FOUND`, and `TOKEN_EXPIRED` if the account has changed since it was
    /// `seen`.
    ///
    /// Its user may have signed up with another person's address. Unless the account proved it,
    /// what others were sent at the address stays, and so do sign-in links to it, which its owner
    /// may have asked for.
    public func delete(_ seen: Account, from client: Client, in project: Project) async throws(ActionError) {
        let moment = now()
        try await store.transaction { [drafts, erasure] (records) throws(ActionError) in
            guard let account = try records.account(seen.id, in: project.id) else { throw ActionError.refused(.userNotFound) }
            guard account.isUnchanged(since: seen) else { throw ActionError.refused(.tokenExpired) }
            let proved = try records.provedAddresses(of: account).map(\.email)
            let own = [account.email].compactMap(\.self)
            let told = Set(own + (try records.addressesWithUndoLinks(of: account, at: moment))).intersection(proved)
            let notices = told.sorted { $0.value < $1.value }.map {
                drafts.notice(.accountDeleted, to: $0, for: account, by: client, in: project)
            }
            var wanted: [StoredMail] = []
            // The suppressions of an address are deleted with the account.
            for notice in notices where try !records.suppresses(notice) { wanted.append(notice) }
            if let email = account.email, !proved.contains(email) { try records.releaseSignInLinks(of: account) }
            try erasure.delete(account, forgetting: proved, from: records)
            for notice in wanted { try records.insert(notice) }
        }
    }
}
