public import Accounts

/// The records of merged accounts.
public protocol MergeRecords {
    /// Gives a link to another account.
    func move(_ link: LinkedProvider, of account: AccountID, to other: AccountID, in project: ProjectID) throws(ActionError)
    /// Gives a second factor to another account, with the newest code that was used. Its recovery
    /// codes end, because their hashes are those of the account.
    func move(_ factor: String, of account: AccountID, to other: AccountID, in project: ProjectID) throws(ActionError)
    /// The ids of the second factors that an admin gave to an account.
    func secondFactorsByAdmins(of account: Account) throws(ActionError) -> [String]
    func recoveryCodes(of account: Account) throws(ActionError) -> [StoredRecoveryCode]
    func insert(_ code: StoredRecoveryCode, of account: Account) throws(ActionError)
    /// Stores a merge, in the place of an earlier one of these ids.
    func insert(_ merge: StoredMerge) throws(ActionError)
    func merge(_ merge: Merge, in project: ProjectID) throws(ActionError) -> StoredMerge?
    /// The merges of a project that can be undone.
    func merges(in project: ProjectID) throws(ActionError) -> [StoredMerge]
    func delete(_ merge: StoredMerge) throws(ActionError)
    func insert(_ event: AccountEvent) throws(ActionError)
    /// The events of an account that the webhook has not taken, in their order. They are deleted
    /// with the account.
    func events(of account: AccountID, in project: ProjectID) throws(ActionError) -> [AccountEvent]
}

/// A merge that can be undone.
public struct StoredMerge: Sendable, Hashable {
    public let merge: Merge
    public let project: ProjectID
    public let at: Timestamp
    public let sealedSnapshot: [UInt8]

    public init(merge: Merge, project: ProjectID, at: Timestamp, sealedSnapshot: [UInt8]) {
        (self.merge, self.project, self.at, self.sealedSnapshot) = (merge, project, at, sealedSnapshot)
    }
}

/// The keyed hash of a recovery code, with the id of its second factor.
public struct StoredRecoveryCode: Sendable, Hashable, Codable {
    public let factor: String
    public let digest: [UInt8]

    public init(factor: String, digest: [UInt8]) { (self.factor, self.digest) = (factor, digest) }
}
