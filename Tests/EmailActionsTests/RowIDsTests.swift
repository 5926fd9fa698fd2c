import Accounts
import Foundation
import Testing

@testable import EmailActions

@Suite struct `A row id` {
    private let noon = Timestamp(seconds: 1_800_000_000)
    private let noise: RandomBytes = { [UInt8](repeating: 0xff, count: $0) }

    @Test func `is unique among codes made in the same millisecond`() async {
        let (rowIDs, noon, noise) = (RowIDs(), noon, noise)
        let all = await withTaskGroup(of: [Int64].self) { makers in
            for _ in 0..<8 { makers.addTask { (0..<1000).map { _ in rowIDs.next(at: noon, random: noise) } } }
            return await makers.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(all).count == 8000)
    }

    @Test func `comes after those of earlier moments`() {
        let rowIDs = RowIDs()
        var last: Int64 = 0
        for seconds in [0, 1, 1, 60, 86_400 * 365 * 50] {
            let rowID = rowIDs.next(at: noon + .seconds(seconds), random: noise)
            #expect(rowID > last)
            last = rowID
        }
    }

    /// C9
    @Test func `is no other's when the clock steps back`() {
        let rowIDs = RowIDs()
        let first = rowIDs.next(at: noon, random: noise)
        #expect(rowIDs.next(at: noon + .seconds(-3600), random: noise) == first + 1)
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func `is above zero at any time a clock may show`(milliseconds: Int64) {
        #expect(RowIDs().next(at: Timestamp(milliseconds: milliseconds), random: noise) > 0)
    }

    /// RowIDs of two processes differ, although the processes do not coordinate.
    @Test func `differs where two begin in the same millisecond`() {
        let random: RandomBytes = { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        let rowIDs = Set((0..<20).map { _ in RowIDs().next(at: noon, random: random) })
        #expect(rowIDs.count > 15)
    }
}
