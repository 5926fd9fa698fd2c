import ArgumentParser
import Configuration
import Foundation
import Server
import Store

/// `onward migrate`, which brings the database to the schema of this version.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Brings the database to the schema of this version; --dry-run prints the statements.",
        discussion: """
            `onward serve` does the same when it starts, and so do `restore` and `store revoke-credentials`. `backup` and the \
            commands that only explain or check also read a database of an earlier version; all others refuse it. This command is for \
            an upgrade in steps: the migrations run while the nodes of the previous \
            version still serve, and the command stops if one fails. Each migration is one transaction, runs once whatever the number of \
            processes that try, and never removes what the previous version needs. There is no way back except a backup.

            With --dry-run nothing is changed: the statements that would run are printed, in order, and nothing if there are none.

            EXAMPLES
              onward migrate --dry-run --config /etc/onward/onward.yaml
              onward migrate --config /etc/onward/onward.yaml
            """)

    @Flag(help: "Print the statements of the migrations that would run, and change nothing.") var dryRun = false
    @OptionGroup var file: ConfigurationFile

    func run() async throws {
        try await running {
            let setting = try file.readWithoutSecrets().database
            if dryRun { try setting.requireFile("; `onward serve` creates it") }
            try await setting.withDatabase { database in
                let pending = try await Store.pendingMigrations(of: database)
                if dryRun { return print(Self.script(pending), terminator: "") }
                _ = try await Store.open(database)
                print(Self.summary(pending.map(\.version), of: setting.name))
            }
        }
    }

    /// The statements as a script in SQL.
    static func script(_ migrations: [PendingMigration]) -> String {
        migrations.map { migration in
            "-- migration \(migration.version)\nBEGIN;\n" + migration.statements.map { "\($0);\n" }.joined() + "COMMIT;\n"
        }.joined(separator: "\n")
    }

    static func summary(_ versions: [Int], of database: String) -> String {
        switch versions.count {
        case 0: "\(database) has the schema of this version already."
        case 1: "\(database): migration \(versions[0]) ran."
        default: "\(database): migrations \(versions.map(String.init).joined(separator: ", ")) ran."
        }
    }
}
