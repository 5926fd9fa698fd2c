internal import CCrypt

/// A bcrypt hash: `$2b$10$`, 22 characters of salt, 31 of hash. Source: crypt(5).
public struct BcryptHash: Sendable {
    /// Every bcrypt ignores what follows.
    public static let maxPasswordBytes = 72
    private static let hashCharacters = 31

    private let text: String

    /// Nil for another format, or a cost above `maxCost`. `$2x$`, which some passwords match
    /// wrongly, is not accepted.
    /// - Parameter maxCost: the binary logarithm of the number of rounds.
    public init?(_ bytes: [UInt8], maxCost: Int) {
        guard let text = String(validating: bytes, as: UTF8.self),
            let match = text.wholeMatch(of: #/\$2[aby]\$([0-9]{2})\$[.\/A-Za-z0-9]{53}/#), let cost = Int(match.1),
            (4...max(4, maxCost)).contains(cost)
        else { return nil }
        self.text = text
    }

    /// Whether the hash is of `password`. Compares in constant time, and takes as long as the cost
    /// asks for. A password that contains NUL matches nothing, because C would cut it there.
    public func matches(_ password: String) -> Bool {
        guard !password.utf8.contains(0) else { return false }
        let phrase = password.utf8.prefix(Self.maxPasswordBytes).map(CChar.init(bitPattern:)) + [0]
        // `crypt_rn` is safe on many threads, as each call has its own memory.
        let made = withUnsafeTemporaryAllocation(byteCount: MemoryLayout<crypt_data>.size, alignment: 16) { memory -> [UInt8]? in
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            return crypt_rn(phrase, text, memory.baseAddress, Int32(memory.count)).map { Array(String(cString: $0).utf8) }
        }
        // The salt's last character has unused bits, which are zero in the result, so only the hash
        // is compared.
        return made.map { ConstantTime.equal($0.suffix(Self.hashCharacters), text.utf8.suffix(Self.hashCharacters)) } ?? false
    }
}
