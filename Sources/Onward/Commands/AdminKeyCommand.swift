import Accounts
import ArgumentParser
import Foundation
import Store

/// `onward admin-key`, which manages the keys of the admin API.
struct AdminKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin-key",
        abstract: "Creates, lists and revokes keys of the admin API.",
        discussion: """
            An admin key is sent in the header `Authorization: Bearer onward_…`. It is shown once, when it is created; the database stores \
            a hash of it. Running servers accept a new key and refuse a revoked one immediately.

            EXAMPLES
              onward admin-key create --label deploy
              onward admin-key list
              onward admin-key revoke k7mq2xwd
            """,
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Creates a key and prints it once, alone on standard output.")
        @Option(help: ArgumentHelp("The purpose of the key, which `onward audit` shows with each operation.", valueName: "text"))
        var label = "admin"
        @OptionGroup var file: ConfigurationFile

        func run() async throws {
            try await AdminKeyCommand.withKeys(of: file) { keys in
                _ = try await keys.store.recognize(keys.secrets)
                let (text, stored) = try await keys.store.recording("admin-key create", subjects: { [$0.stored.id] }) {
                    try await keys.create(label: label)
                }
                FileHandle.standardError.write(Data("Key \(stored.id), \"\(stored.label)\". It will not be shown again:\n".utf8))
                print(text)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the id, state, date and label of every key, oldest first.")
        @OptionGroup var file: ConfigurationFile

        func run() async throws {
            try await AdminKeyCommand.withKeys(of: file) { keys in
                for key in try await keys.store.adminKeys() {
                    let created = key.createdAt.iso8601
                    print("\(key.id)  \(key.revokedAt == nil ? "active " : "revoked")  \(created)  \(key.label)")
                }
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revokes a key immediately and permanently.")
        @Argument(help: "The id of the key, as printed by `onward admin-key list`.") var id: String
        @OptionGroup var file: ConfigurationFile

        func run() async throws {
            try await AdminKeyCommand.withKeys(of: file) { keys in
                try await keys.store.recording("admin-key revoke", of: AdminKeyAuthenticator.isID(id) ? [id] : []) {
                    guard try await keys.store.revokeAdminKey(id, at: keys.now()) else {
                        throw Failure("no active key has the id \(id); `onward admin-key list` prints all keys")
                    }
                }
                print("Revoked \(id).")
            }
        }
    }

    private static func withKeys(of file: ConfigurationFile, _ body: (AdminKeyAuthenticator) async throws -> Void) async throws {
        try await running {
            let configuration = try file.read()
            let secrets = try configuration.lookedUpSecrets
            try await configuration.withStore { store in
                try await body(AdminKeyAuthenticator(store: store, secrets: secrets, now: System.now, random: System.random))
            }
        }
    }
}
