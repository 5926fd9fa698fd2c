/// The text that is kept of a server's answer, which is logged and shown to administrators.
enum AnswerText {
    static let maxBytes = 500

    /// An answer as one line, without control characters, links and full addresses. A filter may
    /// quote the link that it objects to, and a server may name other people (C2, O1).
    static func kept(_ answer: String) -> String { shortened(masked(printable(answer))) }

    /// Text of Onward's own as one line without control characters.
    static func oneLine(_ text: String) -> String { shortened(printable(text)) }

    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > maxBytes else { return text }
        var (result, length) = ("", 0)
        for scalar in text.unicodeScalars {
            length += UTF8.width(scalar)
            guard length <= maxBytes else { break }
            result.unicodeScalars.append(scalar)
        }
        return result.last == " " ? String(result.dropLast()) : result
    }

    private static func printable(_ text: String) -> String {
        text.unicodeScalars.split { $0 == " " || isControl($0) }.map { String($0) }.joined(separator: " ")
    }

    private static func isControl(_ scalar: UnicodeScalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
        default: false
        }
    }

    private static func masked(_ text: String) -> String {
        text.split(separator: " ").map { isLink($0) ? "(link)" : maskingAddresses(in: $0) }.joined(separator: " ")
    }

    /// Whether a word contains a link, encoded or not, or the end of one with its parameters.
    private static func isLink(_ word: Substring) -> Bool {
        let word = word.lowercased()
        let hasParameters = word.firstIndex(of: "?").map { word[$0...].contains("=") } ?? false
        return hasParameters || ["://", "%3a%2f%2f", "oobcode", "www."].contains { word.contains($0) }
    }

    /// A word in which each address has only the first character of its local part, as in
    /// `EmailAddress.masked`.
    private static func maskingAddresses(in word: Substring) -> String {
        var (result, part) = ("", "")
        func flushed() -> String {
            guard let at = part.lastIndex(of: "@"), let first = part[..<at].first else { return part }
            return "\(first)•••\(part[at...])"
        }
        for character in word.replacing("%40", with: "@") {
            if "<>()[],;:\"'".contains(character) {
                result += flushed() + String(character)
                part = ""
            } else {
                part.append(character)
            }
        }
        return result + flushed()
    }
}
