public import Base

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
