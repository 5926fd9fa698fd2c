internal import Accounts
internal import Base
internal import Foundation

/// Tokens that prove that a form was on a page of ours, shown for this link within the last hour
/// (P1). Every page view has its own.
///
/// Layout, in base64url: 8 bytes of milliseconds since 1970, a byte of traits, 4 bytes of the mark
/// of the ways to sign in that the page names, 3 random bytes, and the digest of these and of what
/// the token is for.
struct FormTokens: Sendable {
    let secrets: Secrets
    let now: Now
    let random: RandomBytes

    /// Long enough to choose a password.
    static let lifetime = Duration.hours(1)

    /// The purpose of a form.
    enum Use: String, Sendable {
        case redeem, sendAgain
        /// A choice has its own page, so that one press alone makes none.
        case notMine, itWasMe, takeAddress

        init(_ choice: ActionChoice?) {
            self =
                switch choice {
                case .notMine: .notMine
                case .itWasMe: .itWasMe
                case .takeAddress: .takeAddress
                case nil: .redeem
                }
        }
    }

    /// The properties of a page that decide how a press of its button is taken.
    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8

        /// The page followed a use of the language switch that chose no other language.
        static let followsIdleControl = Traits(rawValue: 1)
        /// The page asks for a second press.
        static let asksAgain = Traits(rawValue: 2)
    }

    /// A page that a genuine token names.
    struct ShownPage: Sendable {
        let madeAt: Timestamp
        let traits: Traits
        /// The mark of the ways to sign in that the page named.
        let waysMark: UInt32
    }

    /// - Parameter ways: the ways to sign in that the page names.
    func issue(for use: Use, of link: ActionLink, _ traits: Traits = [], naming ways: WaysIn? = nil) -> String {
        let issued = withUnsafeBytes(of: UInt64(bitPattern: now().milliseconds).bigEndian, Array.init)
        let mark = withUnsafeBytes(of: (ways?.mark(by: secrets) ?? 0).bigEndian, Array.init)
        let head = issued + [traits.rawValue] + mark + random(3)
        return Base64URL.encode(head + secrets.digest(Self.message(head, use, link), for: .formToken).bytes)
    }

    /// Why a form is refused.
    enum Objection: Error, Sendable { case missing, forged, tooOld }

    /// The page that a form was on.
    func page(of token: String?, for use: Use, of link: ActionLink) throws(Objection) -> ShownPage {
        guard let token, !token.isEmpty else { throw .missing }
        guard let bytes = Base64URL.decode(token), bytes.count == 16 + Digest.byteCount else { throw .forged }
        let head = Array(bytes[..<16])
        guard secrets.verifies(Array(bytes[16...]), of: Self.message(head, use, link), for: .formToken) else { throw .forged }
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        let issued = Timestamp(milliseconds: Int64(bitPattern: number(head[..<8])))
        guard now() < issued + Self.lifetime else { throw .tooOld }
        return ShownPage(madeAt: issued, traits: Traits(rawValue: head[8]), waysMark: UInt32(number(head[9..<13])))
    }

    private static func message(_ head: [UInt8], _ use: Use, _ link: ActionLink) -> [UInt8] {
        [use.rawValue, " ", link.action.rawValue, " ", link.code.text].reduce(into: head) { $0.append(contentsOf: $1.utf8) }
    }
}
