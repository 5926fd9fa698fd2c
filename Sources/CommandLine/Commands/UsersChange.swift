import Accounts
import ArgumentParser
import Base
import Configuration
import Foundation
import Server

/// `onward users disable`, which locks an account.
struct UsersDisable: AccountsCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Locks an account: its sessions and links end, and nobody can sign in to it.",
        discussion: """
            ID tokens last an hour: until then back ends that do not check for revocation accept them. The server may be running.

            EXAMPLE
              onward users disable ada@example.com
            """)

    @OptionGroup var change: UsersChange
    @OptionGroup var accounts: ProjectAccounts

    func run(in context: ProjectAccounts.Context) async throws {
        try await change.set(disabled: true, in: context, "users disable", done: "Disabled")
    }
}

/// `onward users enable`, which unlocks an account.
struct UsersEnable: AccountsCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Unlocks an account that was disabled.",
        discussion: """
            EXAMPLE
              onward users enable ada@example.com
            """)

    @OptionGroup var change: UsersChange
    @OptionGroup var accounts: ProjectAccounts

    func run(in context: ProjectAccounts.Context) async throws {
        try await change.set(disabled: false, in: context, "users enable", done: "Enabled")
    }
}

/// `onward users delete`, which deletes an account.
struct UsersDelete: AccountsCommand {
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
    @OptionGroup var accounts: ProjectAccounts
    @Flag(help: "Do not ask for confirmation.") var yes = false

    func run(in context: ProjectAccounts.Context) async throws {
        let profile = try await change.account.profile(in: context)
        guard yes || confirms("Delete the account \(profile.line) of project \(context.project)?") else {
            throw Failure("nothing was deleted; answer yes, or pass --yes to delete without a question")
        }
        try await change.perform("users delete", on: profile.account, in: context, done: "Deleted") {
            try await context.accounts.erasure.delete(profile.account)
        }
    }
}

/// The options of commands that change one account.
struct UsersChange: ParsableArguments {
    @OptionGroup var account: AccountArgument
    @Flag(help: "Print the result as a JSON object.") var json = false

    func set(disabled: Bool, in context: ProjectAccounts.Context, _ command: String, done: String) async throws {
        let account = try await account.profile(in: context).account
        var change = AccountChange()
        change.disabled = disabled
        let settled = change
        try await perform(command, on: account, in: context, done: done) {
            _ = try await context.accounts.update(account, with: settled, byAdmin: true, from: .admin, in: context.settings)
        }
    }

    /// Changes the account and records that in the audit.
    func perform(
        _ command: String, on account: Account, in context: ProjectAccounts.Context, done: String, _ change: () async throws -> Void
    ) async throws {
        let id = account.id.rawValue
        try await context.store.recording(command, in: context.project, of: [id], change)
        print(json ? JSON.object(["project": .string(context.project.rawValue), "localId": .string(id)]).text : "\(done) \(id).")
    }
}

/// Asks the operator, who has to answer yes.
func confirms(_ question: String) -> Bool {
    FileHandle.standardError.write(Data("\(question) This cannot be undone. [yes/no] ".utf8))
    return ["y", "yes"].contains(readLine()?.lowercased())
}
