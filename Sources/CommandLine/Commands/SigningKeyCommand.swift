import Accounts
import ArgumentParser
import Base
import Configuration
import Foundation
import Network
import Server
import Store

/// `onward signing-key`, which manages the keys that sign ID tokens and session cookies.
struct SigningKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signing-key",
        abstract: "Lists and rotates the keys that sign ID tokens and session cookies.",
        discussion: """
            Keys rotate automatically: every 30 days `onward serve` publishes a new key in /.well-known/jwks.json, which signs from the \
            next day on. The previous key stays published for 15 more days, until everything it signed has expired. Running servers \
            use a key rotated by this command within a minute.

            EXAMPLES
              onward signing-key list
              onward signing-key rotate
              onward signing-key rotate --compromised

            The last is for a leak of the keys: all tokens and cookies end. If the secret was replaced, too, it makes the new one that of \
            the database.
            """,
        subcommands: [List.self, Rotate.self])

    struct List: DatabaseCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the id, start and state of every key, oldest first.")
        @OptionGroup var file: ConfigurationFile

        func run(in store: Store, _: Configuration) async throws {
            for (key, state) in KeySchedule.states(of: try await store.signingKeys(), at: System.now()) {
                print("\(key.id)  \(key.start.iso8601)  \(state.text)")
            }
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Creates a new key, which signs one day after it is published.")
        @Flag(
            help: "Sign with it immediately. Verifiers that cache the published keys, for at most an hour, refuse its tokens meanwhile.")
        var now = false
        @Flag(help: "Sign with it immediately and delete all other keys, which ends every token and cookie they signed.")
        var compromised = false
        @OptionGroup var file: ConfigurationFile

        func run() async throws {
            try await running {
                let configuration = try file.read()
                let configured = try configuration.lookedUpSecrets
                let isInUse = try await configuration.database.isInUse()
                try await configuration.database.withStore { store in
                    if compromised, try await !store.has(configured) {
                        guard !isInUse else {
                            throw Failure("the configured secret is not that of the database; stop the server before it is replaced")
                        }
                        try await rotate(in: store) { try await store.replaceSecret(with: configured) }
                        print("The configured secret is that of the database now.")
                    } else {
                        let secrets = try await store.recognize(configured)
                        try await rotate(in: store) { secrets }
                    }
                }
            }
        }

        /// - Parameter prepare: returns the secrets of the database; recorded with the rotation.
        private func rotate(in store: Store, by prepare: () async throws -> Secrets) async throws {
            let key = try await store.recording("signing-key rotate", subjects: { [$0.id] }) {
                let keys = SigningKeys(
                    store: store, secrets: try await prepare(), workerPool: WorkerPool(label: "onward.keys", width: 1, maxWaiting: 1),
                    now: try await store.wallClock(), random: System.random)
                return try await keys.rotate(compromised ? .compromised : now ? .immediate : .published)
            }
            print("\(key.id) signs from \(key.start.iso8601).")
        }
    }
}

extension StoredSigningKey {
    /// When the key starts to sign. A key without a later start does so from its creation.
    fileprivate var start: Timestamp { max(signsFrom, createdAt) }
}

extension KeySchedule.State {
    fileprivate var text: String {
        switch self {
        case .next: "published, signs later"
        case .signing: "signs"
        case .verifying(let until): "verifies until \(until.iso8601)"
        }
    }
}
