public import Base

/// A code that takes the place of an authenticator app once, for a user who has lost it: 80 random
/// bits as 16 characters of base32, shown in groups of four.
public struct RecoveryCode: Sendable, Hashable {
    /// Without the hyphens between the groups.
    private let letters: String

    /// The number of codes that come with an authenticator app.
    public static let countPerFactor = 10
    private static let byteCount = 10
    private static let length = 16

    public init(random: RandomBytes) { letters = Base32.encode(random(Self.byteCount)) }

    /// Reads what a user typed, in letters of either case. Nil for a text of another form, such as
    /// the code of an app.
    public init?(typed text: String) {
        let letters = text.uppercased().filter { !$0.isWhitespace && $0 != "-" }
        guard letters.utf8.count == Self.length else { return nil }
        self.letters = letters
    }

    /// The text that the user keeps.
    public var text: String {
        stride(from: 0, to: Self.length, by: 4).map { String(letters.dropFirst($0).prefix(4)) }.joined(separator: "-")
    }

    /// The keyed hash under which the code of an account is stored. A slow hash is not
    /// needed, because 80 bits cannot be tried.
    public func digest(of account: Account, by secrets: Secrets) -> Digest {
        secrets.digest(Array("\(account.project) \(account.id) \(letters)".utf8), for: .recoveryCode)
    }
}
