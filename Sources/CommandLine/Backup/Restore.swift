import ArgumentParser
import Base
import Configuration
import Foundation
import SQLite
import Server
import Store

/// `onward restore`, which replaces the database with a backup.
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replaces the database with a backup; the server must be stopped.",
        discussion: """
            The backup is copied, checked and migrated to the schema of this version before the database is replaced. The previous \
            database is kept in the same folder under another name. Every link, session, ID token and session cookie ends, because some \
            may have been used or revoked after the backup. Users must sign in again.

            All other changes after the backup are lost, such as passwords, disabled accounts and admin keys. If the previous database \
            is readable, `onward audit` shows the operations to repeat.

            Only for SQLite. After a restore by the means of PostgreSQL, run `onward store revoke-credentials` (Docs/Backup.md).

            EXAMPLE
              systemctl stop 'onward*.socket' onward
              onward restore /var/backups/onward.sqlite --config /etc/onward/onward.yaml
              systemctl start onward
            """)

    @Argument(help: ArgumentHelp("The backup.", valueName: "file")) var backup: String
    @OptionGroup var file: ConfigurationFile

    func run() async throws {
        try await running {
            let database = try file.readWithoutSecrets().database.requireSQLite(for: "restore")
            if let obstacle = System.obstacle(toReading: backup) { throw Failure("the file \(backup) cannot be read: \(obstacle)") }
            try Self.requireDatabase(backup)
            try Self.requireUnused(database)
            let copy = try DatabaseCopy(of: backup, for: database, isDatabase: true)
            try await copy.complete { connection in
                try await Store.open(connection).recording("restore") {}
            }
            let kept = Self.unusedName("\(database)-replaced-\(Date.now.compact)")
            let isKept: Bool
            do {
                // A server may have been started while the copy was made and checked.
                try Self.requireUnused(database)
                isKept = try Self.move(database, to: kept)
            } catch {
                copy.discard()
                throw error
            }
            // A database that a server has created since then is not replaced.
            do { try copy.place() } catch {
                // If only the sync of the folder failed, the restored database is in its place.
                guard FileManager.default.fileExists(atPath: database) else {
                    try Self.move(kept, to: database)
                    throw error
                }
                throw isKept ? Failure("\(error); the previous database is \(kept)") : error
            }
            print("Restored \(database) from \(backup)." + (isKept ? " The previous database is \(kept)." : ""))
            print("Everybody is signed out: users sign in again, and links that were mailed before do not work any more.")
        }
    }

    /// The name, or the name with a number if the restore before was within the same second.
    private static func unusedName(_ name: String) -> String {
        let names = [name] + (2...100).map { "\(name)-\($0)" }
        return names.first { !FileManager.default.fileExists(atPath: $0) } ?? name
    }

    private static func requireDatabase(_ file: String) throws {
        let start = try FileHandle(forReadingFrom: URL(filePath: file)).read(upToCount: 16) ?? Data()
        guard !start.isEmpty else { throw Failure("\(file) is no backup: it is empty") }
        guard start == Data("SQLite format 3\0".utf8) else { throw Failure("\(file) is no backup: it is no database of SQLite") }
    }

    private static func requireUnused(_ database: String) throws(Failure) {
        guard !FileManager.default.fileExists(atPath: database) || !SQLiteFile.isInUse(database) else {
            throw Failure("\(database) is in use: stop the server first")
        }
    }

    /// Renames the database with its WAL and shared memory files, which must not be used with
    /// another database. All are renamed, or none.
    @discardableResult private static func move(_ database: String, to name: String) throws -> Bool {
        let files = FileManager.default
        let found = ["-shm", "-wal", ""].filter { files.fileExists(atPath: database + $0) }
        var moved: [String] = []
        do {
            for suffix in found {
                try files.moveItem(atPath: database + suffix, toPath: name + suffix)
                moved.append(suffix)
            }
        } catch {
            for suffix in moved { try? files.moveItem(atPath: name + suffix, toPath: database + suffix) }
            throw error
        }
        return found.contains("")
    }
}
