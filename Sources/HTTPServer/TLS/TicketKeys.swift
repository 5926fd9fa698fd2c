/// The keys of the tickets by which clients resume sessions, in memory only: whoever takes the machine later opens no old one.
package struct TicketKeys: Sendable {
    struct Key: Sendable {
        static let nameBytes = 16
        let name = random(nameBytes)
        /// For the cipher and for the authentication, 32 bytes each.
        let secret = random(64)
    }

    /// How long they seal. They open for as long again, so a ticket works for an hour or two.
    package static let period = Duration.seconds(3_600)

    let sealing = Key()
    let previous: Key?

    /// New ones, which open nothing from before.
    package init() { self.init(previous: nil) }

    /// To be called once in a `period`: a new key seals, what was sealed with the one before is still opened.
    package func rotated() -> TicketKeys { TicketKeys(previous: sealing) }

    private init(previous: Key?) { self.previous = previous }

    private static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in .random(in: .min ... .max, using: &generator) }
    }
}
