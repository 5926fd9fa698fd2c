import Accounts
import ArgumentParser
import Base
import Configuration
import Foundation
import Server
import Store

/// `onward audit`, which prints the audit of admin operations.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Prints admin operations as JSON lines, oldest first.",
        discussion: """
            Each API call of an admin, including reads, and each command that changes or exports data is one line with all of these keys, \
            in this order:

              at        The start of the operation in UTC.
              actor     key:<id> <label> for an admin key, owner through adminListen,
                        cli:<user> on the command line.
              method    The API method, such as update, or the command.
              project   The id of the project, or null.
              subjects  The ids of the affected accounts (or of the admin key),
                        never e-mail addresses.
              peer      The IP address of the client, or null.
              request   The request id of the log, or null.
              outcome   done; an error code, such as EMAIL_EXISTS; UNAVAILABLE if a
                        dependency failed; or unknown if the process ended during the
                        operation or it is still running.

            The server may be running, and the secret is not needed. The key auditRetention of the configuration sets how long lines are \
            kept.

            EXAMPLES
              onward audit --since 7d --actor key:k7mq2xwd
              onward audit --since 2026-11-01 --project my-app | \\
                jq -r 'select(.outcome != "done")'
              onward audit --since 1h --follow
            """)

    @Option(
        help: ArgumentHelp("Only operations since a day or time in UTC, or within a duration such as 7d.", valueName: "time"),
        transform: Self.moment)
    var since: Timestamp?
    @Option(help: ArgumentHelp("Only operations on this project.", valueName: "id")) var project: String?
    @Option(help: ArgumentHelp("Only operations of actors that contain this text.", valueName: "text")) var actor: String?
    @Flag(help: "Keep printing new operations, each when its outcome is known or after a minute.") var follow = false
    @OptionGroup var file: ConfigurationFile

    /// The number of records read at a time.
    private static let pageSize = 200

    func run() async throws {
        try await running {
            let configuration = try file.readWithoutSecrets()
            var position = 0
            while true {
                // Opened for each page: a server that starts waits until no other process has the
                // database open.
                let records = try await configuration.database.withStore(onlyReading: true) { [position] store in
                    try await store.audit(after: position, since: since, in: project.map { ProjectID(rawValue: $0) }, limit: Self.pageSize)
                }
                let ready = follow ? records.prefix { Self.isFinal($0.record, at: System.now()) } : records[...]
                print(ready.map(\.record))
                position = ready.last?.position ?? position
                guard ready.count < Self.pageSize else { continue }
                guard follow else { return }
                try await Task.sleep(for: .milliseconds(250))
            }
        }
    }

    private func print(_ records: [AuditRecord]) {
        let chosen = records.filter { record in actor.map { record.actor.contains($0) } ?? true }
        FileHandle.standardOutput.write(Data(chosen.map { "\(AuditLine($0).text)\n" }.joined().utf8))
    }

    /// Whether a followed record can be printed: its outcome is known, or it is a minute old and
    /// printed as `unknown`.
    static func isFinal(_ record: AuditRecord, at now: Timestamp) -> Bool { record.outcome != nil || now - record.at >= .seconds(60) }

    static func moment(_ text: String) throws -> Timestamp { try moment(text, now: System.now()) }

    static func moment(_ text: String, now: Timestamp) throws -> Timestamp {
        if let span = Duration(configured: text) { return now + (.zero - span) }
        let day = Date.ISO8601FormatStyle().year().month().day()
        // The format of a day also accepts the beginning of a longer text.
        guard let date = text.utf8.count == 10 ? try? Date(text, strategy: day) : try? Date(text, strategy: .iso8601) else {
            throw ValidationError("Expected a day such as 2026-11-01, a time such as 2026-11-01T08:00:00Z, or a duration such as 7d.")
        }
        return Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000))
    }
}
