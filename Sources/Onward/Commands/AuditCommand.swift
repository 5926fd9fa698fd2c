import Accounts
import ArgumentParser
import Foundation
import Store

/// `onward audit`: what admins did.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Prints what admins did, as JSON lines, oldest first.",
        discussion: """
            Each call of the API by an admin, reading ones too, and each command that changes something is a line with these keys, always \
            all of them, in this order:

              at        When it began, in UTC.
              actor     key:<id> <label>, an admin key; owner, through adminListen; cli:<user>, at the command line.
              method    The API's method, such as update, or the command, such as admin-key create.
              project   Its id, or null.
              subjects  The ids of the accounts (or of the admin key) that it was about; addresses are never kept.
              peer      From which address, or null.
              request   The id that the log has for the request, or null.
              outcome   done; the code of the refusal, such as EMAIL_EXISTS; UNAVAILABLE, when something was down; or unknown: the \
            process ended in the middle, or it is not over yet.

            Works while the server runs, and needs no secret. How long lines are kept: auditRetention in the configuration.

            EXAMPLES
              onward audit --since 7d --actor key:k7mq2xwd
              onward audit --since 2026-11-01 --project my-app | jq -r 'select(.outcome != "done")'
              onward audit --since 1h --follow
            """)

    @Option(
        help: ArgumentHelp("Only from then on: a day or moment in UTC, or a duration up to now, such as 7d.", valueName: "time"),
        transform: Self.moment)
    var since: Timestamp?
    @Option(help: ArgumentHelp("Only what was done to this project.", valueName: "id")) var project: String?
    @Option(help: ArgumentHelp("Only by actors in which this text stands.", valueName: "text")) var actor: String?
    @Flag(help: "Go on with what is done from now on, each line when its outcome is known, or after a minute.") var follow = false
    @OptionGroup var file: ConfigurationFile

    /// So many are in memory at once.
    private static let page = 200

    func run() async throws {
        try await running {
            let configuration = try Configuration(file: file.path, environment: nil)
            guard FileManager.default.fileExists(atPath: configuration.database) else {
                throw Failure("there is no database \(configuration.database) yet; `onward serve` makes it")
            }
            try await configuration.withStore { store in
                var position = 0
                while true {
                    let records = try await store.audit(
                        after: position, since: since, in: project.map { ProjectID(rawValue: $0) }, limit: Self.page)
                    let ready = follow ? records.prefix { Self.isSettled($0.record, at: System.now()) } : records[...]
                    print(ready.map(\.record))
                    position = ready.last?.position ?? position
                    guard ready.count < Self.page else { continue }
                    guard follow else { return }
                    try await Task.sleep(for: .milliseconds(250))
                }
            }
        }
    }

    private func print(_ records: [AuditRecord]) {
        let chosen = records.filter { record in actor.map { record.actor.contains($0) } ?? true }
        FileHandle.standardOutput.write(Data(chosen.map { "\(AuditLine(record: $0).text)\n" }.joined().utf8))
    }

    /// Whether its outcome will not change while somebody watches: what takes longer is shown as `unknown`.
    static func isSettled(_ record: AuditRecord, at now: Timestamp) -> Bool { record.outcome != nil || now - record.at >= .seconds(60) }

    static func moment(_ text: String) throws -> Timestamp { try moment(text, now: System.now()) }

    static func moment(_ text: String, now: Timestamp) throws -> Timestamp {
        if let span = Duration(configured: text) { return now + (.zero - span) }
        let day = Date.ISO8601FormatStyle().year().month().day()
        // A day's reader would take a moment's beginning for the whole.
        guard let date = text.utf8.count == 10 ? try? Date(text, strategy: day) : try? Date(text, strategy: .iso8601) else {
            throw ValidationError("Expected a day such as 2026-11-01, a moment such as 2026-11-01T08:00:00Z, or a duration such as 7d.")
        }
        return Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000))
    }
}
