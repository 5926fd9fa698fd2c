import Accounts
import Logging

/// Applies settings that admins change through other processes on the same database.
struct AdminSettingsWatch: Sendable {
    /// Returns the projects in force, which a reload replaces.
    let projects: @Sendable () -> CurrentProjects
    /// Has an element whenever settings may have changed; nil if the database cannot tell.
    var changes: AsyncStream<Void>?
    let logger: Logger

    /// The interval between two reads, after which every process uses a changed setting.
    private static let interval = Duration.seconds(1)

    /// Reads changed settings. One that is not acceptable, perhaps because the configuration file
    /// has changed since, is ignored and logged.
    func refresh() async throws(ActionError) {
        for ignored in try await projects().refresh() {
            logger.warning(
                "admin setting ignored",
                metadata: [
                    "project": "\(ignored.project)", "field": "\(ignored.objection.field)", "reason": "\(ignored.objection.sentence)",
                ])
        }
    }

    /// Refreshes periodically, and when settings may have changed, until the task is cancelled. A
    /// failing store is logged once.
    func run() async {
        let (looks, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let ticker = Task { while (try? await Task.sleep(for: Self.interval)) != nil { continuation.yield() } }
        let listener = Task { [changes] in
            if let changes { for await _ in changes { continuation.yield() } }
        }
        defer { for task in [ticker, listener] { task.cancel() } }
        var isDown = false
        for await _ in looks {
            do throws(ActionError) {
                try await refresh()
                isDown = false
            } catch {
                if !isDown { logger.error("admin settings refresh failed", metadata: ["cause": "\(error.cause)"]) }
                isDown = true
            }
        }
    }
}
