/// A file that pages load, as it is to be served.
package struct Asset: Sendable, Hashable {
    /// The path on our own origin. It holds a fingerprint of the content, so the answer may be cached for ever.
    package let path: String
    /// With its charset where it is text (P14).
    package let contentType: String
    /// Not compressed.
    package let body: [UInt8]

    /// Where all of them live.
    package static let root = "/__/auth/assets/"

    init(name: String, contentType: String, body: [UInt8]) {
        path = "\(Self.root)\(Fingerprint(of: body))/\(name)"
        self.contentType = contentType
        self.body = body
    }
}
