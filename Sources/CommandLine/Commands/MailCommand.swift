public import Accounts
public import ArgumentParser
import Base
import Configuration
import Foundation
import Server
import Store

extension MailID: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

/// `onward mail`, which answers what became of a mail, and changes the queue.
struct MailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail",
        abstract: "Sends a test mail, previews mails, shows what became of mails and why none is sent, and retries or drops them.",
        discussion: """
            `trace` answers "I never got the mail": every mail to an address with its time, state, relay, the relay's answer, and whether \
            its code was used; and whether the address is suppressed, why and until when. Opening a link is not recorded. No output contains a link, a code or an address.

            The state is waiting; sent (a relay took it); parked (refused for good, or not taken within two days); expired (its link ended \
            before a relay took it); or dropped. Records are kept for 30 days (mail.keepFor). The server may be running.

            EXAMPLES
              onward mail test --to you@example.com
              onward mail preview --action resetPassword --lang ar
              onward mail trace ada@example.com --project my-app
              onward mail queue
              onward mail retry 6a8f3c0de9b41d27
            """,
        subcommands: [
            MailTest.self, MailPreview.self, Trace.self, Queue.self, Show.self, Retry.self, Drop.self, MailSuppressed.self,
        ])

    struct Trace: DatabaseCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the mails to an address, newest first.")
        @Argument(help: "The address that the mails were sent to.") var address: String
        @OptionGroup var scope: ProjectScope
        @Flag(help: "Print JSON lines.") var json = false
        @OptionGroup var file: ConfigurationFile

        var needsSecret: Bool { true }

        func run(in store: Store, _ configuration: Configuration) async throws {
            let recipient = try EmailAddress(argument: address)
            let projects = try scope.projects(of: configuration)
            let outbox = try await store.outbox(configuration)
            var (found, suppressions) = try await store.recording("mail trace", in: scope.named) {
                var found: [MailRecord] = []
                for id in projects {
                    let digest = outbox.digest(of: recipient, in: id)
                    found += try await store.mailRecords(to: digest, in: id, before: nil, limit: 1_000, at: System.now())
                }
                return (found, try await store.suppressions(of: recipient, in: projects, configuration))
            }
            found.sort { $0.createdAt > $1.createdAt }
            for suppression in suppressions {
                print(json ? JSON.object(["suppression": suppression.json]).text : "SUPPRESSED  \(suppression.line)")
            }
            MailCommand.show(found, asJSON: json, ifNone: "No mail to this address is on record.")
        }
    }

    struct Queue: DatabaseCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the mails that wait, oldest first, and those that are parked.")
        @Option(help: ArgumentHelp("The most mails of each.", valueName: "count")) var limit = 100
        @Flag(help: "Print JSON lines.") var json = false
        @OptionGroup var file: ConfigurationFile

        func run(in store: Store, _: Configuration) async throws {
            MailCommand.show(
                try await store.mailQueue(limit: max(1, limit), at: System.now()), asJSON: json, ifNone: "No mail waits or is parked.")
        }
    }

    struct Show: DatabaseCommand {
        static let configuration = CommandConfiguration(abstract: "Prints one mail.")
        @Argument(help: "The id, as `trace` and `queue` print it; the Message-ID up to the @.") var id: MailID
        @Flag(help: "Print JSON lines.") var json = false
        @OptionGroup var file: ConfigurationFile

        func run(in store: Store, _: Configuration) async throws {
            guard let mail = try await store.mailRecord(id, at: System.now()) else { throw Failure("no mail has the id \(id)") }
            MailCommand.show([mail], asJSON: json, ifNone: "")
        }
    }

    struct Retry: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a parked mail wait again, or a waiting one due now.",
            discussion: "A mail that a server hands to the relay at this moment may be sent twice.")
        @Argument(help: "The id, as `trace` and `queue` print it.") var id: MailID
        @OptionGroup var file: ConfigurationFile

        func run(in store: Store, _: Configuration) async throws {
            try await store.recording("mail retry") {
                guard try await store.retryMail(id) else { throw Failure("no mail that waits or is parked has the id \(id)") }
            }
            print("\(id) is sent next.")
        }
    }

    struct Drop: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a mail that waits or is parked, so that it is not sent.",
            discussion: "A mail that a server hands to the relay at this moment still arrives, and its record says dropped.")
        @Argument(help: "The id, as `trace` and `queue` print it.") var id: MailID
        @OptionGroup var file: ConfigurationFile

        func run(in store: Store, _: Configuration) async throws {
            let now = try await store.wallClock()
            try await store.recording("mail drop") {
                guard try await store.dropMail(id, at: now()) else {
                    throw Failure("no mail that waits or is parked has the id \(id)")
                }
            }
            print("Dropped \(id).")
        }
    }

    private static func show(_ mails: [MailRecord], asJSON: Bool, ifNone sentence: String) {
        guard !mails.isEmpty || asJSON else { return print(sentence) }
        for mail in mails { print(asJSON ? mail.json.text : mail.line) }
    }
}
