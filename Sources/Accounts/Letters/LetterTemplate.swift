/// A project's own template for one kind of mail, as admins set it. A field that is nil keeps the
/// default text. Source: Identity Toolkit `EmailTemplate`.
public struct LetterTemplate: Sendable, Hashable, Codable {
    /// The format of the body.
    public enum Format: String, Sendable, Codable, CaseIterable {
        case text = "PLAIN_TEXT"
        case html = "HTML"
    }

    public var senderDisplayName: String?
    /// The part before the @ of the sender's address.
    public var senderLocalPart: String?
    public var replyTo: String?
    /// The words in the project's language.
    public var subject: String?
    public var body: String?
    /// The format of the body; nil: `text`.
    public var format: Format?
    /// The words in other languages.
    public var translations: [Translation]?

    public init() {}

    public var isCustomized: Bool { subject != nil || body != nil || translations?.isEmpty == false }

    /// The sender that a mail names; nil if the template names none.
    public var letterhead: Letterhead? {
        guard senderDisplayName != nil || senderLocalPart != nil || replyTo != nil else { return nil }
        return Letterhead(senderDisplayName: senderDisplayName, senderLocalPart: senderLocalPart, replyTo: replyTo)
    }
}

extension LetterTemplate {
    /// The subject and the body of a template in one language.
    public struct Translation: Sendable, Hashable, Codable {
        /// The BCP 47 tag of the language.
        public var locale: String
        public var subject: String?
        public var body: String?
        /// The format of the body; nil: `text`.
        public var format: Format?

        public init(locale: String, subject: String? = nil, body: String? = nil, format: Format? = nil) {
            (self.locale, self.subject, self.body, self.format) = (locale, subject, body, format)
        }
    }
}

/// The sender fields of a mail's header, each one line without control characters (M6). A field
/// that is nil has the server's default.
public struct Letterhead: Sendable, Hashable, Codable {
    public let senderDisplayName: String?
    /// The part before the @ of the sender's address.
    public let senderLocalPart: String?
    public let replyTo: String?
}

/// The usable fields of a template, with an objection to each field that was left out.
public struct CheckedTemplate: Sendable {
    public let template: LetterTemplate
    public let objections: [SettingsObjection]

    /// Combines a template with its objections.
    /// - Parameter objections: keyed by the field's name in `EmailTemplate`.
    public init(_ template: LetterTemplate, objections: [SettingsObjection] = []) {
        (self.template, self.objections) = (template, objections)
    }
}
