import Accounts
import Base
import Testing
import World

/// A wall clock that the test sets, a monotonic clock, and a machine's time, which moves both.
private struct Machine {
    let wall = TestClock()
    private let monotonic = TestClock()

    func pass(_ span: Duration) {
        wall.advance(by: span)
        monotonic.advance(by: span)
    }

    /// Sets the wall clock ahead, or back by a negative span.
    func set(by span: Duration) { wall.advance(by: span) }

    /// The clock of a process that starts now.
    func clock(after mark: Timestamp? = nil) -> HighWaterClock {
        HighWaterClock(after: mark.map { ClockMark(time: $0, acceptances: 0) }, wall: wall.now) { [monotonic] in
            monotonic.uptime()
        }
    }
}

/// V7: a clock that is set back revives no code, session or limit. C9: a step of the clock revives
/// no expired code.
@Suite struct `The high-water clock` {
    private let machine = Machine()
    private let start = TestClock().now()
    private let patience = HighWaterClock.patience

    static let spans: [Duration] = [.seconds(1), .seconds(3600), .seconds(86_400)]
    static let jumps: [Duration] = [.milliseconds(3_600_001), .seconds(864_000)]

    @Test func `is the wall clock as long as nobody sets it`() {
        let clock = machine.clock()
        for _ in 0..<5 {
            machine.pass(.seconds(50_000))
            #expect(clock.now() == machine.wall.now() && clock.confirmed() == clock.now())
            #expect(clock.reading().state == .steady && clock.reading().offset == .zero)
        }
    }

    @Test(arguments: spans) func `goes on when the wall clock is set back`(_ span: Duration) {
        let clock = machine.clock()
        machine.pass(.seconds(60))
        #expect(clock.now() == start + .seconds(60))
        machine.set(by: .zero - span)
        #expect(clock.now() == start + .seconds(60))
        machine.pass(.seconds(300))
        #expect(clock.now() == start + .seconds(360) && clock.confirmed() == clock.now())
        #expect(clock.reading().offset == .zero - span)
        #expect(clock.reading().state == (span > .seconds(10) ? .behind : .steady))
        machine.set(by: span)
        #expect(clock.now() == machine.wall.now() && clock.reading().state == .steady)
    }

    @Test(arguments: spans) func `goes on from the mark after a restart with a wall clock that was set back`(_ span: Duration) {
        machine.set(by: .zero - span)
        let clock = machine.clock(after: start)
        #expect(clock.now() == start)
        machine.pass(.seconds(300))
        #expect(clock.now() == start + .seconds(300))
    }

    @Test func `follows a step ahead of up to an hour at once`() {
        let clock = machine.clock()
        machine.set(by: .seconds(3600))
        #expect(clock.now() == start + .seconds(3600) && clock.reading().state == .steady)
    }

    @Test(arguments: jumps) func `follows a larger jump ahead after ten minutes`(_ jump: Duration) {
        let clock = machine.clock()
        machine.set(by: jump)
        #expect(clock.now() == start && clock.reading().state == .ahead && clock.reading().offset == jump)
        machine.pass(patience - .milliseconds(1))
        #expect(clock.now() == start + (patience - .milliseconds(1)))
        machine.pass(.milliseconds(1))
        #expect(clock.now() == start + (patience + jump) && clock.confirmed() == clock.now())
        #expect(clock.reading().state == .steady)
    }

    @Test(arguments: jumps) func `never follows a moment of nonsense`(_ jump: Duration) {
        let clock = machine.clock()
        machine.set(by: jump)
        _ = clock.now()
        machine.pass(.seconds(599))
        machine.set(by: .zero - jump)
        #expect(clock.now() == start + .seconds(599) && clock.reading().state == .steady)
        // The next jump waits for the whole ten minutes again.
        machine.set(by: jump)
        _ = clock.now()
        machine.pass(.seconds(599))
        #expect(clock.now() == start + .seconds(1198))
    }

    @Test func `waits again if the wall clock jumps again`() {
        let clock = machine.clock()
        for _ in 0..<5 {
            machine.set(by: .seconds(7200))
            #expect(clock.reading().state == .ahead)
            machine.pass(.seconds(599))
        }
        #expect(clock.now() == start + .seconds(5 * 599))
        machine.pass(.seconds(1))
        #expect(clock.now() == machine.wall.now())
    }

    /// The wall clock is far ahead because no server ran; its time is used, but not for deletions.
    @Test func `uses the wall clock long after the last run, and confirms it after ten minutes`() {
        let clock = machine.clock(after: start)
        machine.set(by: .seconds(200_000))
        #expect(clock.now() == machine.wall.now() && clock.confirmed() == start)
        #expect(clock.reading().state == .unconfirmed && clock.reading().offset == .zero)
        machine.pass(.seconds(599))
        #expect(clock.now() == machine.wall.now() && clock.confirmed() == start + .seconds(599))
        machine.pass(.seconds(1))
        #expect(clock.now() == machine.wall.now() && clock.confirmed() == machine.wall.now())
        // From now on, a jump is one.
        machine.set(by: .seconds(200_000))
        #expect(clock.reading().state == .ahead)
    }

    @Test func `returns from a wrong start`() {
        let clock = machine.clock(after: start)
        machine.set(by: .seconds(864_000))
        #expect(clock.now() == machine.wall.now())
        machine.pass(.seconds(30))
        machine.set(by: .seconds(-864_000))
        #expect(clock.now() == start + .seconds(30) && clock.confirmed() == clock.now() && clock.reading().state == .steady)
    }

    /// A machine without a battery asks for the time after its start.
    @Test func `uses the wall clock that was behind at the start and is corrected`() {
        machine.set(by: .seconds(-864_000))
        let clock = machine.clock(after: start)
        #expect(clock.now() == start)
        machine.pass(.seconds(5))
        machine.set(by: .seconds(2 * 864_000))
        #expect(clock.now() == machine.wall.now() && clock.confirmed() == start + .seconds(5))
    }

    @Test(arguments: [-864_000, -3600, 0, 3600, 864_000].map { Duration.seconds($0) })
    func `takes the wall clock that an operator accepted at once`(_ step: Duration) {
        let clock = machine.clock()
        machine.set(by: step)
        _ = clock.now()
        machine.pass(.seconds(5))
        clock.follow(ClockMark(time: machine.wall.now(), acceptances: 1))
        #expect(clock.now() == machine.wall.now() && clock.confirmed() == machine.wall.now() && clock.reading().state == .steady)
        // An acceptance counts once.
        machine.pass(.seconds(60))
        machine.set(by: .seconds(-3600))
        clock.follow(ClockMark(time: start + step, acceptances: 1))
        #expect(clock.now() == start + step + .seconds(65))
    }

    @Test func `follows the mark of another process`() {
        let clock = machine.clock()
        clock.follow(ClockMark(time: start + .seconds(9000), acceptances: 0))
        machine.pass(.seconds(1))
        #expect(clock.now() == start + .seconds(9001))
        clock.follow(ClockMark(time: start, acceptances: 0))
        #expect(clock.now() == start + .seconds(9001))
    }

    @Test func `never goes back, however the wall clock is set`() {
        let clock = machine.clock()
        var (last, seed) = (clock.now(), UInt64(1))
        for _ in 0..<10_000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            machine.pass(.milliseconds(seed >> 40 % 100_000))
            if seed >> 33 % 3 == 0 { machine.set(by: .milliseconds(Int64(seed >> 30 % 20_000_000) - 10_000_000)) }
            let now = clock.now()
            #expect(now >= last)
            last = now
        }
    }
}
