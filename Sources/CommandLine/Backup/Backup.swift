import Accounts
import ArgumentParser
import Base
import Configuration
import Foundation
import Server
import Store

/// `onward backup`, which copies the database, also while the server runs.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies the database into a new file; the server may be running.",
        discussion: """
            The copy is a consistent state of the database, checked completely, synced to disk, and readable by this user only. It contains \
            password hashes: protect it like the database. Store the secret of the configuration elsewhere: the copy is of no use \
            without it, and a thief of both can use it.

            Only for SQLite. Back up a PostgreSQL database by its own means: snapshots, pg_basebackup or pg_dump (Docs/Backup.md).

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
            let configuration = try file.readWithoutSecrets()
            let path = try configuration.database.requireSQLite(for: "backup")
            try configuration.database.requireFile()
            let target = to ?? "\(path)-\(Date.now.compact).backup"
            try DatabaseCopy.require(target, isNotPartOf: path)
            if let what = System.irregularity(of: target) { throw Failure("\(target) cannot be replaced: \(what)") }
            guard force || !FileManager.default.fileExists(atPath: target) else {
                throw Failure("the file \(target) already exists; --force replaces it")
            }
            let clock = Uptime.now
            let lostRecords = AtomicCounter()
            var hasBegun = false
            var caveat: String?
            func copy() async throws {
                hasBegun = true
                let copy = try DatabaseCopy(of: path, for: target)
                try await copy.complete { caveat = await Self.caveat(about: $0) }
                try copy.place(replaces: force)
            }
            let audit = BriefAudit(database: configuration.database)
            do { try await audit.recording("backup", lost: lostRecords) { try await copy() } } catch {
                // A backup is wanted most when the database's disk is full.
                guard !hasBegun, case ActionError.unavailable(let down) = error else { throw error }
                FileHandle.standardError.write(Data("onward: this backup is not in the audit: \(down.cause)\n".utf8))
                lostRecords.add()
                try await copy()
            }
            let bytes = (try FileManager.default.attributesOfItem(atPath: target)[.size] as? Int) ?? 0
            print("\(target): \(bytes) bytes, checked, in \((Uptime.now - clock).milliseconds) ms.")
            if let caveat { FileHandle.standardError.write(Data("onward: \(caveat)\n".utf8)) }
            if lostRecords.value > 0 { throw ExitCode.failure }
        }
    }

    /// A sentence about a copy whose schema is not this version's; nil for one that this version
    /// knows. Of a newer schema it cannot know everything that has to end.
    static func caveat(about copy: any SQLDatabase) async -> String? {
        do throws(ActionError) { _ = try await Store.pendingMigrations(of: copy) } catch {
            return "\(error.cause) Links and sessions that only that version knows may not have ended in the copy: make it by that version."
        }
        return nil
    }
}

/// The audit of a database that is open only while a record is written, so that a server can start
/// while the copy is checked.
struct BriefAudit: AuditStore {
    let database: DatabaseSetting

    func begin(_ record: AuditRecord) async throws(ActionError) -> Int { try await opened { try await $0.begin(record) } }

    func end(_ position: Int, as record: AuditRecord) async throws(ActionError) {
        try await opened { try await $0.end(position, as: record) }
    }

    private func opened<T>(_ body: (Store) async throws -> T) async throws(ActionError) -> T {
        do { return try await database.withStoreAsItIs(body) } catch let error as ActionError { throw error } catch {
            throw .unavailable(Unavailable(.store, cause: "\(error)"))
        }
    }
}

extension Date {
    /// The date for names of files, such as `20261121T200000Z`.
    var compact: String { ISO8601Format(.init(dateSeparator: .omitted, timeSeparator: .omitted)) }
}
