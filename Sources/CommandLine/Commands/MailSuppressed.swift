import Accounts
import ArgumentParser
import Base
import Configuration
import Foundation
import Server
import Store

/// `onward mail suppressed`, which shows and removes suppressions.
struct MailSuppressed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suppressed",
        abstract: "Lists and removes addresses that get no mails, or no notices.",
        discussion: """
            bounce: the mailbox does not exist, so no mail is sent to it for seven days. complaint: the recipient called a mail spam, so \
            no notices are sent; links still are. The addresses themselves are not stored, so a list cannot show them: name the address.
            """,
        subcommands: [List.self, Remove.self])

    struct List: DatabaseCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the suppressions in force, newest first.")
        @Argument(help: "Only of this address.") var address: String?
        @OptionGroup var scope: ProjectScope
        @Option(help: ArgumentHelp("The most suppressions.", valueName: "count")) var limit = 1_000
        @Flag(help: "Print JSON lines.") var json = false
        @OptionGroup var file: ConfigurationFile

        var needsSecret: Bool { address != nil }

        func run(in store: Store, _ configuration: Configuration) async throws {
            let projects = try scope.projects(of: configuration)
            let found: [Suppression]
            if let address {
                let recipient = try EmailAddress(argument: address)
                found = try await store.recording("mail suppressed list", in: scope.named) {
                    try await store.suppressions(of: recipient, in: projects, configuration)
                }
            } else {
                found = try await store.suppressions(in: scope.named, at: System.now(), limit: max(1, limit))
            }
            if found.isEmpty && !json { print("No address is suppressed.") }
            for suppression in found { print(json ? suppression.json.text : suppression.line) }
        }
    }

    struct Remove: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes suppressions, so that mails are sent again.",
            discussion: """
                With --all-bounces those of every address whose mailbox was reported missing, as after a relay that refused everything.
                """)
        @Argument(help: "The address.") var address: String?
        @Flag(help: "All addresses that are suppressed because of a bounce.") var allBounces = false
        @OptionGroup var scope: ProjectScope
        @OptionGroup var file: ConfigurationFile

        func validate() throws {
            guard (address == nil) == allBounces else { throw ValidationError("Name an address, or --all-bounces.") }
        }

        var needsSecret: Bool { true }

        func run(in store: Store, _ configuration: Configuration) async throws {
            let projects = try scope.projects(of: configuration)
            let recipient = try address.map { try EmailAddress(argument: $0) }
            let outbox = try await store.outbox(configuration)
            let count = try await store.recording("mail suppressed remove", in: scope.named) {
                var count = 0
                for project in projects {
                    if let recipient {
                        count += try await store.removeSuppressions(of: outbox.digest(of: recipient, in: project), in: project)
                    } else {
                        count += try await store.removeSuppressions(for: .bounce, in: project)
                    }
                }
                return count
            }
            guard count > 0 else {
                throw Failure(address.map { "\($0) is not suppressed" } ?? "no address is suppressed because of a bounce")
            }
            print("Removed \(count).")
        }
    }
}

/// The projects that a command of `onward mail` is about.
struct ProjectScope: ParsableArguments {
    @Option(help: ArgumentHelp("Only this project; default: all projects.", valueName: "id")) var project: String?

    /// Nil for all.
    var named: ProjectID? { project.map { ProjectID(rawValue: $0) } }

    func projects(of configuration: Configuration) throws -> [ProjectID] {
        let projects = configuration.projects.map(\.id).filter { named == nil || $0 == named }
        guard !projects.isEmpty else { throw Failure("no project has the id \(project ?? "")") }
        return projects
    }
}

extension EmailAddress {
    /// An address that an operator typed.
    init(argument text: String) throws(Failure) {
        guard let address = EmailAddress(text.trimmingCharacters(in: .whitespaces)) else {
            throw Failure("\(text) is not an e-mail address")
        }
        self = address
    }
}

extension Store {
    /// The outbox of the configured secret, which is checked.
    func outbox(_ configuration: Configuration) async throws -> Outbox {
        Outbox(secrets: try await recognize(try configuration.lookedUpSecrets), random: System.random)
    }

    /// The suppressions of an address in several projects.
    func suppressions(of recipient: EmailAddress, in projects: [ProjectID], _ configuration: Configuration) async throws -> [Suppression] {
        let outbox = try await outbox(configuration)
        var found: [Suppression] = []
        for project in projects {
            found += try await suppressions(of: outbox.digest(of: recipient, in: project), in: project, at: System.now())
        }
        return found
    }
}

extension Suppression {
    /// The suppression as a line for people.
    var line: String {
        let effect =
            switch reason {
            case .bounce: "the mailbox does not exist: no mails"
            case .complaint: "the recipient called a mail spam: no notices"
            }
        let end = until.map { "until \($0.iso8601)" } ?? "until it is removed"
        return "\(at.iso8601)  \(reason.rawValue)  \(provider.rawValue)  \(project)\n    \(effect) \(end)"
    }
}
