public import Accounts
public import Base
internal import Foundation

extension StoredSettings: TableRow {
    static let table = "project_settings"
    static let columns: TableColumns = "project, settings, revision, changed_at"

    var values: [any SQLConvertible] {
        get throws(SQLFailure) { [project, try (settings ?? ProjectSettings()).json, revision, changedAt] }
    }

    init(_ row: NamedRow) throws(SQLFailure) {
        try self.init(
            project: row["project"], settings: ProjectSettings(json: row["settings"]), revision: row["revision"],
            changedAt: row["changed_at"])
    }
}

extension Store {
    public func newestSettingsRevision() async throws(ActionError) -> Int {
        try await read { records throws(ActionError) in try records.newestSettingsRevision() }
    }

    public func settings(changedAfter revision: Int) async throws(ActionError) -> [StoredSettings] {
        try await read { records throws(ActionError) in
            try records.all("\(StoredSettings.select) WHERE revision > ? ORDER BY revision", [revision])
        }
    }

    /// A stream with an element whenever another process may have changed settings; nil if the
    /// database cannot tell. While it is read, `accountChanges` tells of accounts that other
    /// processes changed.
    public var changes: AsyncStream<Void>? {
        guard let announcements = database.announcements else { return nil }
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { [accountChanges] continuation in
            let task = Task {
                for await text in announcements {
                    let keys = AccountAnnouncer.keys(in: text)
                    if keys.isEmpty { continuation.yield() } else { accountChanges.announce(keys) }
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    public func changeSettings(
        of project: ProjectID, at now: Timestamp,
        by change: @escaping @Sendable (inout ProjectSettings) throws(ActionError) -> Void
    ) async throws(ActionError) -> StoredSettings {
        try await transaction { records throws(ActionError) in
            let before: StoredSettings? = try records.first("\(StoredSettings.select) WHERE project = ?", [project])
            guard var settings = before.map(\.settings) ?? ProjectSettings() else {
                throw .unavailable(
                    Unavailable(
                        .store, cause: "the stored settings of project \(project) cannot be read: another version of Onward wrote them"))
            }
            try change(&settings)
            let after = StoredSettings(
                project: project, settings: settings, revision: try records.newestSettingsRevision() + 1, changedAt: now)
            try records.execute("DELETE FROM project_settings WHERE project = ?", [project])
            try records.insert(after)
            if let announcement = records.announcement { try records.submit(announcement, [""]) }
            return after
        }
    }
}

extension SQLRecords {
    fileprivate func newestSettingsRevision() throws(ActionError) -> Int {
        try count("SELECT coalesce(max(revision), 0) FROM project_settings", [])
    }
}

extension ProjectSettings {
    fileprivate var json: String {
        get throws(SQLFailure) {
            do { return String(decoding: try JSONEncoder().encode(self), as: UTF8.self) } catch {
                throw .failed(cause: "project settings cannot be encoded as JSON")
            }
        }
    }

    /// Nil for settings that another version of Onward wrote in another form.
    fileprivate init?(json: String) {
        guard let settings = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = settings
    }
}
