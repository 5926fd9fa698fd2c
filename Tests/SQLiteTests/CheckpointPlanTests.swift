@testable import SQLite
import Testing

/// With a log that begins anew at 320 pages, so that the writer may wait for 10.
@Suite struct `A plan of checkpoints` {
    private var plan = CheckpointPlan(pages: 320)

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
        #expect(steps(from: 3, to: 330, transactions: 1) == [321: .piece(isUrgent: false), 324: .rest, 327: .rest, 330: .rest])
        // It began anew.
        #expect(steps(from: 3, to: 324, transactions: 1) == [321: .piece(isUrgent: false), 324: .rest])
    }

    @Test mutating func `begins one thing at a time`() {
        #expect(plan.step(length: 320, transactions: 1) == .piece(isUrgent: false))
        #expect(plan.step(length: 400, transactions: 1) == .none)
        plan.finish(taken: 320)
        #expect(plan.step(length: 403, transactions: 1) == .piece(isUrgent: false))
        plan.finish(taken: 403)
        #expect(plan.step(length: 406, transactions: 1) == .rest)
    }

    /// Beginning anew holds up all who wait.
    @Test mutating func `lets the log become longer while many commit together`() {
        let steps = steps(from: 3, to: 969, transactions: 8)
        #expect(
            steps == [
                321: .piece(isUrgent: false), 642: .piece(isUrgent: false), 960: .piece(isUrgent: true), 963: .rest, 966: .rest, 969: .rest,
            ])
    }

    @Test mutating func `ends it once there are few, and not when one is alone by chance`() {
        #expect(steps(from: 3, to: 600, transactions: 8) == [321: .piece(isUrgent: false)])
        #expect(plan.step(length: 603, transactions: 1) == .none)
        #expect(plan.step(length: 606, transactions: 8) == .none)
        #expect(plan.step(length: 609, transactions: 1) == .none)
        #expect(steps(from: 612, to: 615, transactions: 1) == [612: .piece(isUrgent: false), 615: .rest])
    }

    @Test mutating func `lets everyone wait in the end, where what was taken over is never all`() {
        var steps: [Int: CheckpointPlan.Step] = [:]
        for length in 1...2000 {
            let step = plan.step(length: length, transactions: 8)
            guard step != .none else { continue }
            steps[length] = step
            plan.finish(taken: step == .rest ? length : max(0, length - 200))
        }
        #expect(steps.filter { $0.value == .rest }.keys.min() == 1920)
    }

    /// Somebody reads what came before, or the disk is full.
    @Test(arguments: [100, nil]) mutating func `does not try the same again and again`(taken: Int?) {
        #expect(plan.step(length: 320, transactions: 1) == .piece(isUrgent: false))
        plan.finish(taken: taken)
        #expect(plan.step(length: 329, transactions: 1) == .none)
        #expect(plan.step(length: 330, transactions: 1) == .piece(isUrgent: false))
    }

    /// D4
    @Test mutating func `has nothing more to do once a sync has failed`() {
        plan.isLost = true
        #expect(steps(from: 3, to: 2000, transactions: 1).isEmpty)
    }
}
