package import Accounts

/// What the life of a code asks of the store, beside the accounts, inside one read or one transaction.
package protocol ActionRecords: AccountRecords {
    func code(_ key: CodeKey) throws(ActionError) -> StoredCode?
    /// The same, and when the newest live code of its purpose was made, if that is newer, for `A newer link was sent … ago`.
    func codeAndNewer(_ key: CodeKey, at now: Timestamp) throws(ActionError) -> (code: StoredCode, newer: Timestamp?)?
    /// When an undo link was made that still works and would give this address back to the account; the oldest such.
    func liveUndo(
        of account: AccountID, in project: ProjectID, restoring email: EmailAddress, at now: Timestamp
    ) throws(ActionError) -> Timestamp?
    func insert(_ code: StoredCode) throws(ActionError)
    /// Spends a code of this action and project (C10) by one conditional UPDATE: it is given to exactly one caller ever, as it stood before.
    /// - Returns: Nil if there is none such, it was ended or is expired (C3).
    func spend(_ key: CodeKey, of action: Action, in project: ProjectID, at now: Timestamp) throws(ActionError) -> StoredCode?
    /// Ends what is still live of these actions for an account, if made at `since` or later (C11, C12).
    func withdrawCodes(
        of account: AccountID, in project: ProjectID, for actions: [Action], madeSince since: Timestamp, at now: Timestamp
    ) throws(ActionError)
    /// The same for all codes of an action that were mailed to an address, whoever's they are: sign-in links may be nobody's yet.
    func withdrawCodes(to email: EmailAddress, in project: ProjectID, for action: Action, at now: Timestamp) throws(ActionError)
    /// The same for the others of this code's purpose, which is its address and action. For a code that never had company, nothing is
    /// looked for.
    /// - Parameter code: as this transaction spent it.
    func withdrawOthers(like code: StoredCode, at now: Timestamp) throws(ActionError)
    /// What became of Onward's own tries to apply an upstream's code; nil: there was none.
    func upstreamTry(of digest: Digest) throws(ActionError) -> UpstreamTry?
    /// Remembers that a try begins. What is known of earlier ones stays.
    func beginUpstreamTry(of digest: Digest, in project: ProjectID, at now: Timestamp) throws(ActionError)
    /// Remembers that it did what it was for.
    func finishUpstreamTry(of digest: Digest, in project: ProjectID, at now: Timestamp) throws(ActionError)
    /// Forgets a try that was refused, unless another succeeded.
    func forgetUpstreamTry(of digest: Digest) throws(ActionError)
    func insert(_ mail: StoredMail) throws(ActionError)
    func delete(_ mail: StoredMail) throws(ActionError)
}

/// A try to apply a code that an upstream knows. Onward remembers it by the keyed hash of the code, and nothing else of the code.
package enum UpstreamTry: Sendable, Hashable {
    /// Its answer has not been seen: on its way, lost, or cut off by a crash.
    case begun
    case succeeded
}

/// The door to the store for the life of a code.
package protocol ActionStore: AccountStore {
    /// Sees one consistent state; what it writes is an error.
    func read<T: Sendable>(
        actions body: @escaping @Sendable (any ActionRecords) throws(ActionError) -> T
    ) async throws(ActionError) -> T
    /// Durable when it returns; rolled back whole when `body` throws.
    func transaction<T: Sendable>(
        actions body: @escaping @Sendable (any ActionRecords) throws(ActionError) -> T
    ) async throws(ActionError) -> T
}

extension ActionRecords {
    /// Spends a code that was looked at before. Refuses `INVALID_OOB_CODE` and `EXPIRED_OOB_CODE`.
    /// - Returns: The code as it stood just before.
    func spend(_ code: StoredCode, at now: Timestamp) throws(ActionError) -> StoredCode {
        guard let code = try spend(code.key, of: code.action, in: code.project, at: now) else {
            throw .refused(code.state(at: now) == .expired ? .expiredOobCode : .invalidOobCode)
        }
        return code
    }

    /// Writes an account that is guarded by something else from now on: every session and token ends (S6), and every link but those that
    /// undo (C12).
    /// - Returns: The account as it was written.
    func updateEndingSessions(_ account: Account, at now: Timestamp) throws(ActionError) -> Account {
        var account = account
        account.endSessions(at: now)
        try update(account)
        try deleteSessions(of: account.id, in: account.project)
        try withdrawOrdinaryCodes(of: account, at: now)
        return account
    }

    /// When an address is proven anew: who vouched for the account until now may have been linked by somebody else.
    func unlinkProviders(of account: Account) throws(ActionError) {
        for link in try linkedProviders(of: account.id, in: account.project) {
            try deleteLinkedProvider(link.provider, of: account.id, in: account.project)
        }
    }

    /// What a change of password or address does to links that are still out: all end, but for those that undo (C12).
    func withdrawOrdinaryCodes(of account: Account, at now: Timestamp) throws(ActionError) {
        try withdraw(Action.allCases.filter { !$0.isUndo }, of: account, at: now)
        if let email = account.email { try withdrawCodes(to: email, in: account.project, for: .signIn, at: now) }
    }

    /// What switching an account off does.
    func withdrawAllCodes(of account: Account, at now: Timestamp) throws(ActionError) {
        try withdraw(Action.allCases, of: account, at: now)
    }

    private func withdraw(_ actions: [Action], of account: Account, at now: Timestamp) throws(ActionError) {
        try withdrawCodes(of: account.id, in: account.project, for: actions, madeSince: Timestamp(milliseconds: 0), at: now)
    }

    /// The undo links of an account, made at `since` or later.
    func withdrawUndoLinks(of account: Account, madeSince since: Timestamp, at now: Timestamp) throws(ActionError) {
        try withdrawCodes(of: account.id, in: account.project, for: [.recoverEmail], madeSince: since, at: now)
    }
}
