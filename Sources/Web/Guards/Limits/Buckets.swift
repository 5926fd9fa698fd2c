internal import Accounts

/// Token buckets of one allowance in a fixed amount of memory: for each subject the moment at which its bucket is full again (GCRA).
///
/// A subject has its place in one of the sets of eight. Where its set is full, a newcomer takes the place of the one that is fullest
/// again the soonest, and *goes on from there*. So what is the least in a set only grows, whoever is pushed out comes back to no less
/// than it left, and no flood of fresh subjects gives an account under attack its tries back. The price: under a flood that fills
/// sets, newcomers begin with fewer tries. That takes more fresh subjects per second than `capacity` divided by the time of one token.
struct Buckets: Sendable {
    private struct Bucket {
        var subject: UInt64 = 0
        /// In microseconds since 1970; what lies in the past is full.
        var fullAt = Int64.min
    }

    /// Subjects that are remembered; with 16 bytes each, 2 MiB.
    static let capacity = 1 << 17
    static let maxBytes = capacity * MemoryLayout<Bucket>.stride
    private static let ways = 8

    private var buckets: [Bucket]
    /// Both in microseconds: what one token takes to come back, and all of them.
    private let token: Int64
    private let whole: Int64

    init(_ allowance: Allowance, capacity: Int = capacity) {
        buckets = Array(repeating: Bucket(), count: capacity)
        token = allowance.span.milliseconds * 1000 / Int64(allowance.count)
        whole = token * Int64(allowance.count)
    }

    /// How long until the subject has a token; zero: it has.
    func wait(of subject: UInt64, at now: Timestamp) -> Duration {
        .microseconds(max(0, level(of: buckets[place(of: subject)], at: now.microseconds) + token - whole - now.microseconds))
    }

    mutating func take(from subject: UInt64, at now: Timestamp) {
        let place = place(of: subject)
        buckets[place] = Bucket(subject: subject, fullAt: level(of: buckets[place], at: now.microseconds) + token)
    }

    mutating func giveBack(to subject: UInt64) {
        let place = place(of: subject)
        if buckets[place].subject == subject, buckets[place].fullAt > .min + token { buckets[place].fullAt -= token }
    }

    mutating func fill(_ subject: UInt64) {
        let place = place(of: subject)
        if buckets[place].subject == subject { buckets[place].fullAt = .min }
    }

    /// When the bucket would be full. A clock that was set back must not make anyone wait for longer than an empty bucket does.
    private func level(of bucket: Bucket, at now: Int64) -> Int64 { min(max(bucket.fullAt, now), now + whole) }

    /// Its own place, or the one that it would take.
    private func place(of subject: UInt64) -> Int {
        let start = Int(subject % UInt64(buckets.count / Self.ways)) * Self.ways
        let set = start..<start + Self.ways
        return set.first { buckets[$0].subject == subject } ?? set.min { buckets[$0].fullAt < buckets[$1].fullAt } ?? start
    }
}

extension Timestamp {
    fileprivate var microseconds: Int64 { milliseconds * 1000 }
}
