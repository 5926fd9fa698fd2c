import Accounts
import ArgumentParser
import Base
import Configuration
import Foundation
import Server
import Store

/// `onward events`, which shows the events that no endpoint has taken, and sends or drops them.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Lists the events that no back end has taken, and retries or drops them.",
        discussion: """
            Events tell back ends of changes of accounts (the key events). One is sent again for three days, and is parked then; an \
            answer 410 parks it at once. Parked events are kept until 30 days after the change, and hold back no others. The server may be running.

            EXAMPLES
              onward events list --parked
              onward events retry q83vEjRWeJCrze8SNFZ4kA
              onward events retry --all-parked
            """,
        subcommands: [List.self, Retry.self, Drop.self])

    struct List: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints events, oldest first.", discussion: "The first of an account holds back those after it.")
        @Flag(help: "Only events that are parked.") var parked = false
        @Flag(help: "Only events that wait.") var waiting = false
        @OptionGroup var scope: ProjectScope
        @Option(help: ArgumentHelp("The most events.", valueName: "count")) var limit = 100
        @Flag(help: "Print JSON lines, with the whole event.") var json = false
        @OptionGroup var file: ConfigurationFile

        func validate() throws {
            if parked, waiting { throw ValidationError("Name one of --parked and --waiting, or none for both.") }
        }

        func run(in store: Store, _ configuration: Configuration) async throws {
            let found = try await store.events(parked: parked ? true : waiting ? false : nil, in: scope.named, limit: max(1, limit))
            if found.isEmpty && !json { print("No event waits or is parked.") }
            for delivery in found {
                let isConfigured = configuration.events.contains { $0.endpoint.url == delivery.endpoint }
                print(json ? delivery.json.text : delivery.line(isConfigured: isConfigured))
            }
        }
    }

    struct Retry: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends events again, with the same ids.",
            discussion: "Later events of its account may have been delivered before a parked one.")
        @OptionGroup var choice: EventChoice
        @OptionGroup var file: ConfigurationFile

        func run(in store: Store, _: Configuration) async throws {
            let now = try await store.wallClock()
            let count = try await store.recording("events retry", in: choice.scope.named) {
                let count = try await store.retryEvents(id: choice.id, in: choice.scope.named, at: now())
                try choice.require(count)
                return count
            }
            print("Sends \(count) again.")
        }
    }

    struct Drop: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes events, so that they are not sent.",
            discussion: "An event that a server sends at this moment still arrives.")
        @OptionGroup var choice: EventChoice
        @OptionGroup var file: ConfigurationFile

        func run(in store: Store, _: Configuration) async throws {
            let now = try await store.wallClock()
            let count = try await store.recording("events drop", in: choice.scope.named) {
                let count = try await store.dropEvents(id: choice.id, in: choice.scope.named, at: now())
                try choice.require(count)
                return count
            }
            print("Dropped \(count).")
        }
    }
}

/// The events that a command changes.
struct EventChoice: ParsableArguments {
    @Argument(help: "The id, as `list` prints it.") var id: String?
    @Flag(help: "All parked events.") var allParked = false
    @OptionGroup var scope: ProjectScope

    func validate() throws {
        guard (id == nil) == allParked else { throw ValidationError("Name an event, or --all-parked.") }
    }

    func require(_ count: Int) throws(Failure) {
        guard count > 0 else { throw Failure(id.map { "no event has the id \($0)" } ?? "no event is parked") }
    }
}

extension EventDelivery {
    /// The event as a line for people, without addresses.
    fileprivate func line(isConfigured: Bool) -> String {
        let state = parkedAt.map { "parked at \($0.iso8601)" } ?? "due at \(dueAt.iso8601)"
        let account = event.account.map { "  \($0)" } ?? ""
        let failures = cause.map { ", failed \(attempts) times: \($0)" } ?? ""
        let lost = isConfigured ? "" : ", which is not among events of the configuration"
        return
            "\(event.at.iso8601)  \(event.id)  \(event.kind.rawValue)  \(event.project)\(account)\n    \(state)\(failures)\n    \(shownEndpoint)\(lost)"
    }
}
