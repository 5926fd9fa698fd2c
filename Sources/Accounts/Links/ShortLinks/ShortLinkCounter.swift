internal import Base
internal import Network

/// Counts visits of short links in memory, so that a visit writes nothing. The counts are taken
/// and stored every few seconds; those of the last seconds are lost in a crash.
public final class ShortLinkCounter: Sendable {
    /// The most kinds of visits that are counted at once. Others are not counted until the counts
    /// are taken.
    static let maxVisits = 50_000

    private let counts = Locked<[ShortLinkVisit: Int]>([:])

    public init() {}

    public func count(_ visit: ShortLinkVisit) { add([visit: 1]) }

    /// The counts since the last call.
    public func take() -> [ShortLinkVisit: Int] {
        counts.update { counts in
            defer { counts = [:] }
            return counts
        }
    }

    /// Adds counts, as those that could not be stored.
    public func add(_ more: [ShortLinkVisit: Int]) {
        counts.update { counts in
            for (visit, count) in more where counts.count < Self.maxVisits || counts[visit] != nil { counts[visit, default: 0] += count }
        }
    }
}
