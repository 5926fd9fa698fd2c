import Accounts
import Dispatch
import EmailActions
import Queues

/// The codes issued since the start, stored unhashed in development only, for the emulator's list
/// of codes.
actor IssuedCodes {
    /// The number of codes kept.
    private static let maxCodes = 10_000

    private let executor = QueueExecutor(label: "onward.issued")
    private var codes: [IssuedCode] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Adds a code without waiting. A later call of `all` includes it, because the queue is serial.
    nonisolated func add(_ code: IssuedCode) {
        executor.queue.async { self.assumeIsolated { $0.keep(code) } }
    }

    /// The codes of a project, oldest first.
    func all(of project: ProjectID) -> [IssuedCode] { codes.filter { $0.project == project } }

    private func keep(_ code: IssuedCode) { codes = codes.suffix(Self.maxCodes - 1) + [code] }
}
