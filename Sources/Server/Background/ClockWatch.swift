import Accounts
import Base
import Logging
import Store

/// Keeps the stored mark of the clock up to date, follows it, and logs what the wall clock does
/// (V7).
struct ClockWatch: Sendable {
    let clock: HighWaterClock
    let store: Store
    /// The clock of the database, if it has its own.
    var databaseClock: DatabaseClock?
    let logger: Logger

    private static let failureMessage: Logger.Message = "clock mark not stored"
    /// How far the stored mark may be behind. After a crash, a wall clock that is set back revives
    /// what expired within this span.
    private static let maxLag = Duration.seconds(30)

    private let last = Locked<ClockReading?>(nil)

    var job: PeriodicJob {
        PeriodicJob(every: .seconds(5), startsAtOnce: true, failureMessage: Self.failureMessage, logger: logger) {
            () async throws(ActionError) in try await look()
        }
    }

    func look() async throws(ActionError) {
        let reading = clock.reading()
        let before = last.update { last in
            defer { last = reading }
            return last
        }
        if reading.state != before?.state ?? .steady { log(reading) }
        if let before, reading.hasGoneBack(since: before) {
            logger.error("wall clock was ahead since the start and is set back; run onward clock accept", metadata: metadata(of: reading))
        }
        try await synchronize(lag: Self.maxLag)
    }

    /// Stores the exact time at the end of the server.
    func finish() async {
        do throws(ActionError) { try await synchronize(lag: .zero) } catch {
            logger.error(Self.failureMessage, metadata: ["cause": "\(error.cause)"])
        }
    }

    /// Follows the stored mark, and moves it ahead if it is more than `lag` behind.
    func synchronize(lag: Duration) async throws(ActionError) {
        try await store.renewRowIDs()
        try await databaseClock?.refresh()
        let stored = try await store.clockMark()
        if let stored { clock.follow(stored) }
        let mark = ClockMark(time: clock.confirmed(), acceptances: stored?.acceptances ?? 0)
        guard stored.map({ mark.time - $0.time > lag }) ?? true else { return }
        try await store.advanceClock(to: mark)
    }

    private func metadata(of reading: ClockReading) -> Logger.Metadata {
        [
            "wall": "\(reading.wall.iso8601)", "clock": "\(reading.time.iso8601)",
            "offsetSeconds": .stringConvertible(reading.offset.components.seconds),
        ]
    }

    private func log(_ reading: ClockReading) {
        let metadata = metadata(of: reading)
        switch reading.state {
        case .steady: logger.notice("wall clock agrees again", metadata: metadata)
        case .behind: logger.error("wall clock set back, not followed; run onward clock", metadata: metadata)
        case .ahead: logger.error("wall clock jumped ahead, not followed for ten minutes; run onward clock", metadata: metadata)
        case .unconfirmed: logger.notice("wall clock far ahead of the last run, deletions wait ten minutes", metadata: metadata)
        }
    }
}

extension ClockReading {
    /// Whether the time has gone back: the wall clock was far ahead of the mark at the start, and
    /// was set back before it was confirmed. What was written until then may last too long.
    func hasGoneBack(since before: ClockReading) -> Bool { before.state == .unconfirmed && before.time - time > HighWaterClock.maxStep }

    /// The line of `/readyz`; nil if all is well. A server that starts long after the last one
    /// stopped is well.
    var remark: String? {
        switch state {
        case .steady, .unconfirmed: nil
        case .behind: "the wall clock was set back by \(-offset.components.seconds) seconds and is not followed; run onward clock"
        case .ahead: "the wall clock jumped ahead by \(offset.components.seconds) seconds and is not followed yet; run onward clock"
        }
    }
}
