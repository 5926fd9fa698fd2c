import Accounts
import ArgumentParser
internal import Base
import Configuration
import Foundation
import Server

/// `onward users import`, which adds the accounts of a file to a project.
struct UsersImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports the users of a file of `firebase auth:export`.",
        discussion: """
            Reads JSON (as exported, a list of users, or a user on each line), or CSV if the name of the file ends in .csv. Password \
            hashes are kept; each password is hashed with the current algorithm when its user first signs in. Users that cannot be \
            imported are written to FILE.refused.jsonl with the reason, without effect on others; then the exit status is 1.

            `firebase auth:export` leaves out second factors, and every provider but Google, Facebook, Twitter and GitHub. \
            Docs/Migration.md has a program that exports all.

            The import can be stopped and repeated: existing users are skipped and keep their changes. With --overwrite they are \
            replaced by those of the file: their sessions and links end, and a password changed here is replaced by the one of the file.

            EXAMPLES
              onward users import accounts.json --hash-config hash_config.txt
              onward users import accounts.json --hash-algo SCRYPT --hash-key-file key.txt \\
                --salt-separator Bw== --rounds 8 --mem-cost 14
              onward users import accounts.csv --hash-algo BCRYPT --dry-run
            """)

    enum ExistingUsers: EnumerableFlag { case skipExisting, overwrite }

    @Argument(help: ArgumentHelp("The file.", valueName: "file")) var path: String
    @OptionGroup var accounts: ProjectAccounts
    @Flag(help: "How users that already exist are treated.") var existing = ExistingUsers.skipExisting
    @Flag(help: "Print the result without changing anything.") var dryRun = false
    @Option(help: ArgumentHelp("The report of refused users. (default: the name of the file with .refused.jsonl)", valueName: "path"))
    var report: String?
    @OptionGroup(title: "PASSWORD HASHES") var hashes: HashOptions

    func run() async throws {
        let refused = try await running { try await importUsers() }
        guard refused == 0 else { throw ExitCode.failure }
    }

    /// Imports the users.
    /// - Returns: the number of refused users.
    private func importUsers() async throws -> Int {
        let users = try UserFile(path)
        let scheme = try hashes.scheme(System.environment)
        if let report, FileManager.default.fileExists(atPath: report) { throw Failure("the file \(report) already exists") }
        guard dryRun else {
            return try await accounts.open(creating: true) { context in
                try await context.store.recording("users import", in: context.project) {
                    try await importUsers(users, scheme, to: context, rehearsal: nil)
                }
            }
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "onward-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { discard(folder) }
        func temporary(_ name: String) -> DatabaseSetting { .sqlite(path: folder.appending(path: name).path(percentEncoded: false)) }
        return try await accounts.open(creating: true, insteadOfEmpty: temporary("empty.sqlite")) { context in
            try await temporary("rehearsal.sqlite").withStore(creating: true) { store in
                try await importUsers(
                    users, scheme, to: context,
                    rehearsal: UserImport(store: store, passwords: context.passwords, now: context.clock.now, random: System.random))
            }
        }
    }

    private func importUsers(
        _ users: UserFile, _ scheme: HashScheme?, to context: ProjectAccounts.Context, rehearsal: UserImport?
    ) async throws -> Int {
        let importer = UserImporter(
            imports: UserImport(store: context.store, passwords: context.passwords, now: context.clock.now, random: System.random),
            project: context.project,
            scheme: scheme, existing: existing == .overwrite ? .overwrite : .skip, rehearsal: rehearsal, now: context.clock.now,
            random: System.random)
        var refusals = try RefusedReport(report ?? path + ".refused.jsonl")
        var progress = ProgressLine()
        defer { progress.finish() }
        let counts = try await importer.run(users) { refused in
            try refusals.add(refused)
        } progress: { counts in
            progress.show(counts.users, refused: counts.refused, share: Double(counts.bytes) / Double(max(1, users.bytes)))
        }
        try refusals.close()
        progress.finish()
        print(Self.summary(of: counts, in: context.project, report: refusals.path, isDryRun: dryRun))
        return counts.refused
    }

    static func summary(of counts: UserImporter.ImportCounts, in project: ProjectID, report: String, isDryRun: Bool) -> String {
        let title = isDryRun ? "Nothing was changed. In project \(project) there would be:" : "Project \(project):"
        let lines = [
            (counts.added, "added"), (counts.overwritten, "overwritten"), (counts.skipped, "skipped, because they already exist"),
            (counts.withoutPhone, "of these without a phone number, which could not be read, see \(report)"),
            (counts.refused, "refused, see \(report)"),
        ]
        return ([title] + lines.filter { $0.0 > 0 || $0.1 == "added" }.map { "  \($0.0) \($0.1)" }).joined(separator: "\n")
    }

    private func discard(_ folder: URL) {
        do { try FileManager.default.removeItem(at: folder) } catch {
            FileHandle.standardError.write(
                Data("\(folder.path(percentEncoded: false)) could not be removed: \(error.localizedDescription)\n".utf8))
        }
    }
}
