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

    /// A queue whose first batch, of one item, waits until nine more have been submitted.
    private func batches(maxBatch: Int, takesEarly: Bool = false) async throws -> [[Int]] {
        let log = Log()
        let queue = BatchQueue<Int>(label: "test", maxWaiting: 9, maxBatch: maxBatch) { batch, queue in
            guard log.add(batch) else { return }
            log.gate.wait()
            if takesEarly { _ = log.add(queue.takeBatch()) }
        }
        try queue.submit(0)
        try await eventually("the first batch") { queue.waitingCount == 0 }
        for item in 1...9 { try queue.submit(item) }
        #expect(throws: BatchQueue<Int>.SubmitError.full) { try queue.submit(10) }
        log.gate.signal()
        await queue.close()
        #expect(throws: BatchQueue<Int>.SubmitError.closed) { try queue.submit(11) }
        return log.batches.withLock { $0 }
    }

    @Test func `processes what was submitted during one batch as the next`() async throws {
        #expect(try await batches(maxBatch: .max) == [[0], Array(1...9)])
    }

    @Test func `keeps batches within their limit, in the order of submission`() async throws {
        #expect(try await batches(maxBatch: 4) == [[0], [1, 2, 3, 4], [5, 6, 7, 8], [9]])
    }

    @Test func `hands the next batch out before the end of one, and no item twice`() async throws {
        #expect(try await batches(maxBatch: 4, takesEarly: true) == [[0], [1, 2, 3, 4], [5, 6, 7, 8], [9]])
    }
}
