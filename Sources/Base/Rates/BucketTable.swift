/// Token buckets of one allowance for any number of subjects, in a fixed amount of memory.
///
/// Buckets form sets of eight, and the hash of a subject chooses its set. If the set is full, a new
/// subject takes over the bucket that is full the soonest, *with its level*. So the lowest moment
/// of a set never decreases, a displaced subject comes back to a level no better than its own, and
/// a flood of new subjects cannot give an attacker of an account more attempts. The price: while a
/// flood fills whole sets, new subjects start with fewer attempts.
public struct BucketTable: Sendable {
    private struct Entry {
        var subject: UInt64 = 0
        var bucket = TokenBucket()
    }

    /// The number of buckets, of 16 bytes each: 2 MiB.
    public static let capacity = 1 << 17
    public static let maxBytes = capacity * MemoryLayout<Entry>.stride
    private static let ways = 8

    private let allowance: Allowance
    private var entries: [Entry]

    public init(_ allowance: Allowance, capacity: Int = capacity) {
        self.allowance = allowance
        entries = Array(repeating: Entry(), count: capacity)
    }

    /// How long until the subject has a token; zero if it has one.
    public func wait(of subject: UInt64, at now: Uptime) -> Duration {
        bucket(at: place(of: subject), now).wait(for: allowance, at: now)
    }

    public mutating func take(from subject: UInt64, at now: Uptime) {
        let place = place(of: subject)
        var bucket = bucket(at: place, now)
        bucket.take(of: allowance, at: now)
        entries[place] = Entry(subject: subject, bucket: bucket)
    }

    public mutating func giveBack(to subject: UInt64) {
        let place = place(of: subject)
        if entries[place].subject == subject { entries[place].bucket.giveBack(to: allowance) }
    }

    public mutating func fill(_ subject: UInt64) {
        let place = place(of: subject)
        if entries[place].subject == subject { entries[place].bucket = TokenBucket() }
    }

    /// A bucket that is at most empty: tokens that were taken although there were none do not add
    /// up.
    private func bucket(at place: Int, _ now: Uptime) -> TokenBucket {
        min(entries[place].bucket, TokenBucket(emptiedAt: now, of: allowance))
    }

    /// The index of the subject's bucket, or of the one that it would take over.
    private func place(of subject: UInt64) -> Int {
        let start = Int(subject % UInt64(entries.count / Self.ways)) * Self.ways
        let set = start..<start + Self.ways
        return set.first { entries[$0].subject == subject } ?? set.min { entries[$0].bucket < entries[$1].bucket } ?? start
    }
}
