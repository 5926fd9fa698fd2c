/// A project's own template for one kind of mail, as admins set it. A field that is nil keeps the
/// default text. Source: Identity Toolkit `EmailTemplate`.
package struct LetterTemplate: Sendable, Hashable, Codable {
    /// The format of the body.
    package enum Format: String, Sendable, Codable, CaseIterable {
        case text = "PLAIN_TEXT"
        case html = "HTML"
    }

    package var senderDisplayName: String?
    /// The part before the @ of the sender's address.
    package var senderLocalPart: String?
    package var replyTo: String?
    /// The words in the project's language.
    package var subject: String?
    package var body: String?
    /// The format of the body; nil: `text`.
    package var format: Format?
    /// The words in other languages.
    package var translations: [Translation]?

    package init() {}

    package var isCustomized: Bool { subject != nil || body != nil || translations?.isEmpty == false }

    /// The sender that a mail names; nil if the template names none.
    package var letterhead: Letterhead? {
        guard senderDisplayName != nil || senderLocalPart != nil || replyTo != nil else { return nil }
        return Letterhead(senderDisplayName: senderDisplayName, senderLocalPart: senderLocalPart, replyTo: replyTo)
    }
}

extension LetterTemplate {
    /// The subject and the body of a template in one language.
    package struct Translation: Sendable, Hashable, Codable {
        /// The BCP 47 tag of the language.
        package var locale: String
        package var subject: String?
        package var body: String?
        /// The format of the body; nil: `text`.
        package var format: Format?

        package init(locale: String, subject: String? = nil, body: String? = nil, format: Format? = nil) {
            (self.locale, self.subject, self.body, self.format) = (locale, subject, body, format)
        }
    }
}

/// The sender fields of a mail's header, each one line without control characters (M6). A field
/// that is nil has the server's default.
package struct Letterhead: Sendable, Hashable, Codable {
    package let senderDisplayName: String?
    /// The part before the @ of the sender's address.
    package let senderLocalPart: String?
    package let replyTo: String?
}

/// The usable fields of a template, with an objection to each field that was left out.
package struct CheckedTemplate: Sendable {
    package let template: LetterTemplate
    package let objections: [SettingsObjection]

    /// Combines a template with its objections.
    /// - Parameter objections: keyed by the field's name in `EmailTemplate`.
    package init(_ template: LetterTemplate, objections: [SettingsObjection] = []) {
        (self.template, self.objections) = (template, objections)
    }
}
