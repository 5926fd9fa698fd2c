import Accounts
import EmailActions
import Logging
import Store

/// Forgets codes and superseded refresh tokens long after their end, and what admins did when it was kept for long enough, at the start
/// and every hour, a few at a time so that nobody waits for it (C17); lets signing keys come and go (T5).
struct Upkeep: Sendable {
    let store: Store
    /// Nil where nothing is signed.
    let keys: SigningKeys?
    /// Nil: the audit is kept for ever.
    let auditRetention: @Sendable () -> Duration?
    let now: Now
    let logger: Logger

    /// Until then a link still says *it worked earlier* or *it was valid until*.
    static let retention = Duration.days(90)
    private static let batch = 500

    /// Until its task is cancelled.
    func run() async {
        repeat {
            do throws(ActionError) {
                let (old, recent) = (ago(Self.retention), ago(.hours(1)))
                while try await store.purgeDecoys(madeBefore: recent, limit: Self.batch) == Self.batch { await Task.yield() }
                while try await store.purgeCodes(expiredBefore: old, limit: Self.batch) == Self.batch { await Task.yield() }
                while try await store.purgeUpstreamTries(begunBefore: old, limit: Self.batch) == Self.batch { await Task.yield() }
                let superseded = ago(Session.memory)
                while try await store.purgeSessions(retiredBefore: superseded, limit: Self.batch) == Self.batch { await Task.yield() }
                if let auditRetention = auditRetention() {
                    let kept = ago(auditRetention)
                    while try await store.purgeAudit(before: kept, limit: Self.batch) == Self.batch { await Task.yield() }
                }
            } catch { logger.error("what is old was not purged", metadata: ["cause": "\(error)"]) }
            do throws(ActionError) { try await keys?.keep() } catch {
                logger.error("signing keys were not kept up", metadata: ["cause": "\(error)"])
            }
        } while (try? await Task.sleep(for: .hours(1))) != nil
    }

    private func ago(_ span: Duration) -> Timestamp { Timestamp(milliseconds: now().milliseconds - span.milliseconds) }
}
