import Base
import Testing

@Suite struct `A table of token buckets` {
    static let start = Uptime(.seconds(1_000))

    @Test(arguments: [(1, Duration.seconds(1)), (7, .seconds(60)), (10, .minutes(15)), (1_000_000, .hours(1))])
    func `a table gives all tokens of a bucket at once, and each again after its time`(count: Int, span: Duration) {
        var buckets = BucketTable(Allowance(count, per: span), capacity: 8)
        for _ in 0..<count {
            #expect(buckets.wait(of: 1, at: Self.start) == .zero)
            buckets.take(from: 1, at: Self.start)
        }
        let wait = buckets.wait(of: 1, at: Self.start)
        #expect(wait > .zero && wait <= span)
        #expect(wait == .microseconds(span.milliseconds * 1000 / Int64(count)))
        #expect(buckets.wait(of: 2, at: Self.start) == .zero, "another's bucket")
        #expect(buckets.wait(of: 1, at: Self.start + wait) == .zero)
        #expect(buckets.wait(of: 1, at: Self.start + wait - .microseconds(1)) > .zero)
    }

    @Test func `a table takes back only tokens that were taken`() {
        var buckets = BucketTable(Allowance(2, per: .minutes(1)), capacity: 8)
        for _ in 0..<2 { buckets.take(from: 1, at: Self.start) }
        buckets.giveBack(to: 1)
        #expect(buckets.wait(of: 1, at: Self.start) == .zero)
        buckets.take(from: 1, at: Self.start)
        buckets.giveBack(to: 9)
        #expect(buckets.wait(of: 1, at: Self.start) == .seconds(30))
        buckets.fill(1)
        #expect(buckets.wait(of: 1, at: Self.start) == .zero)
    }

    @Test func `a table bounds the wait when the clock is set back, and after tokens were taken that were not there`() {
        var buckets = BucketTable(Allowance(3, per: .minutes(3)), capacity: 8)
        for _ in 0..<30 { buckets.take(from: 1, at: Self.start + .days(1)) }
        #expect(buckets.wait(of: 1, at: Self.start + .days(1)) == .minutes(1))
        #expect(buckets.wait(of: 1, at: Self.start) == .minutes(1))
    }

    /// B5: an account under attack gets no attempts back, however many new subjects come.
    @Test func `a table keeps a bucket empty under a flood that fills the table many times`() {
        var buckets = BucketTable(Allowance(5, per: .hours(1)), capacity: 1024)
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
    @Test func `a table bounds the memory of a million sources`() {
        var buckets = BucketTable(Allowance(100, per: .hours(1)))
        for source in 0..<1_000_000 {
            let subject = UInt64(source) &* 0x9e37_79b9_7f4a_7c15
            if buckets.wait(of: subject, at: Self.start) == .zero { buckets.take(from: subject, at: Self.start) }
        }
        #expect(BucketTable.maxBytes == 2 << 20)
        #expect(buckets.wait(of: 1, at: Self.start + .minutes(10)) == .zero)
    }

    /// Tests the claim of `BucketTable`: a subject never has more tokens than in an unbounded
    /// table.
    @Test func `a bounded table never gives more than an unbounded one would`() {
        let allowance = Allowance(4, per: .minutes(4))
        var random = SystemRandomNumberGenerator()
        var bounded = BucketTable(allowance, capacity: 16)
        var unbounded: [UInt64: TokenBucket] = [:]
        var now = Self.start
        for _ in 0..<20_000 {
            let subject = UInt64.random(in: 0..<60, using: &random)
            if bounded.wait(of: subject, at: now) == .zero {
                #expect(unbounded[subject, default: TokenBucket()].wait(for: allowance, at: now) == .zero)
                bounded.take(from: subject, at: now)
                unbounded[subject, default: TokenBucket()].take(of: allowance, at: now)
            }
            now += .milliseconds(Int64.random(in: 0..<4000, using: &random))
        }
    }
}
