import Accounts
import Testing
@testable import Mail

@Suite struct `The pace of a project's mails` {
    private let shop = ProjectID(rawValue: "shop")
    private var paces = MailPaces()

    private mutating func send(_ count: Int, perMinute pace: Int, at now: Duration) {
        for _ in 0..<count { paces.count(shop, at: .init(perMinute: pace), now: now) }
    }

    @Test(arguments: [1, 7, 600, 1_000_000])
    mutating func `is a minute's mails at once, regained evenly`(pace: Int) {
        let start = Duration.seconds(5)
        #expect(paces.allowance(of: shop, at: .init(perMinute: pace), now: start) == pace)
        send(pace, perMinute: pace, at: start)
        #expect(paces.allowance(of: shop, at: .init(perMinute: pace), now: start) == 0)
        #expect(paces.allowance(of: shop, at: .init(perMinute: pace), now: start + .seconds(30)) == pace / 2)
        #expect(paces.allowance(of: shop, at: .init(perMinute: pace), now: start + .seconds(60)) == pace)
        #expect(paces.allowance(of: shop, at: .init(perMinute: pace), now: start + .seconds(3600)) == pace)
    }

    @Test mutating func `does not depend on other projects`() {
        send(600, perMinute: 600, at: .zero)
        #expect(paces.allowance(of: ProjectID(rawValue: "club"), at: .init(perMinute: 600), now: .zero) == 600)
    }

    /// Mails that were counted before a lease ended, or at a higher pace, are made up for.
    @Test mutating func `is regained also after more than a minute's mails`() {
        send(90, perMinute: 60, at: .zero)
        #expect(paces.allowance(of: shop, at: .init(perMinute: 60), now: .seconds(30)) == 0)
        #expect(paces.allowance(of: shop, at: .init(perMinute: 60), now: .seconds(60)) == 30)
        #expect(paces.allowance(of: shop, at: .init(perMinute: 6), now: .zero) == 0)
    }

    /// N6: three processes together send no more than one does, also where the pace is less
    /// than a mail for each.
    @Test(arguments: [1, 2, 7, 600]) func `is shared by processes`(pace: Int) {
        let part = MailPaces.Pace(perMinute: pace, nodes: 3)
        var (paces, sent) = (MailPaces(), 0)
        for second in 0..<3600 {
            let now = Duration.seconds(second)
            for _ in 0..<paces.allowance(of: shop, at: part, now: now) {
                paces.count(shop, at: part, now: now)
                sent += 1
            }
        }
        #expect(3 * sent <= pace * 60 + 3 * part.count && 3 * sent >= pace * 59)
        #expect(3 * part.count <= max(3, pace))
    }
}
