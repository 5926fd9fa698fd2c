internal import Base

/// Token buckets of one allowance in a fixed amount of memory. Each bucket stores the moment at
/// which it is full again (GCRA).
///
/// Buckets form sets of eight, and the hash of a subject chooses its set. If the set is full, a new
/// subject takes over the bucket that is full the soonest, *with its level*. So the lowest moment
/// of a set never decreases, a displaced subject comes back to a level no better than its own, and
/// a flood of new subjects cannot give an attacker of an account more attempts. The price: while a
/// flood fills whole sets, new subjects start with fewer attempts.
struct Buckets: Sendable {
    private struct Bucket {
        var subject: UInt64 = 0
        /// In microseconds since 1970. A bucket is full if this moment has passed.
        var fullAt = Int64.min
    }

    /// The number of buckets, of 16 bytes each: 2 MiB.
    static let capacity = 1 << 17
    static let maxBytes = capacity * MemoryLayout<Bucket>.stride
    private static let ways = 8

    private var buckets: [Bucket]
    /// The time that one token, and a whole bucket, takes to fill, in microseconds.
    private let token: Int64
    private let whole: Int64

    init(_ allowance: Allowance, capacity: Int = capacity) {
        buckets = Array(repeating: Bucket(), count: capacity)
        token = allowance.span.milliseconds * 1000 / Int64(allowance.count)
        whole = token * Int64(allowance.count)
    }

    /// How long until the subject has a token; zero if it has one.
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

    /// When the bucket is full, but at most the time of an empty bucket from now: the clock may
    /// have been set back.
    private func level(of bucket: Bucket, at now: Int64) -> Int64 { min(max(bucket.fullAt, now), now + whole) }

    /// The index of the subject's bucket, or of the one that it would take over.
    private func place(of subject: UInt64) -> Int {
        let start = Int(subject % UInt64(buckets.count / Self.ways)) * Self.ways
        let set = start..<start + Self.ways
        return set.first { buckets[$0].subject == subject } ?? set.min { buckets[$0].fullAt < buckets[$1].fullAt } ?? start
    }
}

extension Timestamp {
    fileprivate var microseconds: Int64 { milliseconds * 1000 }
}
