import Accounts
import Base
import Logging

/// Work that a server repeats until it stops.
struct PeriodicJob: Sendable {
    private let interval: Duration
    private let startsAtOnce: Bool
    private let pass: @Sendable () async -> Void

    /// - Parameters:
    ///   - interval: the pause after each pass.
    ///   - startsAtOnce: whether the first pass needs no pause before it.
    init(every interval: Duration, startsAtOnce: Bool = false, pass: @escaping @Sendable () async -> Void) {
        (self.interval, self.startsAtOnce, self.pass) = (interval, startsAtOnce, pass)
    }

    /// Work that may fail. Of failures in a row one an hour is logged, with its cause; none is
    /// logged after the job was cancelled.
    /// - Parameter failureMessage: says what has not been done.
    init(
        every interval: Duration, startsAtOnce: Bool = false, failureMessage: Logger.Message, logger: Logger,
        pass: @escaping @Sendable () async throws(ActionError) -> Void
    ) {
        let loggedAt = Locked<Uptime?>(nil)
        self.init(every: interval, startsAtOnce: startsAtOnce) {
            do throws(ActionError) {
                try await pass()
                loggedAt.update { $0 = nil }
            } catch {
                if Task.isCancelled || loggedAt.value.map({ Uptime.now - $0 < .hours(1) }) ?? false { return }
                loggedAt.update { $0 = .now }
                logger.error(failureMessage, metadata: ["cause": "\(error.cause)"])
            }
        }
    }

    /// Runs until the task is cancelled. A pass that has begun ends by itself.
    /// - Parameter signals: each begins a pass at once, beside the periodic ones.
    func run(alsoAt signals: AsyncStream<Void>? = nil) async {
        let signalled = Task { if let signals { for await _ in signals { await pass() } } }
        defer { signalled.cancel() }
        if startsAtOnce { await pass() }
        while (try? await Task.sleep(for: interval)) != nil { await pass() }
    }
}
