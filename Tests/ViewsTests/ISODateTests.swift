import Foundation
import Testing
@testable import Views

@Suite struct `A time in ISO 8601` {
    @Test(arguments: [
        -62_135_596_800, -1, 0, 951_782_399, 951_782_400, 1_582_979_696.9, 1_763_739_252, 1_777_777_777.5, 4_102_444_799, 253_402_300_799,
    ])
    func `is written as Foundation writes it`(seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(date.iso == Date(timeIntervalSince1970: seconds.rounded(.down)).formatted(.iso8601))
    }
}
