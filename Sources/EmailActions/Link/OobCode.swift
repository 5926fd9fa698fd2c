package import Accounts

/// The one-time secret in a link. Onward's own are 32 random bytes, written as 43 characters of base64url (C1).
package struct OobCode: Sendable, Hashable {
    package let text: String
    /// Nil for what only an upstream can have made.
    private let bytes: [UInt8]?

    /// A fresh one.
    package init(random: RandomBytes) {
        let bytes = random(32)
        (self.bytes, text) = (bytes, Base64URL.encode(bytes))
    }

    /// Nil for anything that can never have been a code of Onward's own (C15).
    package init?(_ text: String) {
        guard let bytes = Self.ownBytes(of: text) else { return nil }
        self.bytes = bytes
        self.text = text
    }

    /// Nil for anything that no authority makes: Firebase's are 54 letters of base64url, which need not be whole bytes.
    package init?(ofAnyAuthority text: String) {
        bytes = Self.ownBytes(of: text)
        guard bytes != nil || (20...512).contains(text.utf8.count) && text.utf8.allSatisfy(Base64URL.isInAlphabet) else { return nil }
        self.text = text
    }

    /// Whether Onward may have made it itself.
    package var mayBeOwn: Bool { bytes != nil }

    /// The keyed hash under which the store knows this code (C2).
    package func digest(keyedBy secrets: Secrets) -> Digest { secrets.digest(bytes ?? Array(text.utf8), for: .code) }

    /// The same for a code of a project's upstream: another project's may read alike (C10).
    package func digest(in project: ProjectID, keyedBy secrets: Secrets) -> Digest {
        secrets.digest(Array("upstream \(project) \(text)".utf8), for: .code)
    }

    private static func ownBytes(of text: String) -> [UInt8]? { text.utf8.count == 43 ? Base64URL.decode(text) : nil }
}
