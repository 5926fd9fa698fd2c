import Base
import Foundation
import Testing
@testable import Accounts

@Suite struct `A bucket` {
    static let start = Timestamp(seconds: 1_800_000_000)

    @Test(arguments: [(1, Duration.seconds(1)), (7, .seconds(60)), (10, .minutes(15)), (1_000_000, .hours(1))])
    func `gives all its tokens at once, and each again after its time`(count: Int, span: Duration) {
        var buckets = Buckets(Allowance(count, per: span), capacity: 8)
        for _ in 0..<count {
            #expect(buckets.wait(of: 1, at: Self.start) == .zero)
            buckets.take(from: 1, at: Self.start)
        }
        let wait = buckets.wait(of: 1, at: Self.start)
        #expect(wait > .zero && wait <= span)
        #expect(wait == .microseconds(span.milliseconds * 1000 / Int64(count)))
        #expect(buckets.wait(of: 2, at: Self.start) == .zero, "another's bucket")
        let later = Self.start + .milliseconds((wait / .milliseconds(1)).rounded(.up))
        #expect(buckets.wait(of: 1, at: later) == .zero)
        #expect(wait < .milliseconds(1) || buckets.wait(of: 1, at: later + .milliseconds(-1)) > .zero)
    }

    @Test func `takes back only tokens that were taken`() {
        var buckets = Buckets(Allowance(2, per: .minutes(1)), capacity: 8)
        for _ in 0..<2 { buckets.take(from: 1, at: Self.start) }
        buckets.giveBack(to: 1)
        #expect(buckets.wait(of: 1, at: Self.start) == .zero)
        buckets.take(from: 1, at: Self.start)
        buckets.giveBack(to: 9)
        #expect(buckets.wait(of: 1, at: Self.start) == .seconds(30))
        buckets.fill(1)
        #expect(buckets.wait(of: 1, at: Self.start) == .zero)
    }

    @Test func `bounds the wait when the clock is set back`() {
        var buckets = Buckets(Allowance(3, per: .minutes(3)), capacity: 8)
        for _ in 0..<3 { buckets.take(from: 1, at: Self.start) }
        #expect(buckets.wait(of: 1, at: Self.start + .days(-1)) == .minutes(1))
    }

    /// B5: an account under attack gets no attempts back, however many new subjects come.
    @Test func `stays empty under a flood that fills the table many times`() {
        var buckets = Buckets(Allowance(5, per: .hours(1)), capacity: 1024)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5 { buckets.take(from: 1, at: Self.start) }
        for _ in 0..<100_000 {
            let fresh = UInt64.random(in: 2 ... .max, using: &random)
            guard buckets.wait(of: fresh, at: Self.start) == .zero else { continue }
            buckets.take(from: fresh, at: Self.start)
        }
        #expect(buckets.wait(of: 1, at: Self.start) >= .minutes(12))
    }

    /// B5: 10^6 sources in the memory of 10^5; sources after the flood have their full allowance.
    @Test func `bounds the memory of a million sources`() {
        var buckets = Buckets(Limit.signUpsPerSource.standard)
        for source in 0..<1_000_000 {
            let subject = UInt64(source) &* 0x9e37_79b9_7f4a_7c15
            if buckets.wait(of: subject, at: Self.start) == .zero { buckets.take(from: subject, at: Self.start) }
        }
        #expect(Buckets.maxBytes * Limit.allCases.count < 100_000_000)
        #expect(buckets.wait(of: 1, at: Self.start + .minutes(10)) == .zero)
    }

    /// Tests the claim of `Buckets`: a subject never has more tokens than in an unbounded table.
    @Test func `never gives more than an unbounded table would`() {
        var random = SystemRandomNumberGenerator()
        var bounded = Buckets(Allowance(4, per: .minutes(4)), capacity: 16)
        var unbounded: [UInt64: Buckets] = [:]
        var now = Self.start
        for _ in 0..<20_000 {
            let subject = UInt64.random(in: 0..<60, using: &random)
            var own = unbounded[subject] ?? Buckets(Allowance(4, per: .minutes(4)), capacity: 8)
            if bounded.wait(of: subject, at: now) == .zero {
                #expect(own.wait(of: subject, at: now) == .zero)
                bounded.take(from: subject, at: now)
                own.take(from: subject, at: now)
                unbounded[subject] = own
            }
            now = now + .milliseconds(Int64.random(in: 0..<4000, using: &random))
        }
    }
}

@Suite struct `A source` {
    /// B6: a source is an IPv4 address or a /64 of IPv6.
    @Test(arguments: [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true), ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ("::ffff:192.0.2.1", "192.0.2.1", true), ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false), ("192.0.2.1", "192.0.2.2", false),
        ("fe80::1%eth0", "fe80::2%eth1", true), ("::ffff:c000:201", "192.0.2.1", true),
    ])
    func `is an IPv4 address or a network of IPv6`(one: String, other: String, same: Bool) {
        #expect((Source(one) == Source(other)) == same)
    }
}
