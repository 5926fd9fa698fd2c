import Accounts
import ArgumentParser
import Base

/// `onward users list`, which prints the accounts of a project.
struct UsersList: AccountsCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Prints the accounts of a project, by id.",
        discussion: """
            EXAMPLES
              onward users list --project my-app
              onward users list --json --limit 100
              onward users list --invited
            """)

    @OptionGroup var accounts: ProjectAccounts
    @Option(help: ArgumentHelp("The most accounts; all if omitted.", valueName: "count")) var limit: Int?
    @Flag(help: "Only accounts whose invitation waits.") var invited = false
    @Flag(help: "Print JSON lines.") var json = false

    private static let pageSize = 500

    func run(in context: ProjectAccounts.Context) async throws {
        var (page, left) = (Accounts.PageRequest(limit: Self.pageSize), limit ?? .max)
        page.isOfInvited = invited
        let now = context.clock.now()
        while left > 0 {
            let profiles = try await context.store.profiles(page, in: context.project)
            for profile in profiles.prefix(left) { print(json ? profile.json.text : profile.line(at: now)) }
            left -= min(left, profiles.count)
            guard profiles.count == Self.pageSize, let last = profiles.last else { break }
            page.after = last.account.id
        }
    }
}

/// `onward users get`, which prints an account.
struct UsersGet: AccountsCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Prints an account: address, ways to sign in, second factors, times.",
        discussion: """
            EXAMPLES
              onward users get ada@example.com
              onward users get --id 2f9cVmS1mB0qkq8G --project my-app --json
            """)

    @OptionGroup var account: AccountArgument
    @OptionGroup var accounts: ProjectAccounts
    @Flag(help: "Print JSON.") var json = false

    func run(in context: ProjectAccounts.Context) async throws {
        let profile = try await account.profile(in: context)
        print(json ? profile.json.text : profile.details)
    }
}
