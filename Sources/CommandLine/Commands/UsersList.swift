import Accounts
import ArgumentParser
import Base

/// `onward users list`, which prints the accounts of a project.
struct UsersList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Prints the accounts of a project, by id.",
        discussion: """
            EXAMPLES
              onward users list --project my-app
              onward users list --json --limit 100
            """)

    @OptionGroup var file: ConfigurationFile
    @Option(help: ArgumentHelp("The project; required if there are several.", valueName: "id")) var project: String?
    @Option(help: ArgumentHelp("The most accounts; all if omitted.", valueName: "count")) var limit: Int?
    @Flag(help: "Print JSON lines.") var json = false

    private static let pageSize = 500

    func run() async throws {
        try await running {
            try await UsersCommand.open(file, project: project) { context in
                var (page, left) = (Accounts.PageRequest(limit: Self.pageSize), limit ?? .max)
                while left > 0 {
                    let profiles = try await context.store.profiles(page, in: context.project)
                    for profile in profiles.prefix(left) { print(json ? profile.json.text : profile.line) }
                    left -= min(left, profiles.count)
                    guard profiles.count == Self.pageSize, let last = profiles.last else { break }
                    page.after = last.account.id
                }
            }
        }
    }
}

/// `onward users get`, which prints an account.
struct UsersGet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Prints an account: address, ways to sign in, second factors, times.",
        discussion: """
            EXAMPLES
              onward users get ada@example.com
              onward users get --id 2f9cVmS1mB0qkq8G --project my-app --json
            """)

    @OptionGroup var account: AccountArgument
    @OptionGroup var file: ConfigurationFile
    @Option(help: ArgumentHelp("The project; required if there are several.", valueName: "id")) var project: String?
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        try await running {
            try await UsersCommand.open(file, project: project) { context in
                let profile = try await account.profile(in: context)
                print(json ? profile.json.text : profile.details)
            }
        }
    }
}
