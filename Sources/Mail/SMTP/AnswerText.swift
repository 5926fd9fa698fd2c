/// The text that is kept of a server's answer.
enum AnswerText {
    static let maxBytes = 500

    /// Removes control characters and shortens to `maxBytes`.
    static func oneLine(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let kept = Character(isControl(scalar) ? " " : scalar)
            guard result.utf8.count + kept.utf8.count <= maxBytes else { break }
            if kept != " " || result.last.map({ $0 != " " }) ?? false { result.append(kept) }
        }
        return result.last == " " ? String(result.dropLast()) : result
    }

    private static func isControl(_ scalar: UnicodeScalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
        default: false
        }
    }
}
