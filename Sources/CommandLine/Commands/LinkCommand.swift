import Accounts
import ArgumentParser
import Base
import Configuration
import Foundation
import Server

/// `onward link`, which creates action links for a person who gets no mail.
struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Creates a link to reset a password, verify an address or sign in.",
        discussion: """
            EXAMPLE
              onward link create resetPassword ada@example.com
            """,
        subcommands: [Create.self])

    struct Create: AccountsCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a link and prints it, alone on standard output. No mail is sent.",
            discussion: """
                The link acts for the person: hand it over in a way that nobody else can read, after you know who is asking. It is recorded \
                in the audit without its code.

                EXAMPLES
                  onward link create resetPassword ada@example.com
                  onward link create signIn ada@example.com \\
                    --continue-url https://app.example.com/welcome
                """)

        @Argument(help: "resetPassword, verifyEmail or signIn.") var action: LinkPurpose
        @Argument(help: ArgumentHelp("The address of the account.", valueName: "address")) var address: String
        @Option(help: ArgumentHelp("Where the user goes on; required for signIn.", valueName: "url")) var continueURL: String?
        @OptionGroup var accounts: ProjectAccounts
        @Flag(help: "Print the link and its end as a JSON object.") var json = false

        func run(in context: ProjectAccounts.Context) async throws {
            let issued = try await issue(in: context)
            let end = issued.expiresAt.iso8601
            guard !json else { return print(JSON.object(["link": .string(issued.link), "expiresAt": .string(end)]).text) }
            FileHandle.standardError.write(Data("It works once, until \(end):\n".utf8))
            print(issued.link)
        }

        func issue(in context: ProjectAccounts.Context) async throws -> IssuedCode {
            guard context.settings.upstream == nil else {
                throw Failure("the links of project \(context.project) are created by its authority, not here")
            }
            guard action != .signIn || continueURL != nil else {
                throw Failure("a link to sign in needs --continue-url, the page of the app that signs the user in")
            }
            let email = try EmailAddress(argument: address)
            var request = CodeRequest(action.action, for: .address(email), with: try approved(in: context.settings))
            (request.mails, request.isByAdmin) = (false, true)
            let settled = request
            do {
                let issued = try await context.store.recording("link create", in: context.project) {
                    try await context.accounts.send(settled)
                }
                if let issued { return issued }
            } catch let error as ActionError {
                if error.refusal == .userDisabled { throw Failure("the account \(address) is disabled; see onward users enable") }
                guard error.refusal == .emailNotFound || error.refusal == .userNotFound else { throw error }
            }
            throw Failure("project \(context.project) has no account \(address)")
        }

        private func approved(in project: Project) throws(ActionError) -> ApprovedSettings {
            var settings = ActionCodeSettings()
            settings.url = continueURL
            settings.handleCodeInApp = action == .signIn
            return try ApprovedSettings(settings, in: project)
        }
    }

    enum LinkPurpose: String, CaseIterable, ExpressibleByArgument {
        case resetPassword, verifyEmail, signIn

        var action: Action {
            switch self {
            case .resetPassword: .resetPassword
            case .verifyEmail: .verifyEmail
            case .signIn: .signIn
            }
        }
    }
}
