import Accounts
import EmailActions
import Logging

/// Brings into force what admins change through other processes on the same database.
struct SettingsWatch: Sendable {
    /// Those that are in force: a reload makes others.
    let projects: @Sendable () -> CurrentProjects
    let logger: Logger

    /// How long another process may go on with what was changed.
    private static let interval = Duration.seconds(1)

    /// Reads what is new. What is not acceptable, perhaps because the configuration file has changed since, is left out and logged.
    func look() async throws(ActionError) {
        for ignored in try await projects().refresh() {
            logger.warning(
                "a setting that an admin changed is not used",
                metadata: [
                    "project": "\(ignored.project)", "field": "\(ignored.objection.field)", "why": "\(ignored.objection.sentence)",
                ])
        }
    }

    /// Until its task is cancelled. A store that is down is said once.
    func run() async {
        var isDown = false
        while (try? await Task.sleep(for: Self.interval)) != nil {
            do throws(ActionError) {
                try await look()
                isDown = false
            } catch {
                if !isDown { logger.error("what admins changed was not read", metadata: ["cause": "\(error)"]) }
                isDown = true
            }
        }
    }
}
