import Dispatch
import Network
import Synchronization
import Testing
import World

@Suite struct `A batch queue` {
    /// The batches that were processed, and a gate that the first one waits for.
    private final class Log: Sendable {
        let batches = Mutex<[[Int]]>([])
        let gate = DispatchSemaphore(value: 0)

        func add(_ batch: [Int]) -> Bool {
            batches.withLock { batches in
                batches.append(batch)
                return batches.count == 1
            }
        }
    }

    /// The first batch, of one item, waits until nine more have been submitted.
    @Test func `processes what was submitted during one batch as the next`() async throws {
        let log = Log()
        let queue = BatchQueue<Int>(label: "test", maxWaiting: 9) { batch in
            guard log.add(batch) else { return }
            log.gate.wait()
        }
        try queue.submit(0)
        try await eventually("the first batch") { queue.waitingCount == 0 }
        for item in 1...9 { try queue.submit(item) }
        #expect(throws: BatchQueue<Int>.SubmitError.full) { try queue.submit(10) }
        log.gate.signal()
        await queue.close()
        #expect(throws: BatchQueue<Int>.SubmitError.closed) { try queue.submit(11) }
        #expect(log.batches.withLock { $0 } == [[0], Array(1...9)])
    }
}
