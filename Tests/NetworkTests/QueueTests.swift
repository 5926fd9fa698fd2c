import Base
import Dispatch
import Network
import Testing

private actor TestActor {
    let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private(set) var entries = 0

    init(_ executor: QueueExecutor) { self.executor = executor }

    func enter() -> Bool {
        entries += 1
        return executor.isIsolatingCurrentContext() == true
    }
}

@Suite struct `An actor on a queue executor` {
    @Test func `runs on the queue of its executor`() async {
        #expect(await TestActor(QueueExecutor(label: "test")).enter())
    }

    @Test func `is entered without a hop from its queue`() async {
        let executor = QueueExecutor(label: "test")
        let actor = TestActor(executor)
        let isInside = executor.queue.sync { actor.assumeIsolated { $0.enter() } }
        #expect(isInside)
        #expect(await actor.entries == 1)
    }

    @Test func `is distinguished from an actor on another queue`() {
        let (one, other) = (QueueExecutor(label: "one"), QueueExecutor(label: "other"))
        #expect(one.queue.sync { one.isIsolatingCurrentContext() } == true)
        #expect(one.queue.sync { other.isIsolatingCurrentContext() } == false)
        #expect(one.isIsolatingCurrentContext() == false)
    }

    @Test func `runs an immediate task synchronously`() async {
        let executor = QueueExecutor(label: "test")
        let actor = TestActor(executor)
        let entered = executor.queue.sync {
            actor.assumeIsolated { actor in
                Task.immediate { _ = actor.enter() }
                return actor.entries
            }
        }
        #expect(entered == 1)
    }
}

@Suite struct `A latch` {
    @Test func `resumes waiting and later tasks once it is open`() async {
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
    func `is converted to whole nanoseconds, saturating`(duration: Duration, nanoseconds: Int64) {
        #expect(duration.nanoseconds == nanoseconds)
    }
}
