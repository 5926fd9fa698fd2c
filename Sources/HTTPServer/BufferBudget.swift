internal import Queues

/// The bytes that are held for clients: incomplete requests, bodies, and responses that wait to be
/// sent. The connections of all listeners that are given one budget share it (V3).
package struct BufferBudget: Sendable {
    package let maxBytes: Int
    private let held = AtomicCounter()
    /// The most that was held since memory was last given back to the system.
    private let peak = AtomicCounter()

    /// The burst after which memory is given back.
    private static let minBurstBytes: Int64 = 8 << 20

    package init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// The bytes that are held now. Each listener may exceed the budget until the end of its turn.
    package var heldBytes: Int { Int(held.value) }

    var isExceeded: Bool { heldBytes > maxBytes }

    /// Whether an eighth is free, so that clients are not cut one by one.
    var isRelieved: Bool { heldBytes <= maxBytes - maxBytes / 8 }

    func count(_ change: Int) {
        let sum = held.add(Int64(change))
        if change > 0 { peak.raise(to: sum) }
    }

    /// Returns true once after each burst, when at most half of it is still held.
    func noticeEndOfBurst() -> Bool {
        let (now, most) = (held.value, peak.value)
        guard most >= Self.minBurstBytes, now <= most / 2 else { return false }
        return peak.exchange(now) >= Self.minBurstBytes
    }
}
