internal import Accounts
internal import EmailActions
internal import Foundation

/// Tokens that prove that a form was on a page of ours, shown for this link within the last hour
/// (P1). Every page view has its own.
///
/// Layout, in base64url: 8 bytes of milliseconds since 1970, 8 random bytes, and the digest of both
/// and of what the token is for.
struct FormTokens: Sendable {
    let secrets: Secrets
    let now: Now
    let random: RandomBytes

    /// Long enough to choose a password.
    static let lifetime = Duration.hours(1)

    /// The purpose of a form.
    enum Use: String, Sendable { case redeem, sendAgain }

    func issue(for use: Use, of link: ActionLink) -> String {
        let issued = withUnsafeBytes(of: UInt64(bitPattern: now().milliseconds).bigEndian, Array.init)
        let head = issued + random(8)
        return Base64URL.encode(head + secrets.digest(Self.message(head, use, link), for: .formToken).bytes)
    }

    /// Why a form is refused.
    enum Objection: Sendable { case missing, forged, tooOld }

    func objection(to token: String?, for use: Use, of link: ActionLink) -> Objection? {
        guard let token, !token.isEmpty else { return .missing }
        guard let bytes = Base64URL.decode(token), bytes.count == 16 + Digest.byteCount else { return .forged }
        let head = Array(bytes[..<16])
        guard secrets.verifies(Array(bytes[16...]), of: Self.message(head, use, link), for: .formToken) else { return .forged }
        let issued = Timestamp(milliseconds: Int64(bitPattern: head[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
        return now() >= issued + Self.lifetime ? .tooOld : nil
    }

    private static func message(_ head: [UInt8], _ use: Use, _ link: ActionLink) -> [UInt8] {
        [use.rawValue, " ", link.action.rawValue, " ", link.code.text].reduce(into: head) { $0.append(contentsOf: $1.utf8) }
    }
}
