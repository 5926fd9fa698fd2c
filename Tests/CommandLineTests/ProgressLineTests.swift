import Testing
@testable import CommandLine

@Suite struct `A line of progress` {
    @Test func `says the share, the time left and the rate`() {
        func line(_ share: Double?, after seconds: Int, refused: Int = 0) -> String {
            ProgressLine.line(5000, refused: refused, share: share, after: .seconds(seconds))
        }
        #expect(line(0.25, after: 10, refused: 2) == "5,000 users, 25 %, 30 s left, 500 a second, 2 refused")
        #expect(line(0.01, after: 5) == "5,000 users, 1 %, 9 min left, 1,000 a second")
        // The first seconds say little.
        #expect(line(0.25, after: 2) == "5,000 users, 25 %, 2,500 a second")
        #expect(line(1, after: 10) == "5,000 users, 100 %, 500 a second")
        #expect(line(nil, after: 10) == "5,000 users, 500 a second")
    }
}
