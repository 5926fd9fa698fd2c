import Dispatch
import Queues
import Testing

private actor Resident {
    let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private(set) var entries = 0

    init(_ executor: QueueExecutor) { self.executor = executor }

    func enter() -> Bool {
        entries += 1
        return executor.isIsolatingCurrentContext() == true
    }
}

@Suite struct `An actor on a queue` {
    @Test func `runs on that queue`() async {
        #expect(await Resident(QueueExecutor(label: "test")).enter())
    }

    @Test func `is entered without a hop by what runs on the queue`() async {
        let executor = QueueExecutor(label: "test")
        let resident = Resident(executor)
        let isInside = executor.queue.sync { resident.assumeIsolated { $0.enter() } }
        #expect(isInside)
        #expect(await resident.entries == 1)
    }

    @Test func `is not mistaken for its neighbour`() {
        let (one, other) = (QueueExecutor(label: "one"), QueueExecutor(label: "other"))
        #expect(one.queue.sync { one.isIsolatingCurrentContext() } == true)
        #expect(one.queue.sync { other.isIsolatingCurrentContext() } == false)
        #expect(one.isIsolatingCurrentContext() == false)
    }

    @Test func `starts an immediate task where it stands`() async {
        let executor = QueueExecutor(label: "test")
        let resident = Resident(executor)
        let entered = executor.queue.sync {
            resident.assumeIsolated { resident in
                Task.immediate { _ = resident.enter() }
                return resident.entries
            }
        }
        #expect(entered == 1)
    }
}

@Suite struct `A latch` {
    @Test func `lets through who waits and who comes later`() async {
        let latch = Latch()
        let waiting = (0..<10).map { _ in Task.immediate { await latch.wait() } }
        #expect(!latch.isOpen)
        latch.open()
        latch.open()
        for task in waiting { await task.value }
        await latch.wait()
        #expect(latch.isOpen)
    }
}

@Suite struct `A duration` {
    @Test(arguments: [
        (Duration.seconds(1), Int64(1_000_000_000)), (.milliseconds(1), 1_000_000), (.zero, 0), (.seconds(Int64.max), .max),
    ])
    func `is counted in whole nanoseconds`(duration: Duration, nanoseconds: Int64) {
        #expect(duration.nanoseconds == nanoseconds)
    }
}
