import Accounts
import EmailActions
import Logging

/// Applies settings that admins change through other processes on the same database.
struct AdminSettingsWatch: Sendable {
    /// Returns the projects in force, which a reload replaces.
    let projects: @Sendable () -> CurrentProjects
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

    /// Refreshes periodically until the task is cancelled. A failing store is logged once.
    func run() async {
        var isDown = false
        while (try? await Task.sleep(for: Self.interval)) != nil {
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
