internal import Cryptography
internal import Foundation

/// A secret that is shared with a webhook. Source: Standard Webhooks, *Signature scheme*.
public struct WebhookKey: Sendable, Equatable {
    /// The bounds of a secret in bytes.
    public static let secretBytes = 24...64

    private let secret: String
    private let key: HMACKey

    /// Nil for another text than `whsec_` and the base64 of 24 to 64 bytes.
    public init?(_ secret: String) {
        guard secret.hasPrefix("whsec_"), let bytes = Data(base64Encoded: String(secret.dropFirst("whsec_".count))),
            Self.secretBytes.contains(bytes.count)
        else { return nil }
        self.secret = secret
        key = HMACKey(Array(bytes), .sha256)
    }

    /// The signature in base64.
    func signature(of body: [UInt8], id: String, at seconds: Int64) -> String {
        Data(key.authenticate(Array("\(id).\(seconds).".utf8) + body)).base64EncodedString()
    }

    public static func == (a: Self, b: Self) -> Bool { a.secret == b.secret }
}
