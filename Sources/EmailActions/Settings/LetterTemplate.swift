/// What a project says in a mail in place of Onward's own words, in its default language; what is nil stays Onward's.
/// Source: Identity Toolkit `EmailTemplate`.
package struct LetterTemplate: Sendable, Hashable, Codable {
    /// What the body is written in.
    package enum Format: String, Sendable, Codable, CaseIterable {
        case text = "PLAIN_TEXT"
        case html = "HTML"
    }

    package var senderDisplayName: String?
    /// What stands before the @ of the sender.
    package var senderLocalPart: String?
    package var replyTo: String?
    package var subject: String?
    package var body: String?
    /// Default `text`.
    package var format: Format?

    package init() {}

    package var isCustomized: Bool { subject != nil || body != nil }

    /// Who a mail says it is from; nil where the template does not say.
    package var letterhead: Letterhead? {
        guard senderDisplayName != nil || senderLocalPart != nil || replyTo != nil else { return nil }
        return Letterhead(senderDisplayName: senderDisplayName, senderLocalPart: senderLocalPart, replyTo: replyTo)
    }
}

/// What the header of a mail says of its sender, each one line without control characters (M6); nil: as the server has it.
package struct Letterhead: Sendable, Hashable, Codable {
    package let senderDisplayName: String?
    /// What stands before the @.
    package let senderLocalPart: String?
    package let replyTo: String?
}

/// What a template leaves open. Source: the templates of Firebase's console; the last is Onward's.
package enum Placeholder: String, Sendable, CaseIterable {
    case link = "LINK"
    case email = "EMAIL"
    case newEmail = "NEW_EMAIL"
    case appName = "APP_NAME"
    case displayName = "DISPLAY_NAME"
    case secondFactor = "SECOND_FACTOR"
}

extension LetterTemplate {
    /// A stretch of a template.
    package enum Piece: Sendable, Hashable {
        case words(String)
        case placeholder(Placeholder)
    }

    /// Takes a template apart, once: what is put in for a placeholder is never looked at again (M10). `%` that begins no placeholder
    /// stands for itself.
    package static func pieces(of template: String) -> [Piece] {
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
