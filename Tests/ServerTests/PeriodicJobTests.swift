import Accounts
import Base
import Logging
import Network
import Synchronization
import Testing
import World
@testable import Server

@Suite struct `A periodic job` {
    private let log = RecordedLog()
    private var logger: Logger { Logger(label: "test") { _ in log } }
    private var lines: [String] { log.lines.withLock { $0 } }

    private func failing(_ passes: Locked<Int>, until last: Int, wakes: Latch) -> PeriodicJob {
        PeriodicJob(every: .milliseconds(1), failureMessage: "letters not counted", logger: logger) { () async throws(ActionError) in
            let pass = passes.update {
                $0 += 1
                return $0
            }
            if pass == last { wakes.open() }
            // The third pass succeeds.
            if pass != 3 { throw .unavailable(Unavailable(.store, cause: "the disk is full")) }
        }
    }

    @Test func `logs the first of failures in a row, and the next after a success`() async {
        let (passes, ended) = (Locked(0), Latch())
        let job = failing(passes, until: 6, wakes: ended)
        let running = Task { await job.run() }
        await ended.wait()
        running.cancel()
        await running.value
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("error letters not counted") && $0.contains("the disk is full") })
    }

    @Test func `logs no failure after it was cancelled`() async {
        let running = Locked<Task<Void, Never>?>(nil)
        let job = PeriodicJob(every: .hours(1), startsAtOnce: true, failureMessage: "letters not counted", logger: logger) {
            () async throws(ActionError) in
            while running.value == nil { await Task.yield() }
            running.value?.cancel()
            throw .unavailable(Unavailable(.store, cause: "the server stops"))
        }
        let task = Task { await job.run() }
        running.update { $0 = task }
        await task.value
        #expect(lines.isEmpty)
    }

    @Test func `runs one pass at a time, however many signals there are`() async {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        let (running, most, third) = (Locked(0), Locked(0), Latch())
        let passes = Locked(0)
        let job = PeriodicJob(every: .milliseconds(1)) {
            let now = running.update {
                $0 += 1
                return $0
            }
            most.update { $0 = max($0, now) }
            for _ in 0..<20 {
                continuation.yield()
                await Task.yield()
            }
            running.update { $0 -= 1 }
            passes.update { $0 += 1 }
            if passes.value == 3 { third.open() }
        }
        let task = Task { await job.run(alsoAt: signals) }
        await third.wait()
        task.cancel()
        await task.value
        #expect(most.value == 1)
    }

    @Test func `begins a pass at a signal, long before its time`() async {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        let passed = Latch()
        let job = PeriodicJob(every: .hours(1)) { passed.open() }
        let running = Task { await job.run(alsoAt: signals) }
        continuation.yield()
        await passed.wait()
        running.cancel()
        await running.value
    }
}
