internal import Base

/// The last segment of a new short link's path.
public enum ShortLinkSuffix: String, Sendable, Hashable, CaseIterable {
    /// Seventeen characters, 98 bits: only its holders know the link.
    case unguessable = "UNGUESSABLE"
    /// Four characters, and one more after each collision: long enough for its domain, and easily
    /// guessed.
    case short = "SHORT"

    /// Letters and digits that look different from each other in any font.
    static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789".utf8)
    /// The number of paths that are tried. Even a domain whose four-letter paths are all taken has
    /// free ones of five letters.
    static let tries = 8

    /// Random suffixes, in the order in which they are tried.
    func candidates(random: RandomBytes) -> [String] {
        (0..<Self.tries).map { collisions in
            switch self {
            case .unguessable: Self.text(17, random: random)
            case .short: Self.text(4 + collisions, random: random)
            }
        }
    }

    private static func text(_ count: Int, random: RandomBytes) -> String {
        var characters: [UInt8] = []
        // Bytes above the last multiple would make some letters more likely than others.
        let limit = 256 / alphabet.count * alphabet.count
        while characters.count < count {
            characters += random(count).filter { $0 < limit }.map { alphabet[Int($0) % alphabet.count] }
        }
        return String(decoding: characters.prefix(count), as: UTF8.self)
    }
}
