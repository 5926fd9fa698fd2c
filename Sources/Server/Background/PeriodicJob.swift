import Accounts
import Base
import Logging

/// Work that a server repeats until it stops. One pass runs at a time.
struct PeriodicJob: Sendable {
    private let interval: Duration
    private let startsAtOnce: Bool
    private let pass: @Sendable () async throws(ActionError) -> Void
    private let logFailure: @Sendable (ActionError) -> Void

    /// - Parameters:
    ///   - interval: the pause between two passes.
    ///   - startsAtOnce: whether the first pass needs no pause before it.
    init(every interval: Duration, startsAtOnce: Bool = false, pass: @escaping @Sendable () async -> Void) {
        (self.interval, self.startsAtOnce, self.pass) = (interval, startsAtOnce, pass)
        logFailure = { _ in }
    }

    /// Work that may fail. Of failures in a row one an hour is logged, with its cause; none is
    /// logged after the job was cancelled.
    /// - Parameter failureMessage: says what has not been done.
    init(
        every interval: Duration, startsAtOnce: Bool = false, failureMessage: Logger.Message, logger: Logger,
        pass: @escaping @Sendable () async throws(ActionError) -> Void
    ) {
        (self.interval, self.startsAtOnce, self.pass) = (interval, startsAtOnce, pass)
        logFailure = { logger.error(failureMessage, metadata: ["cause": "\($0.cause)"]) }
    }

    /// Runs until the task is cancelled. A pass that has begun ends by itself.
    /// - Parameter signals: each begins a pass before its time.
    func run(alsoAt signals: AsyncStream<Void>? = nil) async {
        var loggedAt: Uptime?
        if startsAtOnce { await runOnce(&loggedAt) }
        guard let signals else {
            while (try? await Task.sleep(for: interval)) != nil { await runOnce(&loggedAt) }
            return
        }
        let (occasions, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let ticker = Task { while (try? await Task.sleep(for: interval)) != nil { continuation.yield() } }
        let listener = Task { for await _ in signals { continuation.yield() } }
        defer { for task in [ticker, listener] { task.cancel() } }
        for await _ in occasions { await runOnce(&loggedAt) }
    }

    private func runOnce(_ loggedAt: inout Uptime?) async {
        do throws(ActionError) {
            try await pass()
            loggedAt = nil
        } catch {
            let now = Uptime.now
            if Task.isCancelled || loggedAt.map({ now - $0 < .hours(1) }) ?? false { return }
            loggedAt = now
            logFailure(error)
        }
    }
}
