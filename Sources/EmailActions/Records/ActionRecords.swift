package import Accounts

/// What the life of a code asks of the store, beside the accounts, inside one read or one transaction.
package protocol ActionRecords: AccountRecords {
    func code(_ digest: Digest) throws(ActionError) -> StoredCode?
    /// When the newest live code of this purpose was made, for `A newer link was sent … ago`.
    func newestLiveCode(
        for action: Action, email: EmailAddress, in project: ProjectID, at now: Timestamp
    ) throws(ActionError) -> Timestamp?
    func insert(_ code: StoredCode) throws(ActionError)
    /// Spends the code by one conditional UPDATE: true for exactly one caller ever, false if it was ended or is expired (C3).
    func spend(_ digest: Digest, at now: Timestamp) throws(ActionError) -> Bool
    /// Ends what is still live of these actions for an account, if made at `since` or later (C11, C12).
    func withdrawCodes(
        of account: AccountID, in project: ProjectID, for actions: [Action], madeSince since: Timestamp, at now: Timestamp
    ) throws(ActionError)
    func insert(_ mail: StoredMail) throws(ActionError)
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
    /// What a change of password or address does to links that are still out: all end, but for those that undo (C12).
    func withdrawOrdinaryCodes(of account: Account, at now: Timestamp) throws(ActionError) {
        try withdrawCodes(
            of: account.id, in: account.project, for: Action.allCases.filter { !$0.isUndo }, madeSince: Timestamp(milliseconds: 0), at: now)
    }
}
