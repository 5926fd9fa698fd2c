import Base
import Dispatch
import Foundation
import Network
import Synchronization
import Testing
import World

private actor TestActor {
    let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private(set) var entries: [Int] = []

    init(_ loop: EventLoop) { self.loop = loop }

    func enter(_ entry: Int = 0) -> Bool {
        entries.append(entry)
        return isHere
    }

    private var isHere: Bool { loop.isIsolatingCurrentContext() == true && EventLoop.isOnAny }

    /// Suspends until another thread resumes it with the number.
    func wait(for number: Int) async -> (before: Bool, number: Int, after: Bool) {
        let before = isHere
        let received = await suspended { continuation in DispatchQueue.global().async { continuation.resume(returning: number) } }
        return (before, received, isHere)
    }
}

/// Two connected sockets, closed when it is released.
private final class SocketPair: Sendable {
    let local, remote: Int32

    init() {
        var ends: [Int32] = [0, 0]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        (local, remote) = (ends[0], ends[1])
    }

    deinit { hangUp(); close(local) }

    func send(_ text: String) { _ = text.withCString { write(remote, $0, strlen($0)) } }
    func hangUp() { shutdown(remote, Int32(SHUT_WR)) }
}

/// Records the descriptors that each turn of a loop received.
private final class TurnRecorder: Sendable {
    private let recorded = Mutex<[[EventLoop.ReadyDescriptor]]>([])
    private let hasEnded = Latch()

    var all: [[EventLoop.ReadyDescriptor]] { recorded.withLock { $0 } }

    /// Runs the loop until `next`, which receives the number of the turn, stops it.
    func run(_ loop: EventLoop, _ next: @escaping @Sendable (Int, [EventLoop.ReadyDescriptor]) -> EventLoop.TurnResult) {
        loop.run { ready in
            let number = self.recorded.withLock { recorded in
                recorded.append(ready)
                return recorded.count
            }
            let next = next(number, ready)
            if case .stop = next { self.hasEnded.open() }
            return next
        }
    }

    func end() async { await hasEnded.wait() }
}

@Suite struct `An event loop` {
    private let loop = EventLoop(label: "onward.test")!
    private let turns = TurnRecorder()
    private static let forever = EventLoop.TurnResult.wait(atMost: .max)

    /// Runs a loop that only wakes up for events; it ends in the turn after `isOver` opens.
    private func sleeping(until isOver: Latch) {
        turns.run(loop) { _, _ in isOver.isOpen ? .stop : Self.forever }
    }

    // MARK: Jobs

    @Test func `runs its actors before it starts, while it runs, and after it stops`() async {
        let (actor, isOver) = (TestActor(loop), Latch())
        #expect(await actor.enter(1))
        sleeping(until: isOver)
        #expect(await actor.enter(2))
        isOver.open()
        #expect(await actor.enter(3))
        await turns.end()
        #expect(await actor.enter(4))
        #expect(await actor.entries == [1, 2, 3, 4])
        #expect(!EventLoop.isOnAny && loop.isIsolatingCurrentContext() == false)
    }

    @Test func `lets its turns enter its actors and start immediate tasks without a hop`() async {
        let actor = TestActor(loop)
        turns.run(loop) { _, _ in
            let isInside = actor.assumeIsolated { actor in
                Task.immediate { actor.enter(1) }
                return actor.entries == [1] && actor.enter(2)
            }
            #expect(isInside)
            return .stop
        }
        await turns.end()
        #expect(await actor.entries == [1, 2])
    }

    /// The loop waits without a timeout: if a wake-up is lost, the time limit ends the test.
    @Test(.patience) func `loses no wake-up and keeps the order of each caller`() async {
        let (actor, isOver) = (TestActor(loop), Latch())
        sleeping(until: isOver)
        await withTaskGroup { group in
            for caller in 0..<8 {
                group.addTask {
                    for call in 0..<5_000 {
                        let isInside = await actor.enter(caller * 10_000 + call)
                        if !isInside { Issue.record("elsewhere") }
                    }
                }
            }
        }
        isOver.open()
        _ = await actor.enter()
        let entries = await actor.entries.dropLast()
        #expect(entries.count == 40_000)
        for caller in 0..<8 { #expect(entries.filter { $0 / 10_000 == caller } == (0..<5_000).map { caller * 10_000 + $0 }) }
    }

    /// On the loop and off it, resumed early or late, by any thread.
    @Test func `resumes suspended tasks on the loop`() async {
        let (actor, isOver) = (TestActor(loop), Latch())
        sleeping(until: isOver)
        await withTaskGroup { group in
            for caller in 0..<100 {
                group.addTask {
                    let (before, value, after) = await actor.wait(for: caller)
                    #expect(before && value == caller && after)
                }
            }
        }
        isOver.open()
        _ = await actor.enter()
        await turns.end()
        #expect(await actor.wait(for: 7) == (true, 7, true))
        #expect(await suspended { $0.resume(returning: 8) } == 8)
    }

    @Test func `runs jobs that are enqueued while it stops`() async {
        for _ in 0..<300 {
            let loop = EventLoop(label: "onward.test")!
            let (actor, isOver) = (TestActor(loop), Latch())
            loop.run { _ in isOver.isOpen ? .stop : Self.forever }
            await withTaskGroup { group in
                for caller in 0..<4 { group.addTask { for _ in 0..<10 { _ = await actor.enter(caller) } } }
                isOver.open()
            }
            #expect(await actor.entries.count == 40)
        }
    }

    @Test func `runs work that is submitted before it starts, while it runs, and after it stops`() async {
        let (actor, isOver) = (TestActor(loop), Latch())
        func submit(_ entry: Int) async {
            await suspended { (continuation: CheckedContinuation<Void, Never>) in
                loop.submit {
                    actor.assumeIsolated { _ = $0.enter(entry) }
                    continuation.resume()
                }
            }
        }
        await submit(1)
        sleeping(until: isOver)
        await submit(2)
        isOver.open()
        await submit(3)
        await turns.end()
        await submit(4)
        #expect(await actor.entries == [1, 2, 3, 4])
    }

    // MARK: Descriptors

    @Test func `reports a descriptor for as long as it is ready for what was asked for last`() async {
        let pair = SocketPair()
        turns.run(loop) { number, _ in
            switch number {
            case 1: #expect(self.loop.watch(pair.local, reading: true, writing: true))
            case 2: #expect(self.loop.watch(pair.local, reading: true, writing: false))
            case 3: pair.send("one")
            case 5: self.loop.ignore(pair.local)
            default: break
            }
            return number == 6 ? .stop : .wait(atMost: number == 2 || number == 5 ? 1_000_000 : .max)
        }
        await turns.end()
        #expect(turns.all.map { $0.map(\.canWrite) } == [[], [true], [], [false], [false], []])
        #expect(turns.all.map { $0.map(\.canRead) } == [[], [false], [], [true], [true], []])
    }

    @Test func `reports each change once, and the end of the peer`() async {
        let pair = SocketPair()
        turns.run(loop) { number, ready in
            switch number {
            case 1: #expect(self.loop.watch(pair.local))
            case 2: pair.send("one")  // it was reported as writable
            case 3: pair.send("two")  // the first has not been read
            case 4: pair.hangUp()
            default: return .stop
            }
            return Self.forever
        }
        await turns.end()
        #expect(turns.all.dropFirst().allSatisfy { $0.count == 1 && $0[0].descriptor == pair.local && $0[0].canWrite })
        #expect(turns.all.dropFirst().map { $0[0].canRead } == [false, true, true, true])
        #expect(turns.all.dropFirst().map { $0[0].isEnding } == [false, false, false, true])
    }

    @Test func `reports a listening socket for as long as a connection waits, until it is ignored`() async {
        let pair = SocketPair()
        pair.send("one")
        turns.run(loop) { number, _ in
            switch number {
            case 1: #expect(self.loop.watch(listening: pair.local))
            case 2: break
            case 3: self.loop.ignore(pair.local)
            default: return .stop
            }
            return number == 3 ? .wait(atMost: 1_000_000) : Self.forever
        }
        await turns.end()
        #expect(turns.all.map { $0.map(\.canRead) } == [[], [true], [true], []])
    }

    @Test func `serves descriptors and jobs when there are more than one wait reports`() async {
        let (actor, isOver) = (TestActor(loop), Latch())
        let pairs = (0..<300).map { _ in SocketPair() }
        let seen = Mutex<Set<Int32>>([])
        turns.run(loop) { number, ready in
            if number == 1 { for pair in pairs { #expect(self.loop.watch(pair.local)) } }
            let isComplete = seen.withLock {
                $0.formUnion(ready.map(\.descriptor))
                return $0.count == pairs.count
            }
            return isComplete && isOver.isOpen ? .stop : Self.forever
        }
        for entry in 0..<1_000 { _ = await actor.enter(entry) }
        isOver.open()
        _ = await actor.enter()
        await turns.end()
        #expect(seen.withLock { $0 } == Set(pairs.map(\.local)))
    }

    // MARK: Time

    @Test(arguments: [0, 1, 3_000_001]) func `takes its next turn after the given time, and not before`(nanoseconds: UInt64) async {
        let began = Mutex(ContinuousClock.now)
        turns.run(loop) { number, ready in
            #expect(ready.isEmpty)
            began.withLock { began in
                if number > 1 { #expect(began.duration(to: .now) >= .nanoseconds(nanoseconds)) }
                began = .now
            }
            return number == 4 ? .stop : .wait(atMost: nanoseconds)
        }
        await turns.end()
    }

    // MARK: Stopping

    @Test func `has a named thread while it runs, and is released with its thread`() async throws {
        let named = Mutex("")
        weak var gone: EventLoop?
        do {
            let loop = try #require(EventLoop(label: "onward.too.long.for.a.name"))
            gone = loop
            let turns = TurnRecorder()
            turns.run(loop) { _, _ in
                named.withLock { $0 = Self.threadNames().contains("onward.too.long") ? "named" : "not named" }
                return .stop
            }
            await turns.end()
        }
        #expect(named.withLock { $0 } == "named")
        let deadline = ContinuousClock.now + .patience
        while gone != nil || Self.threadNames().contains("onward.too.long") {
            try #require(ContinuousClock.now < deadline, "the loop or its thread still exists")
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private static func threadNames() -> [String] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return threads.compactMap { thread in
            try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
        }
    }
}
