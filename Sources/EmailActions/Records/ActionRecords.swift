public import Accounts

/// The records that codes need in addition to the accounts, inside one read or one transaction.
public protocol ActionRecords: AccountRecords, ShortLinkRecords, MergeRecords {
    func code(_ key: CodeKey) throws(ActionError) -> StoredCode?
    /// The code with this key, and the creation time of the newest mailed live code of its purpose
    /// if that is newer, for `A newer link was sent … ago`.
    func codeAndNewer(_ key: CodeKey, at now: Timestamp) throws(ActionError) -> (code: StoredCode, newer: Timestamp?)?
    func insert(_ code: StoredCode) throws(ActionError)
    /// Spends a code of this action and project (C10) with one conditional UPDATE, so that exactly
    /// one caller ever receives it.
    /// - Parameter mayBeSpent: asked about the code before; the code is not spent if it returns
    ///   false.
    /// - Returns: the code as it was before; nil if there is no such code, or it has ended or
    ///   expired (C3).
    func spend(
        _ key: CodeKey, of action: Action, in project: ProjectID, at now: Timestamp,
        if mayBeSpent: (StoredCode) throws(ActionError) -> Bool
    ) throws(ActionError) -> StoredCode?
    /// Stores how many more wrong confirmation numbers a live code survives, and withdraws it if
    /// that is none.
    func setWrongNumbersLeft(_ count: Int, of key: CodeKey, at now: Timestamp) throws(ActionError)
    /// Keeps a live code from working until a moment; then wrong numbers are counted anew.
    func pause(_ key: CodeKey, until: Timestamp) throws(ActionError)
    /// Withdraws an account's live codes for these actions (C11, C12).
    func withdrawCodes(of account: AccountID, in project: ProjectID, for actions: [Action], at now: Timestamp) throws(ActionError)
    /// Withdraws an account's live codes for an action that were mailed to another address than
    /// `target`, because the account wishes something else now (A2).
    func supersedeCodes(
        of account: AccountID, in project: ProjectID, for action: Action, exceptTo target: EmailAddress, at now: Timestamp
    ) throws(ActionError)
    /// The addresses with a live undo link of an account, each once.
    func addressesWithUndoLinks(of account: Account, at now: Timestamp) throws(ActionError) -> [EmailAddress]
    /// Withdraws an account's live links that restore an address.
    func withdrawUndoLinks(of account: AccountID, to email: EmailAddress, in project: ProjectID, at now: Timestamp) throws(ActionError)
    /// Gives the undo links of an account, with their mails, to the account that it is merged into.
    /// - Returns: the row ids of their codes.
    func moveUndoLinks(of account: AccountID, to other: AccountID, in project: ProjectID) throws(ActionError) -> [Int64]
    /// Gives undo links, with their mails, to an account. Those that were deleted are ignored.
    func moveUndoLinks(_ codes: [Int64], to account: AccountID, in project: ProjectID) throws(ActionError)
    /// Withdraws all codes of an action that were mailed to an address, for any account or none: a
    /// sign-in link may be for an address without an account.
    func withdrawCodes(to email: EmailAddress, in project: ProjectID, for action: Action, at now: Timestamp) throws(ActionError)
    /// Withdraws the other codes of this code's purpose, which is its address and action. If the
    /// code has never had siblings, no query is run.
    /// - Parameter code: the code as this transaction spent it.
    func withdrawOthers(like code: StoredCode, at now: Timestamp) throws(ActionError)
    /// The state of Onward's attempts to apply an upstream's code; nil if there was no attempt.
    func upstreamTry(of digest: Digest) throws(ActionError) -> UpstreamTry?
    /// Records that an attempt begins. The results of earlier attempts are kept.
    func beginUpstreamTry(of digest: Digest, in project: ProjectID, at now: Timestamp) throws(ActionError)
    /// Records that an attempt succeeded.
    func finishUpstreamTry(of digest: Digest, in project: ProjectID, at now: Timestamp) throws(ActionError)
    /// Deletes the record of a refused attempt, unless another attempt succeeded.
    func forgetUpstreamTry(of digest: Digest) throws(ActionError)
    /// Stores a mail whether or not its recipient is suppressed; `post` does not.
    func insert(_ mail: StoredMail) throws(ActionError)
    func delete(_ mail: StoredMail) throws(ActionError)
    /// The addresses that an account has, or had as far as that is known, each once.
    func addresses(of account: Account) throws(ActionError) -> [EmailAddress]
    /// Makes the sign-in links of an account and their mails those of an address without an
    /// account.
    func releaseSignInLinks(of account: Account) throws(ActionError)
    /// Deletes the codes that were sent to an address while no account had it, and decoys.
    func deleteCodes(withoutAccountFor email: EmailAddress, in project: ProjectID) throws(ActionError)
    /// Deletes the mails to an address, those that wait and the record of the others.
    /// - Parameter recipient: the address as `Outbox.digest` hashes it.
    func deleteMails(to recipient: Digest, in project: ProjectID) throws(ActionError)
    /// Replaces the id of an account in the audit. The records stay.
    /// - Returns: the number of records that named it.
    func removeFromAudit(_ account: AccountID, in project: ProjectID) throws(ActionError) -> Int
    /// The suppressions of an address that are in force.
    /// - Parameter recipient: the address as `Outbox.digest` hashes it.
    func suppressions(of recipient: Digest, in project: ProjectID, at now: Timestamp) throws(ActionError) -> [Suppression]
    /// - Returns: the number of suppressions that were removed.
    @discardableResult
    func removeSuppressions(of recipient: Digest, in project: ProjectID) throws(ActionError) -> Int
}

/// An attempt to apply an upstream's code. Onward stores only the keyed hash of the code.
public enum UpstreamTry: Sendable, Hashable {
    /// No answer has been received: the request is in progress, or its response was lost, or Onward
    /// crashed.
    case unanswered
    case succeeded
}

/// The store of codes, accounts and mails, accessed through reads and transactions.
public protocol ActionStore: AccountStore {
    /// The ids of new codes and mails.
    var rowIDs: RowIDs { get }
    /// Runs `body` on one consistent snapshot; a write in it is an error.
    func read<T: Sendable>(
        actions body: @escaping @Sendable (any ActionRecords) throws(ActionError) -> T
    ) async throws(ActionError) -> T
    /// Runs `body` for what is only shown, on a snapshot that may be a little older than the last
    /// commit. What `body` does not find, for which it returns nil, is not there in the latest one.
    func preview<T: Sendable>(
        actions body: @escaping @Sendable (any ActionRecords) throws(ActionError) -> T?
    ) async throws(ActionError) -> T?
    /// Runs `body` in a transaction, which is durable when this returns and rolled back if `body`
    /// throws.
    func transaction<T: Sendable>(
        actions body: @escaping @Sendable (any ActionRecords) throws(ActionError) -> T
    ) async throws(ActionError) -> T
    /// The mails to an address, newest first.
    /// - Parameters:
    ///   - recipient: the address as `Outbox.digest` hashes it.
    ///   - id: only mails that are older than this one, to continue a list; nil for all.
    func mailRecords(
        to recipient: Digest, in project: ProjectID, before id: MailID?, limit: Int, at now: Timestamp
    ) async throws(ActionError) -> [MailRecord]
}

extension ActionRecords {
    public func spend(
        _ key: CodeKey, of action: Action, in project: ProjectID, at now: Timestamp
    ) throws(ActionError) -> StoredCode? {
        try spend(key, of: action, in: project, at: now) { _ in true }
    }

    /// Spends a code that was inspected before. Refuses `INVALID_OOB_CODE` and `EXPIRED_OOB_CODE`.
    /// - Returns: the code as it was just before.
    func spend(_ code: StoredCode, at now: Timestamp) throws(ActionError) -> StoredCode {
        guard let code = try spend(code.key, of: code.action, in: code.project, at: now) else {
            throw .refused(code.state(at: now) == .expired ? .expiredOobCode : .invalidOobCode)
        }
        return code
    }
}
