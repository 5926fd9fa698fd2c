import Queues
import Synchronization
import Testing

/// Numbers that many threads write down.
private final class Ledger: Sendable {
    private let entries = Mutex<[Int]>([])

    var numbers: [Int] { entries.withLock { $0 } }
    func note(_ number: Int) { entries.withLock { $0.append(number) } }
    func count() -> Int {
        entries.withLock {
            $0.append(1); return $0.count
        }
    }
}

/// How many are inside, and how many ever were at once.
private final class Room: Sendable {
    private let inside = Mutex((now: 0, most: 0))

    var most: Int { inside.withLock { $0.most } }
    func enter() {
        inside.withLock {
            $0.now += 1; $0.most = max($0.most, $0.now)
        }
    }
    func leave() { inside.withLock { $0.now -= 1 } }
}

@Suite struct `A workerPool` {
    private struct Failure: Error {}

    @Test func `returns what the work returns and throws what it throws`() async throws {
        let workerPool = WorkerPool(label: "test", width: 2, maxWaiting: 2)
        #expect(try await workerPool.run { 42 } == 42)
        await #expect(throws: Failure.self) { try await workerPool.run { throw Failure() } }
    }

    @Test(arguments: [1, 3]) func `works on no more than its width at once, and on all of it`(width: Int) async throws {
        let workerPool = WorkerPool(label: "test", width: width, maxWaiting: 100)
        let room = Room()
        let arrivals = Ledger()
        let allAtWork = Latch()
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    try await workerPool.run {
                        room.enter()
                        // The first ones wait for each other: this returns only when `width` jobs run side by side.
                        if arrivals.count() == width { allAtWork.open() }
                        while !allAtWork.isOpen {}
                        room.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(room.most == width)
    }

    @Test func `refuses at once what neither works nor waits, and takes work again afterwards`() async throws {
        let workerPool = WorkerPool(label: "test", width: 1, maxWaiting: 1)
        let release = Latch()
        let started = Latch()
        async let working: Void = workerPool.run {
            started.open()
            while !release.isOpen {}
        }
        await started.wait()
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
            // Four are refused while the first one still works; the fifth is the one that waits.
            for _ in 0..<4 { outcomes.append(try await group.next() ?? true) }
            release.open()
            outcomes.append(try await group.next() ?? false)
            return outcomes
        }
        try await working
        #expect(outcomes == [false, false, false, false, true])
        #expect(try await workerPool.run { true })
    }

    @Test func `serves those who wait in their order`() async throws {
        let workerPool = WorkerPool(label: "test", width: 1, maxWaiting: 10)
        let release = Latch()
        let started = Latch()
        let order = Ledger()
        let blocker = Task {
            try await workerPool.run {
                started.open()
                while !release.isOpen {}
            }
        }
        await started.wait()
        var waiting: [Task<Void, any Error>] = []
        // An immediate task runs to its first suspension before the next is made: inside `run`, in line.
        for number in 0..<10 { waiting.append(Task.immediate { try await workerPool.run { order.note(number) } }) }
        release.open()
        try await blocker.value
        for task in waiting { try await task.value }
        #expect(order.numbers == Array(0..<10))
    }
}
