internal import Base

/// The target of a request for a link, after what mail programs and hands do to it was undone (L6).
/// Only the paths of links are looked for, so that every other path stays exact (R15).
public struct MailedTarget: Sendable {
    /// The path and the query.
    public let text: String
    public let isMended: Bool

    public init(_ sent: String) {
        let mended = Self.mended(sent)
        (text, isMended) = (mended ?? sent, mended != nil)
    }

    /// Whether a path has what may be undone, found at the cost of one pass, since every request is
    /// asked.
    private static func mayBeChanged(_ path: Substring.UTF8View) -> Bool {
        let slash = UInt8(ascii: "/")
        return path.contains(UInt8(ascii: "%")) || path.last == slash || zip(path, path.dropFirst()).contains { $0 == slash && $1 == slash }
    }

    /// Nil if there is nothing to undo, or if the path would be none of links.
    private static func mended(_ sent: String) -> String? {
        let end = sent.utf8.firstIndex(of: UInt8(ascii: "?")) ?? sent.endIndex
        var (path, query) = (sent[..<end], sent[end...].dropFirst())
        guard Self.mayBeChanged(path.utf8) else { return nil }
        if let mark = path.firstRange(of: /%3[Ff]/) {
            // The question mark was encoded, and perhaps the query behind it.
            query = (path[mark.upperBound...] + (query.isEmpty ? "" : "&") + query)[...]
            path = path[..<mark.lowerBound]
        } else if !path.contains("//"), !path.hasSuffix("/") || path == "/" {
            return nil
        }
        let plain = "/" + path.split(separator: "/").joined(separator: "/")
        guard plain == AppLink.actionPath || AppLink.isLinkPath(plain), !query.isEmpty else { return nil }
        return plain + "?" + query
    }
}
