import Accounts
import ArgumentParser
import Base
import Configuration
import Foundation
import Server

/// `onward users disable`, which locks an account.
struct UsersDisable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Locks an account: its sessions and links end, and nobody can sign in to it.",
        discussion: """
            ID tokens last an hour: until then back ends that do not check for revocation accept them. The server may be running.

            EXAMPLE
              onward users disable ada@example.com
            """)

    @OptionGroup var change: UsersChange

    func run() async throws { try await change.set(disabled: true, "users disable", done: "Disabled") }
}

/// `onward users enable`, which unlocks an account.
struct UsersEnable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Unlocks an account that was disabled.",
        discussion: """
            EXAMPLE
              onward users enable ada@example.com
            """)

    @OptionGroup var change: UsersChange

    func run() async throws { try await change.set(disabled: false, "users enable", done: "Enabled") }
}

/// `onward users delete`, which deletes an account.
struct UsersDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes an account; `erase` also removes it from the audit.",
        discussion: """
            Deletes the account with its sessions, links, second factors and waiting mails. This cannot be undone. The server may be running.

            EXAMPLES
              onward users delete ada@example.com
              onward users delete --id 2f9cVmS1mB0qkq8G --project my-app --yes
            """)

    @OptionGroup var change: UsersChange
    @Flag(help: "Do not ask for confirmation.") var yes = false

    func run() async throws {
        try await change.perform("users delete", done: "Deleted") { profile, context in
            guard yes || confirms("Delete the account \(profile.line) of project \(context.project)?") else {
                throw Failure("nothing was deleted; answer yes, or pass --yes to delete without a question")
            }
            return { try await context.accounts.erasure.delete(profile.account) }
        }
    }
}

/// The options of commands that change one account.
struct UsersChange: ParsableArguments {
    @OptionGroup var account: AccountArgument
    @OptionGroup var file: ConfigurationFile
    @Option(help: ArgumentHelp("The project; required if there are several.", valueName: "id")) var project: String?
    @Flag(help: "Print the result as a JSON object.") var json = false

    func set(disabled: Bool, _ command: String, done: String) async throws {
        try await perform(command, done: done) { profile, context in
            var change = AccountChange()
            change.disabled = disabled
            let settled = change
            return { _ = try await context.accounts.update(profile.account, with: settled, byAdmin: true, in: context.settings) }
        }
    }

    /// Finds the account, changes it and records that in the audit.
    /// - Parameter prepare: returns the change.
    func perform(
        _ command: String, done: String,
        _ prepare: (Accounts.Profile, UsersCommand.Context) throws -> () async throws -> Void
    ) async throws {
        try await running {
            try await UsersCommand.open(file, project: project) { context in
                let profile = try await account.profile(in: context)
                let change = try prepare(profile, context)
                let id = profile.account.id.rawValue
                try await context.store.recording(command, in: context.project, of: [id]) { try await change() }
                print(json ? JSON.object(["project": .string(context.project.rawValue), "localId": .string(id)]).text : "\(done) \(id).")
            }
        }
    }
}

/// Asks the operator, who has to answer yes.
func confirms(_ question: String) -> Bool {
    FileHandle.standardError.write(Data("\(question) This cannot be undone. [yes/no] ".utf8))
    return ["y", "yes"].contains(readLine()?.lowercased())
}
