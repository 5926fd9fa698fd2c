public import Accounts

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

/// The store of the settings that admins changed.
public protocol SettingsStore: Sendable {
    /// The newest revision; 0 before the first change. One indexed read.
    func newestSettingsRevision() async throws(ActionError) -> Int
    /// The settings changed after a revision, the oldest change first. Revision 0 returns all.
    func settings(changedAfter revision: Int) async throws(ActionError) -> [StoredSettings]
    /// Reads, changes and writes settings in one transaction, so that concurrent changes are not
    /// lost. Nothing is written if `change` throws.
    func changeSettings(
        of project: ProjectID, at now: Timestamp,
        by change: @escaping @Sendable (inout ProjectSettings) throws(ActionError) -> Void
    ) async throws(ActionError) -> StoredSettings
}
