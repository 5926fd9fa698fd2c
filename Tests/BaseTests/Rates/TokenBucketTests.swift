import Base
import Testing

@Suite struct `A token bucket` {
    private var bucket = TokenBucket()

    private func perMinute(_ count: Int, nodes: Int = 1) -> Allowance { Allowance(count, per: .minutes(1)).share(of: nodes) }

    private mutating func take(_ count: Int, of allowance: Allowance, at now: Uptime) {
        for _ in 0..<count { bucket.take(of: allowance, at: now) }
    }

    @Test(arguments: [1, 7, 600, 1_000_000])
    mutating func `a token bucket gives a minute's tokens at once, and regains them evenly`(count: Int) {
        let start = Uptime(.seconds(5))
        #expect(bucket.tokens(of: perMinute(count), at: start) == count)
        take(count, of: perMinute(count), at: start)
        #expect(bucket.tokens(of: perMinute(count), at: start) == 0)
        #expect(bucket.tokens(of: perMinute(count), at: start + .seconds(30)) == count / 2)
        #expect(bucket.tokens(of: perMinute(count), at: start + .seconds(60)) == count)
        #expect(bucket.tokens(of: perMinute(count), at: start + .seconds(3600)) == count)
    }

    /// Tokens that were taken at a higher rate, too, are made up for.
    @Test mutating func `a token bucket regains tokens after more than a minute's were taken`() {
        take(90, of: perMinute(60), at: .zero)
        #expect(bucket.tokens(of: perMinute(60), at: Uptime(.seconds(30))) == 0)
        #expect(bucket.tokens(of: perMinute(60), at: Uptime(.seconds(60))) == 30)
        #expect(bucket.tokens(of: perMinute(6), at: .zero) == 0)
    }

    /// N6: three processes together give no more than one does, even if there is less than a token
    /// for each.
    @Test(arguments: [1, 2, 7, 600]) mutating func `processes give their shares of an allowance`(count: Int) {
        let (part, start) = (perMinute(count, nodes: 3), Uptime.zero)
        var taken = 0
        for second in 0..<3600 {
            let tokens = bucket.tokens(of: part, at: start + .seconds(second))
            take(tokens, of: part, at: start + .seconds(second))
            taken += tokens
        }
        #expect(3 * taken <= count * 60 + 3 * part.count && 3 * taken >= count * 59)
        #expect(3 * part.count <= max(3, count))
    }
}
