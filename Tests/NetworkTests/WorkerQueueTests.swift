import Base
import Dispatch
import Network
import Synchronization
import Testing
import World

@Suite struct `A worker queue` {
    /// Holds every worker at the item 0, and lists the items in the order in which they are done.
    private final class Bench: Sendable {
        let done = Mutex<[Int]>([])
        let isHeld = Latch()
        let holds = Mutex(0)
        let released = DispatchSemaphore(value: 0)

        func hold() {
            holds.withLock { $0 += 1 }
            isHeld.open()
            released.wait()
        }
        func note(_ item: Int) { done.withLock { $0.append(item) } }
        var items: [Int] { done.withLock { $0 } }
    }

    @Test func `a worker queue refuses an item while as many wait as may`() async throws {
        let bench = Bench()
        let queue = WorkerQueue<Int>(label: "test", width: 1, maxWaiting: 3) { item in
            if item == 0 { bench.hold() }
            bench.note(item)
        }
        #expect(queue.submit(0))
        try await bench.isHeld.opens()
        for item in 1...3 { #expect(queue.submit(item)) }
        #expect(!queue.submit(4))
        #expect(queue.waitingCount == 3)
        bench.released.signal()
        try await eventually("all items") { bench.items.count == 4 }
        #expect(bench.items == [0, 1, 2, 3])
    }

    /// X8: an item that has waited too long need not wait for a worker to be told so.
    @Test func `refuses what has waited too long while its workers are busy`() async throws {
        let bench = Bench()
        let (refused, isOver) = (Bench(), Bench())
        let queue = WorkerQueue<Int>(
            label: "test", width: 1, maxWaiting: 9,
            patience: .init(interval: .milliseconds(1), isOver: { isOver.items.contains($0) }, refuse: refused.note)
        ) { item in
            if item == 0 { bench.hold() }
            bench.note(item)
        }
        // The second time nothing waited for a while.
        for (count, item) in [(1, 1), (2, 3)] {
            #expect(queue.submit(0))
            try await eventually("the worker is busy") { bench.holds.withLock { $0 } == count }
            for item in [item, item + 1] { #expect(queue.submit(item)) }
            isOver.note(item + 1)
            try await eventually("one is refused") { refused.items.last == item + 1 }
            #expect(queue.waitingCount == 1)
            bench.released.signal()
            try await eventually("the other is done") { bench.items.last == item }
        }
        #expect(bench.items == [0, 1, 0, 3])
        #expect(refused.items == [2, 4])
    }

    @Test func `an idle worker takes an item while another one is busy`() async throws {
        let bench = Bench()
        let queue = WorkerQueue<Int>(label: "test", width: 2, maxWaiting: 1) { item in
            if item == 0 { bench.hold() }
            bench.note(item)
        }
        #expect(queue.submit(0))
        try await bench.isHeld.opens()
        #expect(queue.submit(1))
        try await eventually("the item") { bench.items == [1] }
        bench.released.signal()
        try await eventually("both items") { bench.items == [1, 0] }
    }
}
