public import Base

/// The settings of a project that admins changed, as the store keeps them.
public struct StoredSettings: Sendable, Hashable {
    public let project: ProjectID
    /// The settings; nil if another version of Onward wrote them in a format that this one cannot
    /// read.
    public let settings: ProjectSettings?
    /// The revision, which counts the changes of all projects, from 1.
    public let revision: Int
    public let changedAt: Timestamp

    public init(project: ProjectID, settings: ProjectSettings?, revision: Int, changedAt: Timestamp) {
        self.project = project
        self.settings = settings
        self.revision = revision
        self.changedAt = changedAt
    }
}
