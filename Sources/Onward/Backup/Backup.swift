import Accounts
import ArgumentParser
import Foundation
import Store

/// `onward backup`, which copies the database, also while the server runs.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies the database into a new file; the server may be running.",
        discussion: """
            The copy is a consistent state of the database, checked completely, synced to disk, and readable by this user only. It contains \
            password hashes: protect it like the database. Store the secret of the configuration elsewhere: the copy is of no use \
            without it, and a thief of both can use it.

            Only for SQLite. Back up a PostgreSQL database by its own means: snapshots, pg_basebackup or pg_dump (Docs/Operations.md, Back \
            up and restore PostgreSQL).

            In the copy every link, session, ID token and session cookie has ended, because those used or revoked later would work \
            again after a restore. To move an installation without that, stop the server and copy the file itself.

            EXAMPLES
              onward backup --config /etc/onward/onward.yaml
              onward backup --to /var/backups/onward.sqlite --force \\
                --config /etc/onward/onward.yaml
            """)

    @Option(help: ArgumentHelp("The new file. (default: beside the database, with the time in its name)", valueName: "file"))
    var to: String?
    @Flag(help: "Replace an existing file, once the copy is complete.") var force = false
    @OptionGroup var file: ConfigurationFile

    func run() async throws {
        try await running {
            let configuration = try file.read()
            let path = try configuration.database.requireSQLite(for: "backup")
            let target = to ?? "\(path)-\(Date.now.compact).backup"
            guard force || !FileManager.default.fileExists(atPath: target) else {
                throw Failure("the file \(target) already exists; --force replaces it")
            }
            let clock = ContinuousClock.now
            try await configuration.withStoreAsItIs { store in
                try await store.recording("backup") {
                    try await DatabaseCopy.make(of: path, for: target).place(replaces: force)
                }
            }
            let bytes = (try FileManager.default.attributesOfItem(atPath: target)[.size] as? Int) ?? 0
            print("\(target): \(bytes) bytes, checked, in \((ContinuousClock.now - clock).milliseconds) ms.")
        }
    }
}

extension Date {
    /// The date for names of files, such as `20261121T200000Z`.
    var compact: String { ISO8601Format(.init(dateSeparator: .omitted, timeSeparator: .omitted)) }
}
