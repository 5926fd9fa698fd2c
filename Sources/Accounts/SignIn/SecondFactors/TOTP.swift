public import Base
internal import Cryptography

/// The one-time passwords of an authenticator app, each for a time step of 30 seconds.
///
/// Source: RFC 6238; RFC 4226 section 5.3 (truncation).
public struct TOTP: Sendable {
    public static let period = Duration.seconds(30)
    /// The function that every authenticator app supports and Firebase uses. Collisions of SHA-1 do
    /// not weaken HMAC.
    static let function = HashFunction.sha1
    public static let digits = 6
    /// The steps before and after the current one whose passwords are accepted, because the clocks
    /// of phones differ.
    public static let adjacentSteps = 1
    /// As long as the hash, which RFC 4226 section 4 recommends.
    public static let keyByteCount = 20

    private let key: HMACKey
    private let digits: Int

    init(key: SecretBytes, _ function: HashFunction = function, digits: Int = digits) {
        self.key = HMACKey(key, function)
        self.digits = digits
    }

    public init(key: [UInt8]) { self.init(key: SecretBytes(key)) }

    /// The password that an app shows at a moment.
    public func password(at moment: Timestamp) -> String { password(ofStep: Self.step(at: moment)) }

    /// The number of the time step that a moment is in.
    static func step(at moment: Timestamp) -> Int64 { moment.seconds / period.components.seconds }

    /// The password of a time step.
    func password(ofStep step: Int64) -> String {
        let code = key.authenticate(withUnsafeBytes(of: step.bigEndian, Array.init))
        let offset = Int(code[code.count - 1] & 0xf)
        let number = code[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text.suffix(digits)
    }

    /// The time step whose password is `password`: the current one or an adjacent one. Nil if none
    /// of them has it. Compares in constant time.
    func step(of password: String, at moment: Timestamp) -> Int64? {
        let now = Self.step(at: moment)
        return (now - Int64(Self.adjacentSteps)...now + Int64(Self.adjacentSteps)).filter {
            ConstantTime.equal(self.password(ofStep: $0).utf8, password.utf8)
        }.last
    }
}

extension String {
    /// A number that a user typed, as ASCII digits. Digits of every script are accepted, because
    /// keyboards have their own, and spaces, because numbers are shown in groups. Nil if the text
    /// is not a number of `count` digits.
    public func typedDigits(_ count: Int) -> String? {
        let digits = filter { !$0.isWhitespace }.map(\.wholeNumberValue)
        guard digits.count == count, digits.allSatisfy({ (0...9).contains($0 ?? 10) }) else { return nil }
        return digits.compactMap { $0.map(String.init) }.joined()
    }
}
