import Base
import Foundation
import Synchronization
import Testing
@testable import Accounts

@Suite struct `A row id` {
    private func rowIDs(_ number: Int = 0, start: Int64 = 1_800_000_000_000, uptime: Uptime = .zero) -> RowIDs {
        let rowIDs = RowIDs { uptime }
        rowIDs.use(RowIDs.Range(number: number, start: start))
        return rowIDs
    }

    @Test func `is unique among those made in the same millisecond`() async {
        let rowIDs = rowIDs()
        let all = await withTaskGroup(of: [Int64].self) { makers in
            for _ in 0..<8 { makers.addTask { (0..<10_000).map { _ in rowIDs.next() } } }
            return await makers.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(all).count == 80_000)
    }

    /// Processes with neighbouring numbers, and the next range of a number, at the same moments.
    @Test func `is no other process's`() {
        var all: Set<Int64> = []
        for number in [0, 1, 253, 254] {
            for start in [0, RowIDs.Range.span.milliseconds] {
                let rowIDs = rowIDs(number, start: 1_800_000_000_000 + start)
                // More than there are in one millisecond.
                for _ in 0..<20_000 { all.insert(rowIDs.next()) }
            }
        }
        #expect(all.count == 8 * 20_000)
    }

    @Test func `grows with time, and stays in its range`() {
        let clock = Mutex(Uptime.zero)
        let rowIDs = RowIDs { clock.withLock(\.self) }
        rowIDs.use(RowIDs.Range(number: 7, start: 1_800_000_000_000))
        var last: Int64 = 0
        // Also after the range has ended without a new one.
        for seconds in [0, 1, 1, 60, 599, 601, 86_400] {
            clock.withLock { $0 = Uptime(.seconds(seconds)) }
            let id = rowIDs.next()
            #expect(id > last)
            #expect((1_800_000_000_000..<1_800_000_600_000).contains(id >> 21) && id >> 13 & 255 == 7)
            last = id
        }
    }

    @Test func `asks for a new range in time`() {
        let clock = Mutex(Uptime.zero)
        let rowIDs = RowIDs { clock.withLock(\.self) }
        #expect(rowIDs.needsRange)
        rowIDs.use(RowIDs.Range(number: 0, start: 0))
        #expect(!rowIDs.needsRange)
        clock.withLock { $0 += RowIDs.Range.span / 2 }
        #expect(rowIDs.needsRange)
        rowIDs.use(RowIDs.Range(number: 1, start: 0))
        #expect(!rowIDs.needsRange)
    }

    @Test(arguments: [Int64.min, -1, 0, 1 << 62])
    func `is above zero at any time a clock may show`(start: Int64) {
        let rowIDs = rowIDs(start: start)
        for _ in 0..<9 { #expect(rowIDs.next() > 0) }
    }

    /// A command that runs without a range must not make the ids of a server.
    @Test func `has a number that nobody reserves if there is no range`() {
        let rowIDs = RowIDs()
        let ids = (0..<1000).map { _ in rowIDs.next() }
        #expect(Set(ids).count == 1000 && ids.allSatisfy { $0 > 0 && $0 >> 13 & 255 == 255 })
    }
}
