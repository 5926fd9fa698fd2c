public import Logging

/// Text that a client chose, as the log has it: at most 200 bytes of printable ASCII, everything
/// else in it escaped. So it cannot fill the log, hide in it, or act in the terminal of a reader.
struct ClientText: CustomStringConvertible {
    static let maxBytes = 200

    let description: String

    init(_ text: String) {
        if text.utf8.count <= Self.maxBytes, text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) {
            description = text
            return
        }
        var kept = ""
        for scalar in text.unicodeScalars {
            let piece = Self.isPlain(scalar) ? String(scalar) : scalar.escaped(asASCII: true)
            guard kept.utf8.count + piece.utf8.count <= Self.maxBytes else {
                kept += "…"
                break
            }
            kept += piece
        }
        description = kept
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool { (" "..."~").contains(scalar) }
}

extension Logger.Metadata {
    /// Adds texts that a client chose, and sentences with such a text. They are members of `client`
    /// and nowhere else, so a reader knows which words of a line are not Onward's.
    public func with(client texts: [String: String?]) -> Logger.Metadata {
        let marked = texts.compactMapValues { text in text.map { Logger.MetadataValue.stringConvertible(ClientText($0)) } }
        guard !marked.isEmpty else { return self }
        var metadata = self
        metadata["client"] = .dictionary(marked)
        return metadata
    }
}
