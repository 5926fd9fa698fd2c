import Accounts
import ArgumentParser
import Foundation
import Server

/// `onward users export`, which writes the accounts of a project into files.
struct UsersExport: AccountsCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Exports the users of a project into a file for `firebase auth:import`.",
        discussion: """
            The export contains password hashes, so that users keep their passwords. The Firebase CLI accepts one hash algorithm per file, \
            so each has a file of its own: FILE, FILE-2 and so on. The command to import each file is printed. Only you can read the \
            files. Delete them after the import, since the hashes allow guessing passwords.

            The Firebase CLI accepts the providers Google, Facebook, Twitter and GitHub, and no second factors. With --complete \
            everything is exported, for `onward users import`, which has the same options.

            EXAMPLES
              onward users export accounts.json
              onward users export accounts.json --project my-app --complete
            """)

    @Argument(help: ArgumentHelp("The new file; it must not exist.", valueName: "file")) var path: String
    @OptionGroup var accounts: ProjectAccounts
    @Flag(help: "Include what only Onward can import.") var complete = false

    func run(in context: ProjectAccounts.Context) async throws {
        let exporter = UserExporter(store: context.store, passwords: context.passwords, project: context.project, isComplete: complete)
        var progress = ProgressLine()
        defer { progress.finish() }
        // An export of all hashes is audited although it changes nothing.
        let (files, counts) = try await context.store.recording("users export", in: context.project) {
            try await exporter.run(to: path) { progress.show($0) }
        }
        progress.finish()
        print(Self.summary(of: files, counts, isComplete: complete))
        guard counts.unreadablePasswords == 0 else { throw ExitCode.failure }
    }

    static func summary(of files: [ExportedFile], _ counts: UserExporter.ExportCounts, isComplete: Bool) -> String {
        var lines = files.flatMap { file in
            let kind = file.scheme?.parameters.hashAlgorithm.map { ", \(file.passwords) with passwords hashed by \($0)" } ?? ""
            return ["\(file.path): \(file.users) users\(kind)", "  \(file.command(isComplete: isComplete))"]
        }
        for (provider, count) in counts.omittedLinks.sorted(by: { $0.key < $1.key }) {
            lines.append(
                "\(count) links to \(provider) were omitted, because firebase auth:import refuses a file with one. --complete includes them."
            )
        }
        if counts.omittedFactors > 0 {
            lines.append("\(counts.omittedFactors) second factors were omitted, because firebase auth:import refuses a file with one.")
        }
        if counts.unreadablePasswords > 0 {
            lines.append(
                """
                \(counts.unreadablePasswords) passwords were omitted, because they are damaged, or because the key of their hash is from \
                before the secret was replaced. Restore a backup, or let these users reset their passwords.
                """
            )
        }
        return lines.joined(separator: "\n")
    }
}
