import Accounts
import EmailActions
import Foundation
import SQLite
import Store

/// What admins changed, for commands that explain a configuration: reads a database that is there, and changes nothing.
struct AdminChanges {
    /// Nil where there is no database that can be read.
    private let stored: [StoredSettings]?
    private let database: String

    init(database: String) async {
        self.database = database
        stored = FileManager.default.fileExists(atPath: database) ? try? await Self.read(database) : nil
    }

    /// What to say where nothing could be looked at.
    var caveat: String? {
        stored == nil
            ? "What admins changed is not looked at: there is no database of Onward's at \(database) that this user can read." : nil
    }

    /// What to say of a database that cannot be looked at; nil where it can, and where it is still to be made in a folder that is there.
    var remark: String? {
        let (files, folder) = (FileManager.default, URL(filePath: database).deletingLastPathComponent().path(percentEncoded: false))
        if files.fileExists(atPath: database) { return caveat }
        return files.fileExists(atPath: folder)
            ? nil : "The database \(database) needs a folder that is not to be seen: make it, unless systemd does (StateDirectory)."
    }

    /// The project as it is in force, and what of the changes is not acceptable.
    func applied(to project: Project, speaks: (String) -> Bool) -> (project: Project, objections: [SettingsObjection]) {
        guard let settings = stored?.first(where: { $0.project == project.id })?.settings else { return (project, []) }
        return project.applying(settings, speaks: speaks)
    }

    private static func read(_ database: String) async throws -> [StoredSettings] {
        let connection = try SQLiteDatabase(path: database)
        let stored: [StoredSettings]
        do { stored = try await Store.asItIs(connection).settings(changedAfter: 0) } catch {
            try await connection.close()
            throw error
        }
        try await connection.close()
        return stored
    }
}
