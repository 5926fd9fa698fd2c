import Base
import Logging

/// Watches the way of a sign-up through this process: the turns and threads of password hashes, and
/// the writer of the store.
///
/// A stuck server that still accepts connections would otherwise never be restarted. A restart ends
/// all requests and mends no database, so only a pass that does not end counts, not one that fails,
/// and only after two minutes: the deadlines of a store are shorter, and `/readyz` has not answered
/// for as long.
actor SignUpWatch {
    static let patience = Duration.seconds(120)

    private let patience: Duration
    private let logger: Logger
    private let pass: @Sendable () async -> Void
    /// The pass that has not ended.
    private var running: (startedAt: Uptime, task: Task<Void, Never>)?

    /// - Parameter pass: takes the way of a sign-up, and changes nothing.
    init(patience: Duration = patience, logger: Logger, pass: @escaping @Sendable () async -> Void) {
        (self.patience, self.logger, self.pass) = (patience, logger, pass)
    }

    /// Begins a pass if none is under way. Returns at once, unless the pass is late; then it
    /// returns when the pass ends.
    func check() async {
        let (startedAt, task) = running ?? begin()
        guard Uptime.now - startedAt > patience else { return }
        logger.critical(
            "sign-ups stuck, watchdog messages stop",
            metadata: ["seconds": .stringConvertible((Uptime.now - startedAt).components.seconds)])
        await task.value
    }

    private func begin() -> (Uptime, Task<Void, Never>) {
        let begun = (
            Uptime.now,
            Task {
                await pass()
                running = nil
            }
        )
        running = begun
        return begun
    }
}
