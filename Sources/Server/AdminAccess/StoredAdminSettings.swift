public import Accounts
public import Configuration
import Foundation
import Store

/// The project settings that admins changed, for commands that explain a configuration. An existing
/// database is read and not modified.
public struct StoredAdminSettings {
    private enum Reading {
        case read([StoredSettings])
        /// Nothing was stored yet; the sentence says why.
        case none(String)
        /// The sentence says why the database cannot be read.
        case failed(String)
    }

    private let reading: Reading
    private let database: DatabaseSetting

    public init(database: DatabaseSetting) async {
        self.database = database
        reading =
            switch database {
            case .sqlite(let path): await Self.file(path)
            case .postgreSQL: await Self.server(database)
            }
    }

    /// Whether there is a database that cannot be read, or no server where one should be.
    public var isUnreadable: Bool { if case .failed = reading { true } else { false } }

    /// The note to print if the settings could not be read.
    public var caveat: String? {
        switch reading {
        case .read: nil
        case .none(let cause), .failed(let cause): "Settings changed by admins are not considered: \(cause)"
        }
    }

    /// The note to print if the database cannot be read or created; nil if it can.
    public var warning: String? {
        if isUnreadable { return caveat }
        guard case .sqlite(let path) = database else { return nil }
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        return FileManager.default.fileExists(atPath: folder)
            ? nil : "The folder \(folder) of the database does not exist; create it, unless systemd does (StateDirectory)."
    }

    /// The project with its stored settings, and the settings that are not acceptable.
    public func applied(to project: Project, checks: SettingsChecks) -> (project: Project, objections: [SettingsObjection]) {
        guard case .read(let stored) = reading, let settings = stored.first(where: { $0.project == project.id })?.settings else {
            return (project, [])
        }
        return project.applying(settings, checks: checks)
    }

    /// The project with its stored settings, for commands that need only its domains and limits:
    /// languages and templates are not checked.
    public func applied(to project: Project) -> Project {
        applied(
            to: project, checks: SettingsChecks(isShipped: { _ in true }, template: { template, _ in CheckedTemplate(template) })
        ).project
    }

    private static func file(_ path: String) async -> Reading {
        guard FileManager.default.fileExists(atPath: path) else {
            return .none("the database \(path) does not exist; `onward serve` creates it. If it did, correct database.path.")
        }
        do {
            return .read(try await DatabaseSetting.sqlite(path: path).withStoreAsItIs { try await $0.settings(changedAfter: 0) })
        } catch {
            let advice = FileManager.default.isWritableFile(atPath: path) ? "" : " Run the command as the user of the server."
            return .failed("\(path) cannot be read as a database of Onward: \(explanation(of: error))\(advice)")
        }
    }

    private static func server(_ database: DatabaseSetting) async -> Reading {
        do {
            return try await database.withDatabase { opened in
                // All of them: the database has no tables.
                if try await Store.pendingMigrations(of: opened).first?.version == 1 {
                    return .none("the database \(database.name) is empty; `onward serve` creates its tables.")
                }
                return .read(try await Store.withoutMigrating(opened).settings(changedAfter: 0))
            }
        } catch { return .failed(explanation(of: error)) }
    }
}
