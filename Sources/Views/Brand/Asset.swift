/// A file that pages load, as it is to be served.
package struct Asset: Sendable, Hashable {
    /// The path on our own origin. It holds a fingerprint of the content, so the answer may be cached for ever.
    package let path: String
    /// The same whatever the content.
    package let name: String
    /// With its charset where it is text (P14).
    package let contentType: String
    /// Not compressed.
    package let body: [UInt8]

    /// Where all of them live.
    package static let root = "/__/auth/assets/"

    /// What a file is called whatever its content, by its path; nil for a path that is none.
    package static func name(at path: String) -> Substring? {
        guard path.hasPrefix(root) else { return nil }
        let steps = path.dropFirst(root.count).split(separator: "/", omittingEmptySubsequences: false)
        return steps.count == 2 ? steps[1] : nil
    }

    init(name: String, contentType: String, body: [UInt8]) {
        path = "\(Self.root)\(Fingerprint(of: body))/\(name)"
        self.name = name
        self.contentType = contentType
        self.body = body
    }
}
