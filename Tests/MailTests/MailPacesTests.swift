import Accounts
import Testing

@testable import Mail

@Suite struct `The pace of a project's mails` {
    private let shop = ProjectID(rawValue: "shop")
    private var paces = MailPaces()

    private mutating func send(_ count: Int, perMinute pace: Int, at now: Duration) {
        for _ in 0..<count { paces.count(shop, perMinute: pace, at: now) }
    }

    @Test(arguments: [1, 7, 600, 1_000_000])
    mutating func `is a minute's mails at once, regained evenly`(pace: Int) {
        let start = Duration.seconds(5)
        #expect(paces.allowance(of: shop, perMinute: pace, at: start) == pace)
        send(pace, perMinute: pace, at: start)
        #expect(paces.allowance(of: shop, perMinute: pace, at: start) == 0)
        #expect(paces.allowance(of: shop, perMinute: pace, at: start + .seconds(30)) == pace / 2)
        #expect(paces.allowance(of: shop, perMinute: pace, at: start + .seconds(60)) == pace)
        #expect(paces.allowance(of: shop, perMinute: pace, at: start + .seconds(3600)) == pace)
    }

    @Test mutating func `does not depend on other projects`() {
        send(600, perMinute: 600, at: .zero)
        #expect(paces.allowance(of: ProjectID(rawValue: "club"), perMinute: 600, at: .zero) == 600)
    }

    /// Mails that were counted before a lease ended, or at a higher pace, are made up for.
    @Test mutating func `is regained also after more than a minute's mails`() {
        send(90, perMinute: 60, at: .zero)
        #expect(paces.allowance(of: shop, perMinute: 60, at: .seconds(30)) == 0)
        #expect(paces.allowance(of: shop, perMinute: 60, at: .seconds(60)) == 30)
        #expect(paces.allowance(of: shop, perMinute: 6, at: .zero) == 0)
    }
}
