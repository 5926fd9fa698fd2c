import Accounts
import EmailActions
import Logging
import Store

/// Forgets codes long after their end, at the start and every hour, a few at a time so that nobody waits for it (C17).
struct Upkeep: Sendable {
    let store: Store
    let now: Now
    let logger: Logger

    /// Until then a link still says *it worked earlier* or *it was valid until*.
    static let retention = Duration.days(90)
    private static let batch = 500

    /// Until its task is cancelled.
    func run() async {
        repeat {
            do throws(ActionError) {
                let moment = Timestamp(milliseconds: now().milliseconds - Self.retention.milliseconds)
                while try await store.purgeCodes(endedBefore: moment, limit: Self.batch) == Self.batch { await Task.yield() }
            } catch { logger.error("old codes were not purged", metadata: ["cause": "\(error)"]) }
        } while (try? await Task.sleep(for: .hours(1))) != nil
    }
}
