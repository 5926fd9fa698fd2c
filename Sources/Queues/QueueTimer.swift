import Dispatch

/// A coarse repeating timer on an executor's queue, for one actor to look at all its deadlines at once.
package final class QueueTimer: Sendable {
    // Dispatch sources are thread-safe objects; only their Swift protocol does not say so on Linux.
    private nonisolated(unsafe) let source: any DispatchSourceTimer

    /// Calls `tick` on `executor`'s queue every `period` (late by up to a quarter of it) until `cancel`.
    package init(on executor: QueueExecutor, every period: Duration, tick: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: executor.queue)
        source.setEventHandler(handler: tick)
        reschedule(every: period)
        source.resume()
    }

    /// Changes the period, counted from now.
    package func reschedule(every period: Duration) {
        let interval = DispatchTimeInterval.nanoseconds(Int(clamping: period.nanoseconds))
        source.schedule(deadline: .now() + interval, repeating: interval, leeway: .nanoseconds(Int(clamping: period.nanoseconds / 4)))
    }

    /// Ends the ticks and lets go of what `tick` holds.
    package func cancel() {
        source.setEventHandler(handler: nil)
        source.cancel()
    }
}

extension Duration {
    /// The whole nanoseconds, for clocks that count them; saturates at about 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : scaled.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }
}
