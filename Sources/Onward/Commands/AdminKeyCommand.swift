import Accounts
import ArgumentParser
import Foundation
import Store

/// `onward admin-key`: who may call the admin API.
struct AdminKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin-key",
        abstract: "Makes, lists and revokes keys for the admin API.",
        discussion: """
            An admin key goes into the header `Authorization: Bearer onward_…`. It is shown once, when it is made; the database keeps a \
            hash of it. Keys work and stop working at once, while the server runs.

            EXAMPLES
              onward admin-key create --label deploy
              onward admin-key list
              onward admin-key revoke k7mq2xwd
            """,
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes a key and prints it, this once, alone on standard output.")
        @Option(help: ArgumentHelp("What it is for; stands in `onward audit` beside what was done with it.", valueName: "text"))
        var label = "admin"
        @OptionGroup var file: ConfigurationFile

        func run() async throws {
            try await AdminKeyCommand.withKeys(of: file) { keys in
                let (text, stored) = try await keys.store.recording("admin-key create", subjects: { [$0.stored.id] }) {
                    try await keys.create(label: label)
                }
                FileHandle.standardError.write(Data("Key \(stored.id), \"\(stored.label)\". It is not shown again:\n".utf8))
                print(text)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Prints id, state, date and label of every key, oldest first.")
        @OptionGroup var file: ConfigurationFile

        func run() async throws {
            try await AdminKeyCommand.withKeys(of: file) { keys in
                for key in try await keys.store.adminKeys() {
                    let made = Date(key.createdAt).ISO8601Format()
                    print("\(key.id)  \(key.revokedAt == nil ? "works  " : "revoked")  \(made)  \(key.label)")
                }
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Ends a key, at once and for ever.")
        @Argument(help: "The key's id, as `onward admin-key list` prints it.") var id: String
        @OptionGroup var file: ConfigurationFile

        func run() async throws {
            try await AdminKeyCommand.withKeys(of: file) { keys in
                try await keys.store.recording("admin-key revoke", of: AdminKeys.isID(id) ? [id] : []) {
                    guard try await keys.store.revokeAdminKey(id, at: keys.now()) else {
                        throw Failure("no key that works has the id \(id); `onward admin-key list` prints them")
                    }
                }
                print("Revoked \(id).")
            }
        }
    }

    private static func withKeys(of file: ConfigurationFile, _ body: (AdminKeys) async throws -> Void) async throws {
        try await running {
            let configuration = try file.read()
            let secrets = try configuration.lookedUpSecrets
            try await configuration.withStore { store in
                try await body(AdminKeys(store: store, secrets: secrets, now: System.now, random: System.random))
            }
        }
    }
}
