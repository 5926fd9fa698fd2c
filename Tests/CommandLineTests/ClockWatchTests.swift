import Accounts
import ArgumentParser
import Base
import Foundation
import Logging
import Store
import Synchronization
import Testing
import World
@testable import CommandLine
@testable import Configuration
@testable import Server

/// V7: a clock that is set back revives no code, session or limit.
@Suite struct `The clock of an installation` {
    private func watch(_ world: World, after mark: ClockMark? = nil) -> ClockWatch {
        // The monotonic clock stands still, so only the wall clock moves.
        let clock = HighWaterClock(after: mark, wall: world.clock.now) { .zero }
        return ClockWatch(clock: clock, store: world.store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `is stored every half minute, exactly at the end, and goes on from there`() async throws {
        let world = try await World()
        let (start, first) = (world.clock.now(), watch(world))
        try await first.synchronize(lag: .seconds(30))
        #expect(try await world.store.clockMark()?.time == start)
        world.clock.advance(by: .seconds(30))
        try await first.synchronize(lag: .seconds(30))
        #expect(try await world.store.clockMark()?.time == start)
        await first.finish()
        #expect(try await world.store.clockMark()?.time == start + .seconds(30))

        world.clock.advance(by: .seconds(-86_400))
        let second = watch(world, after: try await world.store.clockMark())
        #expect(second.clock.now() == start + .seconds(30))
        await second.finish()
        #expect(try await world.store.clockMark()?.time == start + .seconds(30))
    }

    /// An unconfirmed time moves no mark, and so ends nothing for good.
    @Test func `does not store a time that is not confirmed`() async throws {
        let world = try await World()
        let start = world.clock.now()
        await watch(world).finish()
        let second = watch(world, after: try await world.store.clockMark())
        world.clock.advance(by: .seconds(864_000))
        #expect(second.clock.now() == world.clock.now())
        await second.finish()
        #expect(try await world.store.clockMark()?.time == start)
    }

    /// The time goes back then, and a link that was sent in that time would work for as long.
    @Test func `that was ahead at a start and is set right says what to do`() async throws {
        let world = try await World()
        await watch(world).finish()
        let early = try await world.issue(.resetPassword)
        world.clock.advance(by: .seconds(864_000))
        let log = RecordedLog()
        let clock = HighWaterClock(after: try await world.store.clockMark(), wall: world.clock.now) { .zero }
        let second = ClockWatch(clock: clock, store: world.store, logger: Logger(label: "test") { _ in log })
        try await second.look()
        let ahead = world.timed(by: clock.now)
        let late = try #require(try await ahead.send(.verifyEmail))
        try await second.look()
        func isLive(_ code: OobCode) async throws -> Bool {
            if case .live = try await ahead.accounts.inspect(code, in: world.project) { true } else { false }
        }
        #expect(try await isLive(late))
        func advices() -> Int {
            log.lines.withLock { $0.count { $0.contains("wall clock was ahead since the start and is set back; run onward clock accept") } }
        }
        #expect(advices() == 0)

        world.clock.advance(by: .seconds(-864_000))
        try await second.look()
        #expect(advices() == 1)
        try await world.store.acceptClock(at: world.clock.now())
        try await second.look()
        #expect(try await !isLive(late))
        #expect(try await isLive(early))
        #expect(advices() == 1)
    }

    /// A server follows some seconds later, and mails links with the time that was ahead until
    /// then.
    @Test func `the clock is set back in every process by onward clock accept, which is recorded`() async throws {
        let world = try await World()
        let watch = watch(world)
        await watch.finish()
        world.clock.advance(by: .seconds(-86_400))
        #expect(watch.clock.reading().state == .behind)
        let server = world.timed(by: watch.clock.now)
        var codes: [OobCode] = []
        try await ClockCommand.Accept.accept(world.clock.now, in: world.store) {
            codes.append(try await server.issue(.resetPassword))
            try await watch.synchronize(lag: .zero)
            codes.append(try #require(try await server.send(.verifyEmail)))
        }
        #expect(watch.clock.reading().state == .steady && watch.clock.now() == world.clock.now())
        await #expect(throws: ActionError.self) { try await server.redeem(codes[0], with: .newPassword("a long phrase")) }
        try await server.redeem(codes[1])
        #expect(try await world.store.audit(after: 0, limit: 9).map(\.record.method) == ["clock accept"])
    }

    /// The clock is set by then, and the command can be run again.
    @Test func `onward clock accept can be interrupted while it waits for servers`() async throws {
        let setup = try Users.Setup()
        try await DatabaseSetting.sqlite(path: setup.file("onward.sqlite")).withStore(creating: true) { store in
            let config = ["--config", setup.file("onward.yaml")]
            let command = Task { try await ClockCommand.Accept.parse(config).run() }
            // Only the wait ends sooner.
            command.cancel()
            await #expect(throws: ExitCode.failure) { try await command.value }
            let mark = try await store.clockMark()
            #expect(mark?.acceptances == 1)
        }
    }

    @Test func `is explained by onward clock`() {
        let noon = Timestamp(seconds: 1_800_000_000)
        func summary(_ seconds: Int64) -> String {
            ClockCommand.summary(wall: noon + .seconds(seconds), mark: ClockMark(time: noon, acceptances: 0))
        }
        #expect(summary(0) == "wall  2027-01-15T08:00:00.000Z\nmark  2027-01-15T08:00:00.000Z\nstate the wall clock is used")
        #expect(summary(3600).hasSuffix("is used"))
        #expect(summary(-11).contains("behind the mark"))
        #expect(summary(3601).contains("far ahead of the mark"))
        #expect(ClockCommand.summary(wall: noon, mark: nil).contains("mark  none"))
    }

    @Test func `is a remark for readiness only when the wall clock is not followed`() {
        let wall = TestClock()
        let clock = HighWaterClock(after: nil, wall: wall.now) { .zero }
        #expect(clock.reading().remark == nil)
        wall.advance(by: .seconds(-60))
        #expect(clock.reading().remark == "the wall clock was set back by 60 seconds and is not followed; run onward clock")
        wall.advance(by: .seconds(60 + 7200))
        #expect(clock.reading().remark == "the wall clock jumped ahead by 7200 seconds and is not followed yet; run onward clock")
        let late = HighWaterClock(after: ClockMark(time: clock.now(), acceptances: 0), wall: wall.now) { .zero }
        #expect(late.reading().state == .unconfirmed && late.reading().remark == nil)
    }
}
