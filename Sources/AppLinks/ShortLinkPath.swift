internal import Base

/// The path of a short link, such as `/spring` or `/share/aBcD`: one to four segments of letters,
/// digits and `-._~`. Case matters, and there is nothing to decode. Paths that Onward has a use for
/// are not among them.
public struct ShortLinkPath: Sendable, Hashable {
    public static let maxBytes = 255
    private static let maxSegments = 4

    /// With its first slash.
    public let text: String

    public init?(_ text: String) {
        guard text.utf8.count <= Self.maxBytes, text.utf8.first == UInt8(ascii: "/") else { return nil }
        let segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count <= Self.maxSegments, segments.allSatisfy(Self.isSegment), !Self.isReserved(segments[0]) else { return nil }
        self.text = text
    }

    /// Reads a path as mail programs leave it: punctuation of the text around the link and blanks,
    /// also escaped ones, and slashes at its end do not belong to it (L6).
    public init?(mailed text: String) {
        let decoded = text.utf8.contains(UInt8(ascii: "%")) ? WebURL.formDecoded(text) : text
        var rest = decoded.unicodeScalars[...]
        while let last = rest.last, Self.mayBeAdded(last) { rest.removeLast() }
        // Nothing else is decoded.
        guard text.hasPrefix(String(rest)) else { return nil }
        self.init(String(rest))
    }

    /// The first segments of paths that Onward or browsers ask for, on any host.
    private static let reserved: Set<Substring> = [
        "apple-app-site-association", "emulator", "favicon.ico", "healthz", "identitytoolkit", "identitytoolkit.googleapis.com", "inbox",
        "metrics", "onward.js", "openapi.json", "readyz", "robots.txt", "securetoken.googleapis.com", "v1", "v2", "www.googleapis.com",
    ]

    private static func isReserved(_ first: Substring) -> Bool { first.hasPrefix("__") || reserved.contains(first) }

    /// A segment that starts with a dot could be a step of the path or a well-known file.
    private static func isSegment(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: ".") else { return false }
        return text.unicodeScalars.allSatisfy(isAllowed)
    }

    /// Whether a character at the end may be of the text around the link. Letters are not.
    private static func mayBeAdded(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "/" || scalar == "." { return true }
        return !isAllowed(scalar) && !scalar.properties.isAlphabetic && scalar.properties.numericType == nil
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": true
        default: false
        }
    }
}
