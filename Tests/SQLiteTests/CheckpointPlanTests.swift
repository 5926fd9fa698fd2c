import Testing
@testable import SQLite

/// With a WAL that is checkpointed from 320 pages on, so the writer copies at most 10 itself, and
/// from 1280 on as many as there are.
@Suite struct `A plan of checkpoints` {
    private var plan = CheckpointPlan(startLength: 320)

    /// The steps during commits of three pages each, by the length of the WAL. All steps reach the
    /// end of the WAL.
    private mutating func steps(from length: Int, to end: Int) -> [Int: CheckpointPlan.Step] {
        var steps: [Int: CheckpointPlan.Step] = [:]
        for length in stride(from: length, through: end, by: 3) {
            let step = plan.step(length: length)
            guard step != .none else { continue }
            steps[length] = step
            plan.finish(copied: length)
        }
        return steps
    }

    @Test mutating func `copies the WAL in the background, and the rest with the next commit`() {
        #expect(steps(from: 3, to: 330) == [321: .background, 324: .inline, 327: .inline, 330: .inline])
        // The WAL restarted.
        #expect(steps(from: 3, to: 324) == [321: .background, 324: .inline])
    }

    @Test mutating func `takes one step at a time`() {
        #expect(plan.step(length: 320) == .background)
        #expect(plan.step(length: 400) == .none)
        plan.finish(copied: 320)
        #expect(plan.step(length: 403) == .background)
        plan.finish(copied: 403)
        #expect(plan.step(length: 406) == .inline)
    }

    /// As many pages come while the background copies as it copies.
    @Test mutating func `makes the writer copy the rest, however long, if commits are faster than the background`() {
        var (length, steps) = (320, [Int: CheckpointPlan.Step]())
        while length < 1600 {
            steps[length] = plan.step(length: length)
            _ = plan.step(length: length + 320)
            plan.finish(copied: length)
            length += 320
        }
        #expect(steps == [320: .background, 640: .background, 960: .background, 1280: .inline])
    }

    /// Waiting would not help, and when the reader has ended, the writer would copy everything.
    @Test mutating func `never makes the writer copy what a long read holds back`() {
        for length in stride(from: 320, to: 4000, by: 10) {
            #expect(plan.step(length: length) != .inline)
            plan.finish(copied: 100)
        }
        #expect(plan.step(length: 4000) == .background)
        plan.finish(copied: 4000)
        #expect(plan.step(length: 4003) == .inline)
    }

    @Test mutating func `ignores the result of a checkpoint during which the WAL restarted`() {
        #expect(plan.step(length: 320) == .background)
        #expect(plan.step(length: 3) == .none)
        plan.finish(copied: 320)
        #expect(plan.step(length: 319) == .none)
        #expect(plan.step(length: 330) == .background)
    }

    /// A reader is in the way, or the disk is full.
    @Test(arguments: [100, nil]) mutating func `tries again after some more pages, not after each commit`(copied: Int?) {
        #expect(plan.step(length: 320) == .background)
        plan.finish(copied: copied)
        #expect(plan.step(length: 329) == .none)
        #expect(plan.step(length: 330) == .background)
    }

    /// D4: a write that fails leaves nothing half done.
    @Test mutating func `takes no step after a sync has failed`() {
        plan.stop()
        #expect(steps(from: 3, to: 2000).isEmpty)
    }
}
