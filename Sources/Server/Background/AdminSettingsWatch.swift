import Accounts
import Logging

/// Applies settings that admins change through other processes on the same database.
struct AdminSettingsWatch: Sendable {
    /// Returns the projects in force, which a reload replaces.
    let projects: @Sendable () -> CurrentProjects
    /// Has an element whenever settings may have changed; nil if the database cannot tell.
    var changes: AsyncStream<Void>?
    let logger: Logger

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

    /// Refreshes periodically, so that every process uses a changed setting after a second, and
    /// when settings may have changed, until the task is cancelled.
    func run() async {
        await PeriodicJob(every: .seconds(1), failureMessage: "admin settings refresh failed", logger: logger, pass: refresh)
            .run(alsoAt: changes)
    }
}
