internal import CCrypt
internal import Foundation

/// A bcrypt hash: `$2b$10$`, 22 characters of salt, 31 of hash. Source: crypt(5).
struct Bcrypt {
    /// Two to this many rounds, about a second (S5).
    static let maxCost = 14
    /// What follows was never looked at, by any bcrypt.
    static let maxPasswordBytes = 72
    private static let hashCharacters = 31

    private let text: String

    /// Nil for another format, or a cost above the ceiling. `$2x$`, which knows passwords of a faulty one only, is not taken.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self),
            let match = text.wholeMatch(of: #/\$2[aby]\$([0-9]{2})\$[.\/A-Za-z0-9]{53}/#), let cost = Int(match.1),
            (4...Self.maxCost).contains(cost)
        else { return nil }
        self.text = text
    }

    /// A password with NUL inside matches nothing: C would cut it there (S2).
    func matches(_ password: String) -> Bool {
        guard !password.utf8.contains(0) else { return false }
        let phrase = password.utf8.prefix(Self.maxPasswordBytes).map(CChar.init(bitPattern:)) + [0]
        // Each call has memory of its own, and that alone: `crypt_rn` is safe on many threads.
        let made = withUnsafeTemporaryAllocation(byteCount: MemoryLayout<crypt_data>.size, alignment: 16) { room -> [UInt8]? in
            room.initializeMemory(as: UInt8.self, repeating: 0)
            return crypt_rn(phrase, text, room.baseAddress, Int32(room.count)).map { Array(String(cString: $0).utf8) }
        }
        // The salt's last character has bits to spare, which come back as zero: so the hash alone is compared.
        return made.map { Passwords.equal($0.suffix(Self.hashCharacters), text.utf8.suffix(Self.hashCharacters)) } ?? false
    }
}
