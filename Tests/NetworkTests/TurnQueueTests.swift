import Base
import Synchronization
import Testing
import World
@testable import Network

/// Jobs that run until they are let go, in the order in which they began.
private final class Jobs: Sendable {
    struct Log {
        var begun: [String] = []
        var refused: [String] = []
        var released: Set<String> = []
    }

    private let log = Mutex(Log())
    let queue: TurnQueue

    init(width: Int, maxWaiting: Int = 9, widthPerSource: Int = 1) {
        queue = TurnQueue(width: width, maxWaiting: maxWaiting, widthPerSource: widthPerSource)
    }

    var begun: [String] { log.withLock(\.begun) }
    var refused: [String] { log.withLock(\.refused) }

    /// Submits a job and waits until the queue has it.
    func submit(
        _ name: String, _ subject: String?, from source: String?, client: String? = nil, in group: inout TaskGroup<Void>
    ) async throws {
        let before = begun.count + refused.count + queue.waitingCount
        group.addTask { [self] in
            let ran: Void? = await queue.run(.init(subject: subject, source: source, client: client)) {
                log.withLock { $0.begun.append(name) }
                try? await eventually("\(name) may end") { self.log.withLock { $0.released.contains(name) } }
            }
            if ran == nil { log.withLock { $0.refused.append(name) } }
        }
        try await eventually("\(name) is known") { self.begun.count + self.refused.count + self.queue.waitingCount > before }
    }

    func end(_ names: String...) { log.withLock { $0.released.formUnion(names) } }
    func end(_ names: [String]) { log.withLock { $0.released.formUnion(names) } }
}

/// V1: whatever strangers send, a right password signs in and a right link opens. V5: at most one
/// password hash runs for one code, account or source at a time.
@Suite struct `A queue of turns` {
    @Test func `runs one job of a subject, and one of a source, at a time`() async {
        let jobs = Jobs(width: 4)
        await withTaskGroup(of: Void.self) { group in
            do {
                try await jobs.submit("a", "ada", from: "one", in: &group)
                try await jobs.submit("b", "ada", from: "two", in: &group)
                try await jobs.submit("c", "bob", from: "one", in: &group)
                try await jobs.submit("d", "eve", from: "three", in: &group)
                #expect(jobs.begun == ["a", "d"])
                jobs.end("a")
                try await eventually("both others begin") { jobs.begun.count == 4 }
            } catch { Issue.record(error) }
            jobs.end("a", "b", "c", "d")
        }
        #expect(jobs.refused.isEmpty)
    }

    @Test func `lets sources take turns, however many jobs each has`() async {
        let jobs = Jobs(width: 1)
        await withTaskGroup(of: Void.self) { group in
            do {
                for number in 0..<5 { try await jobs.submit("a\(number)", nil, from: "attacker", in: &group) }
                try await jobs.submit("b", nil, from: "user", in: &group)
                jobs.end("a0", "a1")
                try await eventually("the user's turn") { jobs.begun.count == 3 }
                #expect(jobs.begun == ["a0", "a1", "b"])
            } catch { Issue.record(error) }
            jobs.end(["b"] + (0..<5).map { "a\($0)" })
        }
        #expect(jobs.begun.count == 6)
    }

    @Test func `refuses the last job of the source that has the most if too many wait`() async {
        let jobs = Jobs(width: 1, maxWaiting: 3)
        await withTaskGroup(of: Void.self) { group in
            do {
                for number in 0..<4 { try await jobs.submit("a\(number)", nil, from: "attacker", in: &group) }
                try await jobs.submit("a4", nil, from: "attacker", in: &group)
                #expect(jobs.refused == ["a4"])
                try await jobs.submit("b", nil, from: "user", in: &group)
                try await eventually("one gives way") { jobs.refused == ["a4", "a3"] }
            } catch { Issue.record(error) }
            jobs.end(["b"] + (0..<5).map { "a\($0)" })
        }
        #expect(Set(jobs.begun) == ["a0", "a1", "a2", "b"])
    }

    /// V1: one host of a network cannot hold all places of the network.
    @Test func `refuses the last job of the client that has the most of its source`() async {
        let jobs = Jobs(width: 1, maxWaiting: 3)
        await withTaskGroup(of: Void.self) { group in
            do {
                for number in 0..<4 { try await jobs.submit("a\(number)", nil, from: "network", client: "attacker", in: &group) }
                try await jobs.submit("b", "bob", from: "network", client: "user", in: &group)
                try await eventually("one gives way") { jobs.refused == ["a3"] }
                try await jobs.submit("a4", nil, from: "network", client: "attacker", in: &group)
                // With one more, it would have as many as the other.
                try await jobs.submit("b2", nil, from: "network", client: "user", in: &group)
                #expect(jobs.refused == ["a3", "a4", "b2"])
            } catch { Issue.record(error) }
            jobs.end(["b", "b2"] + (0..<5).map { "a\($0)" })
        }
        #expect(jobs.begun == ["a0", "a1", "a2", "b"])
    }

    @Test func `refuses a job if too many wait for its subject, from whatever source`() async {
        let jobs = Jobs(width: 2, maxWaiting: 2)
        await withTaskGroup(of: Void.self) { group in
            do {
                for name in ["a", "b", "c", "d"] { try await jobs.submit(name, "ada", from: name, in: &group) }
                #expect(jobs.refused == ["d"])
                try await jobs.submit("e", "bob", from: "e", in: &group)
                #expect(jobs.begun == ["a", "e"])
            } catch { Issue.record(error) }
            jobs.end("a", "b", "c", "d", "e")
        }
    }

    /// V1: one source cannot hold all places of an account.
    @Test func `refuses the last job for a subject of the source that has the most of them`() async {
        let jobs = Jobs(width: 2, maxWaiting: 2)
        await withTaskGroup(of: Void.self) { group in
            do {
                for (name, source) in [("a", "one"), ("b", "one"), ("c", "one"), ("d", "two")] {
                    try await jobs.submit(name, "ada", from: source, in: &group)
                }
                #expect(jobs.refused == ["c"])
                // Now each has as many.
                try await jobs.submit("e", "ada", from: "two", in: &group)
                #expect(jobs.refused == ["c", "e"])
            } catch { Issue.record(error) }
            jobs.end("a", "b", "c", "d", "e")
        }
        #expect(jobs.begun == ["a", "d", "b"] || jobs.begun == ["a", "b", "d"])
    }

    @Test func `runs as many jobs of a source at a time as a source may have`() async {
        let jobs = Jobs(width: 4, widthPerSource: 2)
        await withTaskGroup(of: Void.self) { group in
            do {
                for name in ["a", "b", "c", "d"] { try await jobs.submit(name, nil, from: "one", in: &group) }
                try await jobs.submit("e", nil, from: "two", in: &group)
                #expect(jobs.begun == ["a", "b", "e"])
                jobs.end("b")
                try await eventually("the next begins") { jobs.begun == ["a", "b", "e", "c"] }
                jobs.end("a")
                try await eventually("the last begins") { jobs.begun == ["a", "b", "e", "c", "d"] }
            } catch { Issue.record(error) }
            jobs.end("a", "b", "c", "d", "e")
        }
        #expect(jobs.refused.isEmpty)
    }

    @Test func `limits jobs without a source by the width only`() async {
        let jobs = Jobs(width: 3)
        await withTaskGroup(of: Void.self) { group in
            do {
                for name in ["a", "b", "c"] { try await jobs.submit(name, nil, from: nil, in: &group) }
                #expect(jobs.begun.count == 3)
            } catch { Issue.record(error) }
            jobs.end("a", "b", "c")
        }
    }
}
