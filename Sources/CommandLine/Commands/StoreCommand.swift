import ArgumentParser
import Configuration
import Foundation
import Server
import Store

/// `onward store`, which works on whole databases.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Copies a whole database to another engine; ends the credentials of a restored one.",
        discussion: """
            EXAMPLES
              onward store copy --from sqlite:/var/lib/onward/onward.sqlite \\
                --to config:/etc/onward/postgresql.yaml
              onward store revoke-credentials --config /etc/onward/onward.yaml
            """,
        subcommands: [Copy.self, RevokeCredentials.self])

    /// `onward store copy`
    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copies everything into an empty database of any engine.",
            discussion: """
                A database is sqlite:PATH, a URL that begins with postgres:// or postgresql://, or config:PATH, the database of a \
                configuration file. A URL of the command line has no password, since other users can see it: use config:, libpq's \
                password file or PGPASSWORD.

                Stop every server that uses the source first: the command refuses a source that is in use, and finds at the end whether \
                anything changed meanwhile. A target that has rows is refused. Rows are copied in transactions of 512. Run the same \
                command again after an interruption: it continues where the last transaction ended. Until the copy is complete, and the \
                number of rows and a checksum of every table are the same on both sides, no server and no command opens the target. The \
                source is not changed. The secret of the configuration stays the same.

                EXAMPLES
                  onward store copy --from sqlite:/var/lib/onward/onward.sqlite \\
                    --to postgres://onward@db.example.com/onward?sslmode=verify-full
                  onward store copy --from config:/etc/onward/onward.yaml \\
                    --to sqlite:/var/lib/onward/onward.sqlite
                """)

        // Read when they are used: errors of parsing repeat the value, which may have a password.
        @Option(help: ArgumentHelp("The database to read.", valueName: "database")) var from: String
        @Option(help: ArgumentHelp("The empty database to fill.", valueName: "database")) var to: String

        func validate() throws {
            for text in [from, to] { _ = try DatabaseArgument(text) }
        }

        func run() async throws {
            try await running {
                let (source, target) = (try DatabaseArgument(from).setting(), try DatabaseArgument(to).setting())
                guard source != target else { throw Failure("--from and --to name the same database") }
                try source.requireFile()
                guard try await !source.isInUse() else {
                    throw Failure("\(source.name) is in use: stop every server and command that has it open")
                }
                let copied = try await source.withDatabase { original in
                    try await target.withDatabase { copy in
                        var progress = ProgressLine(of: "rows")
                        let copied = try await StoreCopy(from: original, to: copy).run { state in
                            let share = state.total.map { $0 > 0 ? Double(state.rows) / Double($0) : 1 }
                            progress.show(state.rows, doing: state.phase == .copying ? "copied" : "verified", share: share)
                        }
                        progress.finish()
                        try await Store.open(copy).recording("store copy") {}
                        return copied
                    }
                }
                print(Self.summary(copied, from: source.name, to: target.name))
            }
        }

        static func summary(_ tables: [StoreCopy.CopiedTable], from source: String, to target: String) -> String {
            let filled = tables.filter { $0.rows > 0 }.map { "  \($0.table): \($0.rows.formatted())" }
            return (["Copied \(source) to \(target); every table has the same rows and checksum."] + filled).joined(separator: "\n")
        }
    }

    /// `onward store revoke-credentials`
    struct RevokeCredentials: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke-credentials",
            abstract: "Ends every link, session, ID token and session cookie; for a database that was restored.",
            discussion: """
                A database that was restored from a backup or to an earlier point in time has links and sessions that were used or revoked \
                since, and they would work again. `onward restore` ends them by itself. After a restore by any other means, such as \
                PostgreSQL's, run this command before the first server starts. Users sign in again.

                EXAMPLE
                  onward store revoke-credentials --config /etc/onward/onward.yaml
                """)
        @OptionGroup var file: ConfigurationFile

        func run() async throws {
            try await running {
                let database = try file.readWithoutSecrets().database
                try database.requireFile()
                guard try await !database.isInUse() else { throw Failure("\(database.name) is in use: stop every server first") }
                // No server runs, and the first one to start would revive what is to be ended.
                try await database.withStore(migrating: true) { store in
                    let now = try await store.wallClock()
                    try await store.recording("store revoke-credentials") { try await store.revokeCredentials(at: now()) }
                }
                print("Every link, session, ID token and session cookie of \(database.name) has ended.")
            }
        }
    }
}

/// A database named on the command line.
enum DatabaseArgument: Sendable, Hashable {
    case database(DatabaseSetting)
    /// The database of a configuration file.
    case configuration(String)

    init(_ text: String) throws(ValidationError) {
        if let path = text.wholeMatch(of: #/sqlite:(.+)/#)?.1 {
            self = .database(.sqlite(path: String(path)))
        } else if let path = text.wholeMatch(of: #/config:(.+)/#)?.1 {
            self = .configuration(String(path))
        } else if PostgreSQLURL.hasScheme(text) {
            do throws(SettingError) {
                let url = try PostgreSQLURL(text)
                guard !url.hasPassword else {
                    throw SettingError("a password on the command line can be seen by other users; use config:PATH")
                }
                self = .database(.postgreSQL(PostgreSQLSettings(.url(url))))
            } catch { throw ValidationError(error.sentence) }
        } else {
            throw ValidationError("Expected sqlite:PATH, config:PATH or a URL that begins with postgres://.")
        }
    }

    func setting() throws(InvalidConfiguration) -> DatabaseSetting {
        switch self {
        case .database(let setting): setting
        case .configuration(let path): try Configuration(file: path, environment: nil).database
        }
    }
}
