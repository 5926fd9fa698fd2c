import Network
import Synchronization
import Testing
import World

/// A list of numbers that many threads append to.
private final class SharedList: Sendable {
    private let entries = Mutex<[Int]>([])

    var numbers: [Int] { entries.withLock { $0 } }
    func append(_ number: Int) { entries.withLock { $0.append(number) } }
    func count() -> Int {
        entries.withLock {
            $0.append(1); return $0.count
        }
    }
}

/// Counts the jobs that run, and the most that ran at once.
private final class ConcurrencyMeter: Sendable {
    private let inside = Mutex((now: 0, most: 0))

    var most: Int { inside.withLock { $0.most } }
    func enter() {
        inside.withLock {
            $0.now += 1; $0.most = max($0.most, $0.now)
        }
    }
    func leave() { inside.withLock { $0.now -= 1 } }
}

@Suite struct `A worker pool` {
    private struct Failure: Error {}

    @Test func `returns what the work returns and throws what it throws`() async throws {
        let workerPool = WorkerPool(label: "test", width: 2, maxWaiting: 2)
        #expect(try await workerPool.run { 42 } == 42)
        await #expect(throws: Failure.self) { try await workerPool.run { throw Failure() } }
    }

    @Test(arguments: [1, 3]) func `runs as many jobs at once as its width, and no more`(width: Int) async throws {
        let workerPool = WorkerPool(label: "test", width: width, maxWaiting: 100)
        let meter = ConcurrencyMeter()
        let arrivals = SharedList()
        let allAtWork = Latch()
        let deadline = ContinuousClock.now + .patience
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    try await workerPool.run {
                        meter.enter()
                        // The first jobs wait for each other, so all return only if `width` of them
                        // run at once.
                        if arrivals.count() == width { allAtWork.open() }
                        while !allAtWork.isOpen, ContinuousClock.now < deadline {}
                        meter.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(meter.most == width)
    }

    @Test func `refuses jobs above maxWaiting and accepts jobs again afterwards`() async throws {
        let workerPool = WorkerPool(label: "test", width: 1, maxWaiting: 1)
        let release = Latch()
        let deadline = ContinuousClock.now + .patience
        let started = Latch()
        async let working: Void = workerPool.run {
            started.open()
            while !release.isOpen, ContinuousClock.now < deadline {}
        }
        try await started.opens()
        let outcomes = try await withThrowingTaskGroup { group in
            for _ in 0..<5 {
                group.addTask {
                    do {
                        try await workerPool.run {}
                        return true
                    } catch is WorkerPool.Full {
                        return false
                    }
                }
            }
            var outcomes: [Bool] = []
            // Four are refused while the first job still runs; the fifth waits.
            for _ in 0..<4 { outcomes.append(try await group.next() ?? true) }
            release.open()
            outcomes.append(try await group.next() ?? false)
            return outcomes
        }
        try await working
        #expect(outcomes == [false, false, false, false, true])
        #expect(try await workerPool.run { true })
    }

    @Test func `runs waiting jobs in order`() async throws {
        let workerPool = WorkerPool(label: "test", width: 1, maxWaiting: 10)
        let release = Latch()
        let deadline = ContinuousClock.now + .patience
        let started = Latch()
        let order = SharedList()
        let blocker = Task {
            try await workerPool.run {
                started.open()
                while !release.isOpen, ContinuousClock.now < deadline {}
            }
        }
        try await started.opens()
        var waiting: [Task<Void, any Error>] = []
        // An immediate task runs up to its first suspension, which is in `run`, before the next is
        // created.
        for number in 0..<10 { waiting.append(Task.immediate { try await workerPool.run { order.append(number) } }) }
        release.open()
        try await blocker.value
        for task in waiting { try await task.value }
        #expect(order.numbers == Array(0..<10))
    }
}
