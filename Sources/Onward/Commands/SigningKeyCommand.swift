import Accounts
import ArgumentParser
import Foundation
import Queues
import SQLite
import Store

/// `onward signing-key`: the keys that sign ID tokens and session cookies.
struct SigningKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signing-key",
        abstract: "Lists and rotates the keys that sign ID tokens and session cookies.",
        discussion: """
            Keys rotate by themselves: every 30 days `onward serve` publishes a new one in /.well-known/jwks.json, which signs a day \
            later; the one before it stays published for 15 days more, until all that it signed is over. Rotating by hand is for plans \
            and for accidents. Running servers see a change within a minute.

            EXAMPLES
              onward signing-key list
              onward signing-key rotate
              onward signing-key rotate --compromised      The keys are in wrong hands: all tokens and cookies end.
            """,
        subcommands: [List.self, Rotate.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Prints id, beginning and state of every key, oldest first.")
        @OptionGroup var file: ConfigurationFile

        func run() async throws {
            try await SigningKeyCommand.withStore(of: file) { store, _ in
                for (key, state) in KeySchedule.states(of: try await store.signingKeys(), at: System.now()) {
                    print("\(key.id)  \(Date(key.beginning).ISO8601Format())  \(state.words)")
                }
            }
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes a new key, which signs a day after it was published.")
        @Flag(
            help: "It signs at once. Verifiers that keep the published keys, for an hour at most, refuse its tokens until they look again.")
        var now = false
        @Flag(help: "It signs at once, and all other keys are forgotten: every token and cookie that they signed ends.")
        var compromised = false
        @OptionGroup var file: ConfigurationFile

        func run() async throws {
            try await SigningKeyCommand.withStore(of: file) { store, secrets in
                let keys = SigningKeys(
                    store: store, secrets: secrets, workerPool: WorkerPool(label: "onward.keys", width: 1, maxWaiting: 1), now: System.now,
                    random: System.random)
                let key = try await store.recording("signing-key rotate", subjects: { [$0.id] }) {
                    try await keys.rotate(compromised ? .compromised : now ? .immediate : .published)
                }
                print("\(key.id) signs from \(Date(key.beginning).ISO8601Format()).")
            }
        }
    }

    /// Opens the database for as long as `body` runs; the server may have it open too.
    private static func withStore(of file: ConfigurationFile, _ body: (Store, Secrets) async throws -> Void) async throws {
        try await running {
            let configuration = try file.read()
            let connection = try SQLiteDatabase(path: configuration.database)
            do { try await body(try await Store.open(connection), try configuration.lookedUpSecrets) } catch {
                try await connection.close()
                throw error
            }
            try await connection.close()
        }
    }
}

extension StoredSigningKey {
    /// Keys from before keys rotated began when they were made.
    fileprivate var beginning: Timestamp { max(signsFrom, createdAt) }
}

extension KeySchedule.State {
    fileprivate var words: String {
        switch self {
        case .next: "published, signs later"
        case .signing: "signs"
        case .verifying(let until): "verifies until \(Date(until).ISO8601Format())"
        }
    }
}
