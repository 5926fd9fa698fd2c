package import Accounts

/// What admins changed of a project, as the store keeps it.
package struct StoredSettings: Sendable, Hashable {
    package let project: ProjectID
    /// Nil when another Onward wrote them in a way that this one cannot read.
    package let settings: ProjectSettings?
    /// Counts every change of any project, from 1.
    package let revision: Int
    package let changedAt: Timestamp

    package init(project: ProjectID, settings: ProjectSettings?, revision: Int, changedAt: Timestamp) {
        self.project = project
        self.settings = settings
        self.revision = revision
        self.changedAt = changedAt
    }
}

/// The door to what admins changed.
package protocol SettingsStore: Sendable {
    /// 0 before the first change. One indexed read.
    func newestSettingsRevision() async throws(ActionError) -> Int
    /// The oldest change first; 0 for all.
    func settings(changedAfter revision: Int) async throws(ActionError) -> [StoredSettings]
    /// Reads, changes and writes in one transaction, so that two admins at once lose nothing; nothing is written when `change` throws.
    func changeSettings(
        of project: ProjectID, at now: Timestamp,
        by change: @escaping @Sendable (inout ProjectSettings) throws(ActionError) -> Void
    ) async throws(ActionError) -> StoredSettings
}
