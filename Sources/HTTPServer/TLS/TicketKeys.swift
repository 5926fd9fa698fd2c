/// The keys that encrypt session tickets. They are kept in memory only, so recorded tickets cannot
/// be decrypted with what is on the disk.
public struct TicketKeys: Sendable {
    struct Key: Sendable {
        static let nameBytes = 16
        let name = random(nameBytes)
        /// The key of the cipher and the key of the MAC, 32 bytes each.
        let secret = random(64)
    }

    /// How long a key encrypts tickets. It decrypts for as long again, so a ticket is valid for one
    /// to two hours.
    public static let period = Duration.seconds(3_600)

    let current: Key
    let previous: Key?

    /// Creates a new key; no earlier ticket can be decrypted.
    public init() { self.init(previous: nil) }

    /// Returns a new current key with the present one as the previous. Call it once per `period`.
    public func rotated() -> TicketKeys { TicketKeys(previous: current) }

    private init(previous: Key?) { (current, self.previous) = (Key(), previous) }

    private static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in .random(in: .min ... .max, using: &generator) }
    }
}
