internal import Base

/// The bytes that are held for clients: incomplete requests, bodies, and responses that wait to be
/// sent. The connections of all listeners that are given one budget share it (V3).
public struct BufferBudget: Sendable {
    public let maxBytes: Int
    private let held = AtomicCounter()
    /// The most that was held, halved each time that memory was given back to the system.
    private let peak = AtomicCounter()
    /// When memory was last given back, by `Clock.now`.
    private let lastReturn = AtomicCounter()

    /// The burst after which memory is given back.
    private static let minBurstBytes: Int64 = 8 << 20
    private static let minReturnInterval: Int64 = 1_000_000_000

    public init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// The bytes that are held now. Each listener may exceed the budget until the end of its turn.
    public var heldBytes: Int { Int(held.value) }

    var isExceeded: Bool { heldBytes > maxBytes }

    /// Whether a quarter is free, so that clients are not cut one by one.
    var isRelieved: Bool { heldBytes <= maxBytes - maxBytes / 4 }

    func count(_ change: Int) {
        let sum = held.add(Int64(change))
        if change > 0 { peak.raise(to: sum) }
    }

    /// Whether memory should be given back to the system at the time `now`: when at most half of a
    /// burst is still held, and a few times more in the seconds after it, because connections close
    /// later. Of several listeners one is told.
    func noticeEndOfBurst(at now: UInt64) -> Bool {
        let (most, last) = (peak.value, lastReturn.value)
        guard most >= Self.minBurstBytes, held.value <= most / 2, Int64(now) - last >= Self.minReturnInterval,
            lastReturn.exchange(Int64(now)) == last
        else { return false }
        peak.set(most / 2)
        return true
    }
}
