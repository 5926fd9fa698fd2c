import Accounts
import ArgumentParser
import Foundation
import SQLite
import Store

/// `onward backup`: a copy of the database while the server runs.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies the database into a new file, while the server goes on.",
        discussion: """
            The copy is one state of the database, checked from end to end, on the disk, readable by this user only. It holds password \
            hashes: keep it as you keep the database. And keep the secret of the configuration elsewhere: without it the copy is of no use, \
            and with it a thief can use it.

            In the copy every link, session, ID token and session cookie has ended, because those that were used or revoked since would \
            work again when it is restored. To move an installation without that, stop the server and copy the file itself.

            EXAMPLES
              onward backup --config /etc/onward/onward.yaml
              onward backup --to /var/backups/onward.sqlite --force --config /etc/onward/onward.yaml
            """)

    @Option(help: ArgumentHelp("The new file. (default: beside the database, with the time in its name)", valueName: "file"))
    var to: String?
    @Flag(help: "Replace the file if there is one; until the copy is whole, it stays.") var force = false
    @OptionGroup var file: ConfigurationFile

    func run() async throws {
        try await running {
            let configuration = try file.read()
            let target = to ?? "\(configuration.database)-\(Date.now.compact).backup"
            guard force || !FileManager.default.fileExists(atPath: target) else { throw Failure("there is a file \(target) already") }
            let clock = ContinuousClock.now
            try await configuration.withStoreAsItIs { store in
                try await store.recording("backup") {
                    try await DatabaseCopy.make(of: configuration.database, for: target).place(replaces: force)
                }
            }
            let bytes = (try FileManager.default.attributesOfItem(atPath: target)[.size] as? Int) ?? 0
            print("\(target): \(bytes) bytes, checked, in \((ContinuousClock.now - clock).milliseconds) ms.")
        }
    }
}

extension Configuration {
    /// The database as a server of another version may have it, for as long as `body` runs.
    fileprivate func withStoreAsItIs(_ body: (Store) async throws -> Void) async throws {
        guard FileManager.default.fileExists(atPath: database) else { throw Failure("there is no database \(database)") }
        let connection = try SQLiteDatabase(path: database)
        do { try await body(Store.asItIs(connection)) } catch {
            try await connection.close()
            throw error
        }
        try await connection.close()
    }
}

extension Date {
    /// Such as `20261121T200000Z`, for names of files.
    var compact: String { ISO8601Format(.init(dateSeparator: .omitted, timeSeparator: .omitted)) }
}
