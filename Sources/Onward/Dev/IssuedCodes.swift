import Accounts
import Dispatch
import EmailActions
import Queues

/// The codes made since the start, which only development keeps in clear: the emulator's list of codes shows them.
actor IssuedCodes {
    /// Older ones are forgotten.
    private static let most = 10_000

    private let executor = QueueExecutor(label: "onward.issued")
    private var codes: [IssuedCode] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Returns at once; whoever asks `all` afterwards gets it too, because the queue keeps the order.
    nonisolated func add(_ code: IssuedCode) {
        executor.queue.async { self.assumeIsolated { $0.keep(code) } }
    }

    /// Oldest first.
    func all(of project: ProjectID) -> [IssuedCode] { codes.filter { $0.project == project } }

    private func keep(_ code: IssuedCode) { codes = codes.suffix(Self.most - 1) + [code] }
}
