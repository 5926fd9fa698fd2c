/// A file that pages load, as it is served.
public struct Asset: Sendable, Hashable {
    /// The path on Onward's origin. It contains a fingerprint of the content, so the response can
    /// be cached forever.
    public let path: String
    /// The file name, which does not depend on the content.
    public let name: String
    /// With a charset for text (P14).
    public let contentType: String
    /// The content type without parameters.
    var mediaType: String { String(contentType.prefix { $0 != ";" }) }
    /// The content, not compressed.
    public let body: [UInt8]

    /// The folder of all asset paths.
    public static let root = "/__/auth/assets/"

    /// The file name in an asset path; nil for any other path.
    public static func name(at path: String) -> Substring? {
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

/// A fingerprint that distinguishes versions of a file, in paths and entity tags. It protects
/// nothing: the author of the files could make two with the same fingerprint. Source: FNV-1a, 64
/// bits.
public struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
    /// Up to 13 digits and lower-case letters.
    public let description: String

    public init(of bytes: [UInt8]) {
        description = String(bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 36)
    }
}
