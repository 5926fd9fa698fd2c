import Accounts
import ArgumentParser
import Base
import Configuration
import Foundation
import Server

/// `onward users invite`, which invites people to a project, or withdraws an invitation.
struct UsersInvite: AccountsCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Invites people by mail: each chooses a password by a link, and needs no sign-up.",
        discussion: """
            Makes an account with the address, unless it has one that no one has entered, and mails a link that works for the project's \
            lifetimes.invitation. An account that someone has entered, or can, is left as it is; its address gets a mail that says so. \
            An invitation can be sent again; the former link works until its own time.

            A file has an address on each line, or is CSV whose first row names its columns: email, name, continue, language. Rows that \
            cannot be invited are written to FILE.refused.jsonl with their line and the reason, without effect on others; then the exit \
            status is 1. The server sends the mails, and may be running.

            EXAMPLES
              onward users invite ada@example.com --name Ada --language de
              onward users invite --file people.csv --continue https://app.example/
              onward users invite ada@example.com --withdraw
            """)

    @Argument(help: ArgumentHelp("The address of the person.", valueName: "address")) var address: String?
    @OptionGroup var accounts: ProjectAccounts
    @Option(help: ArgumentHelp("The person's name.", valueName: "name")) var name: String?
    @Option(
        name: .customLong("continue"),
        help: ArgumentHelp("The page that follows; its host must be an authorised domain.", valueName: "URL"))
    var continueURL: String?
    @Option(help: ArgumentHelp("The language of the mail; by default that of the account, or of the project.", valueName: "tag"))
    var language: String?
    @Option(name: .customLong("file"), help: ArgumentHelp("A file of people, in place of an address.", valueName: "path")) var path: String?
    @Option(help: ArgumentHelp("The report of refused rows. (default: the name of the file with .refused.jsonl)", valueName: "path"))
    var report: String?
    @Flag(help: "End the invitation, and delete the account if it was made for it and no one has entered it.") var withdraw = false
    @Flag(help: "Print each result as a JSON object on a line of its own.") var json = false

    /// The most accounts of a file that the audit names.
    private static let maxRecorded = 1000

    func validate() throws {
        guard (address == nil) != (path == nil) else { throw ValidationError("Expected an address or --file.") }
        guard path == nil || !withdraw else { throw ValidationError("Expected an address with --withdraw.") }
        guard path == nil || name == nil else { throw ValidationError("Expected the names in the file.") }
    }

    func run(in context: ProjectAccounts.Context) async throws {
        if let report, FileManager.default.fileExists(atPath: report) { throw Failure("the file \(report) already exists") }
        if let path { return try await invite(try InvitationFile(path), in: context, refusing: report ?? path + ".refused.jsonl") }
        let person = InvitedPerson(email: address ?? "", name: name, continueURL: continueURL, language: language)
        guard withdraw else {
            let invited = try await context.store.recording(
                "users invite", in: context.project, subjects: { [$0.id.rawValue] }
            ) { try await person.invite(in: context) }
            return print(line(of: invited, person.email, in: context))
        }
        let email = try EmailAddress(argument: person.email)
        let (account, isDeleted) = try await context.store.recording(
            "users invite --withdraw", in: context.project, subjects: { [$0.account.rawValue] }
        ) { try await context.accounts.withdrawInvitation(of: email, in: context.settings) }
        print(
            json
                ? JSON.object([
                    "project": .string(context.project.rawValue), "localId": .string(account.rawValue), "deleted": .bool(isDeleted),
                ]).text : "Withdrew the invitation of \(account)\(isDeleted ? ", and deleted the account" : "; the account stays").")
    }

    /// A refused row, which is one line of the report.
    private struct RefusedRow: Encodable {
        let line: Int
        let email, message: String
    }

    private func invite(_ file: InvitationFile, in context: ProjectAccounts.Context, refusing report: String) async throws {
        var refusals = try RefusedReport(report)
        var (invited, refused, seen) = (0, 0, Set<String>())
        _ = try await context.store.recording("users invite", in: context.project, subjects: { $0 }) {
            var ids: [String] = []
            for (number, row) in file.people where !seen.contains(row.email.lowercased()) {
                var person = row
                person.continueURL = row.continueURL ?? continueURL
                person.language = row.language ?? language
                do {
                    let account = try await person.invite(in: context)
                    print(line(of: account, person.email, in: context))
                    invited += 1
                    seen.insert(row.email.lowercased())
                    if ids.count < Self.maxRecorded { ids.append(account.id.rawValue) }
                } catch let error where error is Failure || (error as? ActionError)?.refusal != nil {
                    refused += 1
                    try refusals.add(RefusedRow(line: number, email: person.email, message: explanation(of: error)))
                }
            }
            return ids
        }
        try refusals.close()
        guard refused > 0 else { return }
        if !json { print("\(refused) of \(invited + refused) were refused, see \(report)") }
        throw ExitCode.failure
    }

    private func line(of invited: InvitedAccount, _ email: String, in context: ProjectAccounts.Context) -> String {
        guard !json else {
            return JSON.object([
                "project": .string(context.project.rawValue), "localId": .string(invited.id.rawValue), "email": .string(email),
                "invited": .bool(invited.link != nil), "mailed": .bool(invited.isMailed),
            ]).text
        }
        let result =
            invited.link == nil
            ? "\(email) has an account already, \(invited.id), which is left as it is." : "Invited \(email), account \(invited.id)."
        return result + (invited.isMailed ? "" : " No mail is sent: the address is suppressed, see `onward mail suppressed`.")
    }
}
