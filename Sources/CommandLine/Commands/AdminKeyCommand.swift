import Accounts
public import ArgumentParser
internal import Base
import Configuration
import Foundation
import Server
import Store
import Views

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
              onward admin-key create --label "support desk" --project shop --may read \\
                --expires-in 90d
              onward admin-key list
              onward admin-key revoke k7mq2xwd
            """,
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: DatabaseCommand {
        static let configuration = CommandConfiguration(abstract: "Creates a key and prints it once, alone on standard output.")
        @Option(help: ArgumentHelp("The purpose of the key, which `onward audit` shows with each operation.", valueName: "text"))
        var label = "admin"
        @Option(help: ArgumentHelp("The only project in which the key works; every project if omitted.", valueName: "id"))
        var project: String?
        @Option(
            help: ArgumentHelp(
                "What the key may do, repeatable: read (accounts, settings, mails, metrics), write (change them), create-links (mail "
                    + "and return links), password-hashes (of the accounts that it reads). The first three if omitted.",
                valueName: "operation"))
        var may: [AdminScope.Permission] = []
        @Option(help: ArgumentHelp("When the key ends, such as 12h or 90d; never if omitted.", valueName: "duration"))
        var expiresIn: Lifetime?
        @OptionGroup var file: ConfigurationFile

        func validate() throws {
            guard !label.isEmpty, label == label.oneLine else { throw ValidationError("--label: expected one line.") }
        }

        var needsSecret: Bool { true }

        func run(in store: Store, _ configuration: Configuration) async throws {
            let projects = configuration.projects.map(\.id)
            if let project, !projects.contains(ProjectID(rawValue: project)) {
                throw ValidationError(
                    "--project: \(project) is not configured; expected one of \(projects.map(\.rawValue).joined(separator: ", ")).")
            }
            let scope = AdminScope(
                project: project.map(ProjectID.init(rawValue:)), permissions: may.isEmpty ? AdminScope.usual.permissions : Set(may))
            let keys = AdminKeyAuthenticator(
                store: store, secrets: try await store.recognize(try configuration.lookedUpSecrets), now: try await store.wallClock(),
                random: System.random)
            let (text, stored) = try await store.recording("admin-key create", subjects: { [$0.stored.id] }) {
                try await keys.create(label: label, scope: scope, lifetime: expiresIn?.span)
            }
            FileHandle.standardError.write(Data("Key \(stored.id), \"\(stored.label)\". It will not be shown again:\n".utf8))
            print(text)
        }
    }

    /// A duration of at least a minute, with a unit.
    struct Lifetime: ExpressibleByArgument {
        let span: Duration

        init?(argument: String) {
            guard let span = Duration(configured: argument), (.minutes(1)...(.days(3650))).contains(span) else { return nil }
            self.span = span
        }
    }

    struct List: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the id, state, date, end, scope and label of every key, oldest first.")
        @OptionGroup var file: ConfigurationFile

        func run(in store: Store, _: Configuration) async throws {
            let now = try await store.wallClock()
            for key in try await store.adminKeys() {
                let state = key.state(at: now()).rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
                let end = key.expiresAt?.iso8601 ?? "never"
                let project = key.scope.project.map { "of \($0)" } ?? "of every project"
                print(
                    "\(key.id)  \(state)  \(key.createdAt.iso8601)  until \(end)  \(key.scope.permissions.names) \(project)  \(key.label)")
            }
        }
    }

    struct Revoke: DatabaseCommand {
        static let configuration = CommandConfiguration(abstract: "Revokes a key immediately and permanently.")
        @Argument(help: "The id of the key, as printed by `onward admin-key list`.") var id: String
        @OptionGroup var file: ConfigurationFile

        func run(in store: Store, _: Configuration) async throws {
            let now = try await store.wallClock()
            try await store.recording("admin-key revoke", of: AdminKeyAuthenticator.isID(id) ? [id] : []) {
                guard try await store.revokeAdminKey(id, at: now()) else {
                    throw Failure("no active key has the id \(id); `onward admin-key list` prints all keys")
                }
            }
            print("Revoked \(id).")
        }
    }
}

extension AdminScope.Permission: ExpressibleByArgument {}
