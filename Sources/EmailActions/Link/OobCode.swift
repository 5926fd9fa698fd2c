package import Accounts

/// The one-time secret in a link: 32 random bytes, written as 43 characters of base64url (C1).
package struct OobCode: Sendable, Hashable {
    package let text: String
    private let bytes: [UInt8]

    /// A fresh one.
    package init(random: RandomBytes) {
        bytes = random(32)
        text = Base64URL.encode(bytes)
    }

    /// Nil for anything that can never have been a code (C15).
    package init?(_ text: String) {
        guard text.utf8.count == 43, let bytes = Base64URL.decode(text) else { return nil }
        self.bytes = bytes
        self.text = text
    }

    /// The keyed hash under which the store knows this code (C2).
    package func digest(keyedBy secrets: Secrets) -> Digest { secrets.digest(bytes, for: .code) }
}
