import Accounts
import EmailActions
import Foundation
import SQLite
import Store

/// The project settings that admins changed, for commands that explain a configuration. An existing
/// database is read and not modified.
struct StoredAdminSettings {
    /// The settings, nil if there is no readable database.
    private let stored: [StoredSettings]?
    private let database: String

    init(database: String) async {
        self.database = database
        stored = FileManager.default.fileExists(atPath: database) ? try? await Self.read(database) : nil
    }

    /// Whether there is a file in the place of the database that cannot be read as one.
    var isUnreadable: Bool { stored == nil && FileManager.default.fileExists(atPath: database) }

    /// The note to print if the settings could not be read.
    var caveat: String? {
        guard stored == nil else { return nil }
        let cause =
            FileManager.default.fileExists(atPath: database)
            ? "\(database) is not a database of Onward that this user can read; run the command as the user of the server."
            : "the database \(database) does not exist; `onward serve` creates it. If it did, correct database.path."
        return "Settings changed by admins are not considered: \(cause)"
    }

    /// The note to print if the database cannot be read or created; nil if it can.
    var warning: String? {
        let (files, folder) = (FileManager.default, URL(filePath: database).deletingLastPathComponent().path(percentEncoded: false))
        if files.fileExists(atPath: database) { return caveat }
        return files.fileExists(atPath: folder)
            ? nil : "The folder \(folder) of the database does not exist; create it, unless systemd does (StateDirectory)."
    }

    /// The project with its stored settings, and the settings that are not acceptable.
    func applied(to project: Project, checks: SettingsChecks) -> (project: Project, objections: [SettingsObjection]) {
        guard let settings = stored?.first(where: { $0.project == project.id })?.settings else { return (project, []) }
        return project.applying(settings, checks: checks)
    }

    /// The project with its stored settings, for commands to which only its domains and limits
    /// matter: languages and templates are not checked.
    func applied(to project: Project) -> Project {
        applied(
            to: project, checks: SettingsChecks(isShipped: { _ in true }, template: { template, _ in CheckedTemplate(template) })
        ).project
    }

    private static func read(_ database: String) async throws -> [StoredSettings] {
        let connection = try SQLiteDatabase(path: database)
        let stored: [StoredSettings]
        do { stored = try await Store.withoutMigrating(connection).settings(changedAfter: 0) } catch {
            try await connection.close()
            throw error
        }
        try await connection.close()
        return stored
    }
}
