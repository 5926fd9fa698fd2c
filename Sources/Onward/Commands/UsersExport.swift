import Accounts
import ArgumentParser
import Foundation

/// `onward users export`.
struct UsersExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the users of a project into a file that `firebase auth:import` takes.",
        discussion: """
            With the hashes of their passwords, so that they can go on signing in. Firebase's tool is told once for a file how passwords \
            were hashed, so each kind has a file of its own: FILE, FILE-2 and so on; the command that takes each in is printed. Nobody \
            but you can read the files; whoever can may guess at the passwords, so delete them when they have served.

            Firebase's tool takes the providers Google, Facebook, Twitter and GitHub, and no second factors. With --complete the rest is written, too, \
            for `onward users import` on another machine, which takes the same options.

            EXAMPLES
              onward users export accounts.json
              onward users export accounts.json --project my-app --complete
            """)

    @Argument(help: ArgumentHelp("The file; it must not be there yet.", valueName: "file")) var path: String
    @OptionGroup var file: ConfigurationFile
    @Option(help: ArgumentHelp("Of this project; needed where there are several.", valueName: "id")) var project: String?
    @Flag(help: "Also what only another Onward takes.") var complete = false

    func run() async throws {
        let isWhole = try await running { try await exportUsers() }
        guard isWhole else { throw ExitCode.failure }
    }

    /// - Returns: whether every password could be read.
    private func exportUsers() async throws -> Bool {
        try await UsersCommand.open(file, project: project) { premises in
            let exporting = Exporting(
                store: premises.store, passwords: premises.passwords, project: premises.project, isComplete: complete)
            var progress = ProgressLine()
            defer { progress.finish() }
            // It changes nothing, but takes every hash away.
            let (files, tally) = try await premises.store.recording("users export", in: premises.project) {
                try await exporting.run(to: path) { progress.show($0) }
            }
            progress.finish()
            print(Self.summary(of: files, tally))
            return tally.unreadablePasswords == 0
        }
    }

    static func summary(of files: [ExportedFile], _ tally: Exporting.AtomicCounter) -> String {
        var lines = files.flatMap { file in
            let kind = file.scheme?.fields.hashAlgorithm.map { ", \(file.passwords) with passwords hashed by \($0)" } ?? ""
            return ["\(file.path): \(file.users) users\(kind)", "  \(file.command)"]
        }
        for (provider, count) in tally.omittedLinks.sorted(by: { $0.key < $1.key }) {
            lines.append(
                "\(count) links to \(provider) were left out: firebase auth:import refuses a file with one. --complete keeps them.")
        }
        if tally.omittedFactors > 0 {
            lines.append("\(tally.omittedFactors) second factors were left out: firebase auth:import refuses a file with one.")
        }
        if tally.unreadablePasswords > 0 {
            lines.append(
                "\(tally.unreadablePasswords) passwords were left out: they were kept with another secret than this configuration's.")
        }
        return lines.joined(separator: "\n")
    }
}
