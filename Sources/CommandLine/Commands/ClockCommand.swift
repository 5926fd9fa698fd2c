import ArgumentParser
import Base
import Configuration
import Server
import Store

/// `onward clock`, which shows the high-water mark of the clock and accepts the wall clock.
struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Shows the wall clock beside the time that Onward uses, and accepts the wall clock.",
        discussion: """
            Codes, sessions and other stored things expire by a time that never goes back: its high-water mark is stored. If the wall \
            clock is set back, the time goes on from the mark. If it jumps ahead by more than an hour while a server runs, the time \
            follows after ten minutes. Tokens and the log have wall time.

            EXAMPLES
              onward clock
              onward clock accept      The wall clock is right, whatever the mark says.
            """,
        subcommands: [Show.self, Accept.self], defaultSubcommand: Show.self)

    struct Show: DatabaseCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the wall clock, the mark and how they compare.")
        @OptionGroup var file: ConfigurationFile

        func run(in store: Store, _: Configuration) async throws {
            print(ClockCommand.summary(wall: try await store.wallClock()(), mark: try await store.clockMark()))
        }
    }

    struct Accept: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes Onward use the wall clock at once, also if that sets the time back.",
            discussion: """
                Check the wall clock first (`timedatectl`). If the time was ahead of it, then links, sessions and mails with links that \
                were created after the time on the wall clock end, and what expired too early works again. Running servers follow within \
                ten seconds; the command waits for fifteen, and ends what they have written until then. Run it again if it was interrupted. \
                The audit records the command.
                """)
        @OptionGroup var file: ConfigurationFile

        func run(in store: Store, _: Configuration) async throws {
            try await Self.accept(try await store.wallClock(), in: store) { try await Task.sleep(for: .seconds(15)) }
        }

        /// - Parameter waitForServers: waits until each running server has followed.
        static func accept(_ wall: Now, in store: Store, waitForServers: () async throws -> Void) async throws {
            let moment = wall()
            try await store.recording("clock accept") {
                try await store.acceptClock(at: moment)
                print("Accepted \(moment.iso8601). Running servers follow within ten seconds; waiting for fifteen.")
                try await waitForServers()
                try await store.endWhatWasWrittenAhead(at: wall())
            }
            print("What they wrote until then with a time that was ahead has ended.")
        }
    }

    static func summary(wall: Timestamp, mark: ClockMark?) -> String {
        let times = "wall  \(wall.iso8601)\nmark  \(mark?.time.iso8601 ?? "none")\n"
        guard let mark else { return times + "state no server has run with this database yet" }
        let state =
            switch wall - mark.time {
            case ..<(.zero - ClockReading.tolerance):
                """
                the wall clock is behind the mark, so the time goes on from the mark; set the wall clock, or run `onward clock accept` \
                if it is right
                """
            case ...HighWaterClock.maxStep: "the wall clock is used"
            default:
                """
                the wall clock is far ahead of the mark; that is usual if no server ran since then; while one runs, it follows after \
                ten minutes, or after `onward clock accept`
                """
            }
        return times + "state \(state)"
    }
}

extension Store {
    /// The wall clock that servers go by, for commands that write: the database's own clock, if it
    /// has one (N8).
    func wallClock() async throws -> Now { try await DatabaseClock(of: self)?.now ?? System.now }
}
