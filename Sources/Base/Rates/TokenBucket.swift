/// The tokens that a subject has left of an allowance (GCRA), as one number: the moment at which
/// all of them have come back.
public struct TokenBucket: Sendable, Comparable {
    /// In microseconds of uptime. The bucket is full if this moment has passed.
    private var fullAt = Int64.min

    /// A full bucket.
    public init() {}

    /// A bucket whose last token was taken at a moment.
    init(emptiedAt now: Uptime, of allowance: Allowance) { fullAt = now.microseconds + allowance.whole }

    /// Whether a bucket is full sooner than another.
    public static func < (a: TokenBucket, b: TokenBucket) -> Bool { a.fullAt < b.fullAt }

    /// How long until there is a token; zero if there is one.
    public func wait(for allowance: Allowance, at now: Uptime) -> Duration {
        .microseconds(max(0, missing(at: now) + allowance.token - allowance.whole))
    }

    public func tokens(of allowance: Allowance, at now: Uptime) -> Int {
        let taken = (missing(at: now) + allowance.token - 1) / allowance.token
        return max(0, allowance.count - Int(taken))
    }

    /// Takes a token. If there is none, the next ones to come back make up for it.
    public mutating func take(of allowance: Allowance, at now: Uptime) { fullAt = max(fullAt, now.microseconds) + allowance.token }

    public mutating func giveBack(to allowance: Allowance) { if fullAt > .min + allowance.token { fullAt -= allowance.token } }

    /// The microseconds until all tokens are there.
    private func missing(at now: Uptime) -> Int64 { max(fullAt, now.microseconds) - now.microseconds }
}

extension Allowance {
    /// The microseconds in which one token comes back.
    fileprivate var token: Int64 { span.nanoseconds / 1000 / Int64(count) }
    /// The microseconds in which all tokens come back.
    fileprivate var whole: Int64 { token * Int64(count) }
}

extension Uptime {
    fileprivate var microseconds: Int64 { sinceZero.nanoseconds / 1000 }
}
