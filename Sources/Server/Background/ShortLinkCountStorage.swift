import Accounts
import Logging
import Store

/// Stores the counts of visits of short links every few seconds.
struct ShortLinkCountStorage: Sendable {
    let counter: ShortLinkCounter
    let store: Store
    let logger: Logger

    private static let failureMessage: Logger.Message = "visits of short links not stored"
    /// The number of counts in one transaction.
    private static let batch = 500

    var job: PeriodicJob { PeriodicJob(every: .seconds(5), failureMessage: Self.failureMessage, logger: logger, pass: storeAll) }

    /// Stores the last counts at the end of the server.
    func finish() async {
        do throws(ActionError) { try await storeAll() } catch {
            logger.error(Self.failureMessage, metadata: ["cause": "\(error.cause)"])
        }
    }

    /// Stores what was counted. Counts that could not be stored are kept for the next time.
    func storeAll() async throws(ActionError) {
        var counts = Array(counter.take())[...]
        while !counts.isEmpty {
            let batch = Dictionary(uniqueKeysWithValues: counts.prefix(Self.batch).map { ($0.key, $0.value) })
            do { try await store.add(batch) } catch {
                counter.add(Dictionary(uniqueKeysWithValues: counts.map { ($0.key, $0.value) }))
                throw error
            }
            counts = counts.dropFirst(Self.batch)
        }
    }
}
