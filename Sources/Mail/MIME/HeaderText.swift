/// The text of a header field: one line without control characters, so that no text can begin
/// another field or end the header (M6).
public struct HeaderText: Sendable, Hashable {
    public let value: String

    /// Replaces each run of control characters and line separators by a space, and removes spaces
    /// at both ends.
    public init(_ text: String) {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isBreak = scalar.isControl
            if isBreak ? !(scalars.isEmpty || scalars.last == " ") : !(scalars.isEmpty && scalar == " ") {
                scalars.append(isBreak ? " " : scalar)
            }
        }
        while scalars.last == " " { scalars.removeLast() }
        value = String(scalars)
    }

    /// The words between single spaces if the text can be written as it is: in ASCII and with
    /// nothing that a reader could take for an encoded word. Nil if it must be encoded.
    /// - Parameter maxLength: the longest word that fits into a line.
    func words(ofAtMost maxLength: Int) -> [HeaderText]? {
        guard value.utf8.allSatisfy({ $0 < 0x80 }), !value.contains("=?"), !value.contains("  ") else { return nil }
        let words = value.split(separator: " ")
        guard words.allSatisfy({ $0.utf8.count <= maxLength }) else { return nil }
        return words.map { HeaderText(String($0)) }
    }
}

extension Unicode.Scalar {
    /// Whether a reader could take the character for the end of a line, or stop at it.
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}
