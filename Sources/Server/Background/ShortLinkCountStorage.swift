import Accounts
import Logging
import Store

/// Stores the counts of visits of short links every few seconds.
struct ShortLinkCountStorage: Sendable {
    let counter: ShortLinkCounter
    let store: Store
    let logger: Logger

    private static let interval = Duration.seconds(5)
    /// The number of counts in one transaction.
    private static let batch = 500

    /// Stores counts until the task is cancelled. A failing store is logged once.
    func run() async {
        var isDown = false
        while (try? await Task.sleep(for: Self.interval)) != nil {
            do throws(ActionError) {
                try await storeAll()
                isDown = false
            } catch {
                if !isDown { logger.error("visits of short links not stored", metadata: ["cause": "\(error.cause)"]) }
                isDown = true
            }
        }
    }

    /// Stores the last counts at the end of the server.
    func finish() async {
        do throws(ActionError) { try await storeAll() } catch {
            logger.error("visits of short links not stored", metadata: ["cause": "\(error.cause)"])
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
