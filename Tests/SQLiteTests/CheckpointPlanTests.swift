@testable import SQLite
import Testing

/// With a log that begins anew at 320 pages, so that the writer may wait for 10.
@Suite struct `A plan of checkpoints` {
    private var plan = CheckpointPlan(pages: 320, database: 0)

    /// Commits of three pages until something is to be done, and how long the log is then.
    private mutating func steps(from length: Int, to end: Int, transactions: Int) -> [Int: CheckpointPlan.Step] {
        var steps: [Int: CheckpointPlan.Step] = [:]
        for length in stride(from: length, through: end, by: 3) {
            let step = plan.step(length: length, transactions: transactions)
            guard step != .none else { continue }
            steps[length] = step
            plan.finish(taken: length)
        }
        return steps
    }

    @Test mutating func `takes the log over beside the writer, and then the rest with the next commit`() {
        #expect(steps(from: 3, to: 330, transactions: 1) == [321: .piece(isEnding: true), 324: .rest, 327: .rest, 330: .rest])
        // It began anew.
        #expect(steps(from: 3, to: 324, transactions: 1) == [321: .piece(isEnding: true), 324: .rest])
    }

    @Test mutating func `begins one thing at a time`() {
        #expect(plan.step(length: 320, transactions: 1) == .piece(isEnding: true))
        #expect(plan.step(length: 400, transactions: 1) == .none)
        plan.finish(taken: 320)
        #expect(plan.step(length: 403, transactions: 1) == .piece(isEnding: true))
        plan.finish(taken: 403)
        #expect(plan.step(length: 406, transactions: 1) == .rest)
    }

    /// Beginning anew holds up all who wait.
    @Test mutating func `lets the log become longer while many commit together`() {
        let steps = steps(from: 3, to: 969, transactions: 8)
        #expect(
            steps == [
                321: .piece(isEnding: false), 642: .piece(isEnding: false), 960: .piece(isEnding: true), 963: .rest, 966: .rest, 969: .rest,
            ])
    }

    @Test mutating func `ends it once there are few, and not when one is alone by chance`() {
        #expect(steps(from: 3, to: 600, transactions: 8) == [321: .piece(isEnding: false)])
        #expect(plan.step(length: 603, transactions: 1) == .none)
        #expect(plan.step(length: 606, transactions: 8) == .none)
        #expect(plan.step(length: 609, transactions: 1) == .none)
        #expect(steps(from: 612, to: 615, transactions: 1) == [612: .piece(isEnding: true), 615: .rest])
    }

    /// As much comes while a piece is taken over as was in it.
    @Test mutating func `lets everyone wait in the end, where the disk does not keep up`() {
        var (length, steps) = (320, [Int: CheckpointPlan.Step]())
        while length < 2400 {
            steps[length] = plan.step(length: length, transactions: 8)
            _ = plan.step(length: length + 400, transactions: 8)
            plan.finish(taken: length)
            length += 400
        }
        #expect(steps.filter { $0.value == .rest }.keys.min() == 1920)
        #expect(steps.count == 6)
    }

    /// Waiting would not help, and when that one is gone, the writer would wait for all of it.
    @Test mutating func `lets nobody wait where somebody reads what came long before`() {
        for length in stride(from: 320, to: 4000, by: 10) {
            #expect(plan.step(length: length, transactions: 8) != .rest)
            plan.finish(taken: 100)
        }
        #expect(plan.step(length: 4000, transactions: 8) == .piece(isEnding: true))
        plan.finish(taken: 4000)
        #expect(plan.step(length: 4003, transactions: 8) == .rest)
    }

    /// A piece that reached the end is still being synced, and commits go on.
    @Test mutating func `forgets what is under way once the log has begun anew`() {
        #expect(plan.step(length: 320, transactions: 1) == .piece(isEnding: true))
        #expect(plan.step(length: 3, transactions: 1) == .none)
        plan.finish(taken: 320)
        #expect(plan.taken == 0)
        #expect(plan.step(length: 319, transactions: 1) == .none)
        #expect(plan.step(length: 330, transactions: 1) == .piece(isEnding: true))
    }

    /// Somebody reads what came before, or the disk is full.
    @Test(arguments: [100, nil]) mutating func `does not try the same again and again`(taken: Int?) {
        #expect(plan.step(length: 320, transactions: 1) == .piece(isEnding: true))
        plan.finish(taken: taken)
        #expect(plan.step(length: 329, transactions: 1) == .none)
        #expect(plan.step(length: 330, transactions: 1) == .piece(isEnding: true))
    }

    @Test(arguments: [(0, 320), (3200, 320), (5000, 500), (12_800, 1280), (1_000_000, 1280)])
    func `lets the log of a large database become longer`(database: Int, pages: Int) {
        for (transactions, isEnding) in [(1, true), (8, pages >= 960)] {
            var plan = CheckpointPlan(pages: 320, database: database)
            #expect(plan.step(length: pages - 1, transactions: transactions) == .none)
            #expect(plan.step(length: pages, transactions: transactions) == .piece(isEnding: isEnding))
            // The writer waits for no more of it than of another.
            plan.finish(taken: pages)
            #expect(plan.step(length: pages + 11, transactions: 1) != .rest)
        }
    }

    /// D4
    @Test mutating func `has nothing more to do once a sync has failed`() {
        plan.isLost = true
        #expect(steps(from: 3, to: 2000, transactions: 1).isEmpty)
    }
}
