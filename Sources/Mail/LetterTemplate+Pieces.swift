import EmailActions

/// A placeholder of a template. Source: the templates of Firebase's console; `SECOND_FACTOR` is
/// Onward's own.
enum Placeholder: String, Sendable, CaseIterable {
    case link = "LINK"
    case email = "EMAIL"
    case newEmail = "NEW_EMAIL"
    case appName = "APP_NAME"
    case displayName = "DISPLAY_NAME"
    case secondFactor = "SECOND_FACTOR"
}

extension LetterTemplate {
    /// A part of a template: literal text or a placeholder.
    enum Piece: Sendable, Hashable {
        case words(String)
        case placeholder(Placeholder)
    }

    /// Splits a template at its placeholders, such as `%LINK%`. A `%` that begins no placeholder is
    /// literal text.
    static func pieces(of template: String) -> [Piece] {
        var pieces: [Piece] = []
        var words = String.UnicodeScalarView()
        var rest = template.unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "%", let found = Placeholder.allCases.first(where: { rest.starts(with: "%\($0.rawValue)%".unicodeScalars) }) {
                if !words.isEmpty { pieces.append(.words(String(words))) }
                words = String.UnicodeScalarView()
                pieces.append(.placeholder(found))
                rest = rest.dropFirst(found.rawValue.unicodeScalars.count + 2)
            } else {
                words.append(scalar)
                rest = rest.dropFirst()
            }
        }
        return words.isEmpty ? pieces : pieces + [.words(String(words))]
    }
}
