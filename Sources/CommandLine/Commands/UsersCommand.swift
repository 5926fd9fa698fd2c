import ArgumentParser

/// `onward users`, which shows, changes, merges, imports and exports accounts.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Shows, invites, disables, merges and deletes accounts; imports, exports and erases them.",
        discussion: """
            Import and export use the format of the Firebase CLI, with password hashes, so that users keep their passwords. The server \
            may be running.

            EXAMPLES
              onward users get ada@example.com
              onward users invite grace@example.com
              onward users disable ada@example.com
              firebase auth:export accounts.json
              onward users import accounts.json --hash-config hash_config.txt
              onward users export accounts.json
              onward users erase ada@example.com --project my-app
              onward users merge --into 2f9cVmS1mB0qkq8G --from Xk3nTq0pLw72hYbA --dry-run
            """,
        subcommands: [
            UsersList.self, UsersGet.self, UsersDisable.self, UsersEnable.self, UsersDelete.self, UsersInvite.self, UsersMerge.self,
            UsersUnmerge.self,
            UsersImport.self, UsersExport.self, UsersErase.self,
        ])
}
