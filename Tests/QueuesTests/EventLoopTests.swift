import Dispatch
import Foundation
import Queues
import Synchronization
import Testing

private actor Resident {
    let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private(set) var entries: [Int] = []

    init(_ loop: EventLoop) { self.loop = loop }

    func enter(_ entry: Int = 0) -> Bool {
        entries.append(entry)
        return isHere
    }

    private var isHere: Bool { loop.isIsolatingCurrentContext() == true && EventLoop.isOnAny }

    /// Until another thread says the number.
    func wait(for number: Int) async -> (before: Bool, number: Int, after: Bool) {
        let before = isHere
        let told = await suspended { continuation in DispatchQueue.global().async { continuation.resume(returning: number) } }
        return (before, told, isHere)
    }
}

/// Two connected sockets, closed with it.
private final class Line: Sendable {
    let here, there: Int32

    init() {
        var ends: [Int32] = [0, 0]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        (here, there) = (ends[0], ends[1])
    }

    deinit { hangUp(); close(here) }

    func say(_ text: String) { _ = text.withCString { write(there, $0, strlen($0)) } }
    func hangUp() { shutdown(there, Int32(SHUT_WR)) }
}

/// What the turns of a loop were told, and a word to end them by.
private final class Turns: Sendable {
    private let told = Mutex<[[EventLoop.Readiness]]>([])
    private let hasEnded = Latch()

    var all: [[EventLoop.Readiness]] { told.withLock { $0 } }

    /// Runs until `next` wants no more; it gets the number of the turn.
    func run(_ loop: EventLoop, _ next: @escaping @Sendable (Int, [EventLoop.Readiness]) -> EventLoop.Next) {
        loop.run { ready in
            let number = self.told.withLock { told in
                told.append(ready)
                return told.count
            }
            let next = next(number, ready)
            if case .end = next { self.hasEnded.open() }
            return next
        }
    }

    func end() async { await hasEnded.wait() }
}

@Suite struct `An event loop` {
    private let loop = EventLoop(label: "onward.test")!
    private let turns = Turns()
    private static let forever = EventLoop.Next.turn(within: .max)

    /// A loop that sleeps until somebody wakes it; ends at the turn after `isOver` opens.
    private func sleeping(until isOver: Latch) {
        turns.run(loop) { _, _ in isOver.isOpen ? .end : Self.forever }
    }

    // MARK: Jobs

    @Test func `runs its actors, before it begins, while it runs, and after its end`() async {
        let (resident, isOver) = (Resident(loop), Latch())
        #expect(await resident.enter(1))
        sleeping(until: isOver)
        #expect(await resident.enter(2))
        isOver.open()
        #expect(await resident.enter(3))
        await turns.end()
        #expect(await resident.enter(4))
        #expect(await resident.entries == [1, 2, 3, 4])
        #expect(!EventLoop.isOnAny && loop.isIsolatingCurrentContext() == false)
    }

    @Test func `lets its turns into its actors without a hop, and starts tasks where it stands`() async {
        let resident = Resident(loop)
        turns.run(loop) { _, _ in
            let isInside = resident.assumeIsolated { resident in
                Task.immediate { resident.enter(1) }
                return resident.entries == [1] && resident.enter(2)
            }
            #expect(isInside)
            return .end
        }
        await turns.end()
        #expect(await resident.entries == [1, 2])
    }

    /// It sleeps for ever: one wake-up that is lost, and this hangs.
    @Test func `loses no wake-up, and keeps everyone's order`() async {
        let (resident, isOver) = (Resident(loop), Latch())
        sleeping(until: isOver)
        await withTaskGroup { group in
            for caller in 0..<8 {
                group.addTask {
                    for call in 0..<5_000 {
                        let isInside = await resident.enter(caller * 10_000 + call)
                        if !isInside { Issue.record("elsewhere") }
                    }
                }
            }
        }
        isOver.open()
        _ = await resident.enter()
        let entries = await resident.entries.dropLast()
        #expect(entries.count == 40_000)
        for caller in 0..<8 { #expect(entries.filter { $0 / 10_000 == caller } == (0..<5_000).map { caller * 10_000 + $0 }) }
    }

    /// On the loop and off it, whoever resumes it, and whenever.
    @Test func `brings back who was suspended`() async {
        let (resident, isOver) = (Resident(loop), Latch())
        sleeping(until: isOver)
        await withTaskGroup { group in
            for caller in 0..<100 {
                group.addTask {
                    let (before, value, after) = await resident.wait(for: caller)
                    #expect(before && value == caller && after)
                }
            }
        }
        isOver.open()
        _ = await resident.enter()
        await turns.end()
        #expect(await resident.wait(for: 7) == (true, 7, true))
        #expect(await suspended { $0.resume(returning: 8) } == 8)
    }

    @Test func `runs what comes while it ends`() async {
        for _ in 0..<300 {
            let loop = EventLoop(label: "onward.test")!
            let (resident, isOver) = (Resident(loop), Latch())
            loop.run { _ in isOver.isOpen ? .end : Self.forever }
            await withTaskGroup { group in
                for caller in 0..<4 { group.addTask { for _ in 0..<10 { _ = await resident.enter(caller) } } }
                isOver.open()
            }
            #expect(await resident.entries.count == 40)
        }
    }

    // MARK: Descriptors

    @Test func `tells of each change once, and of the other side's end`() async {
        let line = Line()
        turns.run(loop) { number, ready in
            switch number {
            case 1: #expect(self.loop.watch(line.here))
            case 2: line.say("one")  // it could be written to
            case 3: line.say("two")  // though nobody has read the first
            case 4: line.hangUp()
            default: return .end
            }
            return Self.forever
        }
        await turns.end()
        #expect(turns.all.dropFirst().allSatisfy { $0.count == 1 && $0[0].descriptor == line.here && $0[0].canWrite })
        #expect(turns.all.dropFirst().map { $0[0].canRead } == [false, true, true, true])
        #expect(turns.all.dropFirst().map { $0[0].isEnding } == [false, false, false, true])
    }

    @Test func `tells of a listening socket for as long as someone waits there, until it is ignored`() async {
        let line = Line()
        line.say("one")
        turns.run(loop) { number, _ in
            switch number {
            case 1: #expect(self.loop.watch(listening: line.here))
            case 2: break
            case 3: self.loop.ignore(line.here)
            default: return .end
            }
            return number == 3 ? .turn(within: 1_000_000) : Self.forever
        }
        await turns.end()
        #expect(turns.all.map { $0.map(\.canRead) } == [[], [true], [true], []])
    }

    @Test func `serves both descriptors and jobs when there are too many of each`() async {
        let (resident, isOver) = (Resident(loop), Latch())
        let lines = (0..<300).map { _ in Line() }
        let seen = Mutex<Set<Int32>>([])
        turns.run(loop) { number, ready in
            if number == 1 { for line in lines { #expect(self.loop.watch(line.here)) } }
            let isComplete = seen.withLock {
                $0.formUnion(ready.map(\.descriptor))
                return $0.count == lines.count
            }
            return isComplete && isOver.isOpen ? .end : Self.forever
        }
        for entry in 0..<1_000 { _ = await resident.enter(entry) }
        isOver.open()
        _ = await resident.enter()
        await turns.end()
        #expect(seen.withLock { $0 } == Set(lines.map(\.here)))
    }

    // MARK: Time

    @Test(arguments: [0, 1, 3_000_001]) func `takes its next turn when the time has come, and not before`(nanoseconds: UInt64) async {
        let began = Mutex(ContinuousClock.now)
        turns.run(loop) { number, ready in
            #expect(ready.isEmpty)
            began.withLock { began in
                if number > 1 { #expect(began.duration(to: .now) >= .nanoseconds(nanoseconds)) }
                began = .now
            }
            return number == 4 ? .end : .turn(within: nanoseconds)
        }
        await turns.end()
    }

    // MARK: Its end

    @Test func `has a named thread while it runs, and leaves neither name nor memory behind`() async throws {
        let named = Mutex("")
        weak var gone: EventLoop?
        do {
            let loop = try #require(EventLoop(label: "onward.too.long.for.a.name"))
            gone = loop
            let turns = Turns()
            turns.run(loop) { _, _ in
                named.withLock { $0 = Self.threadNames().contains("onward.too.long") ? "then" : "never" }
                return .end
            }
            await turns.end()
        }
        #expect(named.withLock { $0 } == "then")
        while gone != nil || Self.threadNames().contains("onward.too.long") { await Task.yield() }
    }

    private static func threadNames() -> [String] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return threads.compactMap { thread in
            try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
        }
    }
}
