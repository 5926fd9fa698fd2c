import Accounts
import ArgumentParser
import EmailActions
import Foundation

/// `onward users import`.
struct UsersImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Takes in the users of a file of `firebase auth:export`.",
        discussion: """
            Reads JSON, or CSV where the file is called .csv. Passwords stay as they are: each is hashed anew when its owner signs in for the \
            first time. Users who cannot be taken in are told, with the reason, in FILE.refused.jsonl, and stop no other; then the exit \
            status is 1.

            It can be stopped at any moment and started again: who is here already is skipped, and keeps what they changed since. With \
            --overwrite they become what the file says: their sessions end, their mailed links work no more, and a password that they \
            changed here is the old one again.

            EXAMPLES
              onward users import accounts.json --hash-config hash_config.txt
              onward users import accounts.json --hash-algo SCRYPT --hash-key-file key.txt --salt-separator Bw== --rounds 8 --mem-cost 14
              onward users import accounts.csv --hash-algo BCRYPT --dry-run
            """)

    enum Existing: EnumerableFlag { case skipExisting, overwrite }

    @Argument(help: ArgumentHelp("The file.", valueName: "file")) var path: String
    @OptionGroup var file: ConfigurationFile
    @Option(help: ArgumentHelp("Into this project; needed where there are several.", valueName: "id")) var project: String?
    @Flag(help: "What becomes of users who are here already.") var existing = Existing.skipExisting
    @Flag(help: "Says what would happen, and changes nothing.") var dryRun = false
    @Option(help: ArgumentHelp("Where to say who was refused. (default: the file's name and .refused.jsonl)", valueName: "path"))
    var report: String?
    @OptionGroup(title: "HOW THE PASSWORDS WERE HASHED") var hashes: HashOptions

    func run() async throws {
        let refused = try await running { try await importUsers() }
        guard refused == 0 else { throw ExitCode.failure }
    }

    /// - Returns: how many were refused.
    private func importUsers() async throws -> Int {
        let users = try UserFile(path)
        let scheme = try hashes.scheme(System.environment)
        if let report, FileManager.default.fileExists(atPath: report) { throw Failure("there is a file \(report) already") }
        return try await UsersCommand.open(file, project: project) { premises in
            guard dryRun else {
                return try await premises.store.recording("users import", in: premises.project) {
                    try await importUsers(users, scheme, to: premises, rehearsal: nil)
                }
            }
            let folder = FileManager.default.temporaryDirectory.appending(path: "onward-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            defer { discard(folder) }
            return try await UsersCommand.withStore(at: folder.appending(path: "rehearsal.sqlite").path(percentEncoded: false)) { store in
                try await importUsers(
                    users, scheme, to: premises,
                    rehearsal: UserImport(store: store, passwords: premises.passwords, now: System.now))
            }
        }
    }

    private func importUsers(
        _ users: UserFile, _ scheme: HashScheme?, to premises: UsersCommand.Premises, rehearsal: UserImport?
    ) async throws -> Int {
        let importing = Importing(
            imports: UserImport(store: premises.store, passwords: premises.passwords, now: System.now), project: premises.project,
            scheme: scheme, existing: existing == .overwrite ? .overwrite : .skip, rehearsal: rehearsal, now: System.now,
            random: System.random)
        var refusals = try RefusedReport(report ?? path + ".refused.jsonl")
        var progress = ProgressLine()
        defer { progress.finish() }
        let tally = try await importing.run(users) { refused in
            try refusals.add(refused)
        } progress: { tally in
            progress.show(tally.users, refused: tally.refused, share: Double(tally.bytes) / Double(max(1, users.bytes)))
        }
        try refusals.close()
        progress.finish()
        print(Self.summary(of: tally, in: premises.project, report: refusals.path, isDryRun: dryRun))
        return tally.refused
    }

    static func summary(of tally: Importing.AtomicCounter, in project: ProjectID, report: String, isDryRun: Bool) -> String {
        let title = isDryRun ? "Nothing was changed. In project \(project) there would be:" : "Project \(project):"
        let counts = [
            (tally.added, "added"), (tally.overwritten, "overwritten"), (tally.skipped, "skipped, because they are here already"),
            (tally.refused, "refused, as told in \(report)"),
        ]
        return ([title] + counts.filter { $0.0 > 0 || $0.1 == "added" }.map { "  \($0.0) \($0.1)" }).joined(separator: "\n")
    }

    private func discard(_ folder: URL) {
        do { try FileManager.default.removeItem(at: folder) } catch {
            FileHandle.standardError.write(Data("\(folder.path(percentEncoded: false)) stays: \(error.localizedDescription)\n".utf8))
        }
    }
}
