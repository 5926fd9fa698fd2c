/// A name that the mail templates of a project may use, such as `{{link}}`. `Docs/Templates.md`
/// lists them.
public enum MailName: String, Sendable, Hashable, CaseIterable {
    // The values of the mail. Firebase's templates have a placeholder for each of the first six.
    case link, email, newEmail, appName, displayName, secondFactor
    case requested, expires, validity, device, number
    /// The list of all facts that the shipped mail states, each with a label and a value.
    case facts, label, value
    // The shipped words
    case subject, greeting, lead, button, linkBelow, advice, why, help
    // The look of the project and the language
    case language, direction, start, logo, logoWidth, logoHeight, accent, onAccent, accentDark, onAccentDark

    /// The placeholder between two `%` that stands for the same value. Source: the templates of
    /// Firebase's console; `SECOND_FACTOR` is Onward's own.
    var placeholder: String? {
        switch self {
        case .link: "LINK"
        case .email: "EMAIL"
        case .newEmail: "NEW_EMAIL"
        case .appName: "APP_NAME"
        case .displayName: "DISPLAY_NAME"
        case .secondFactor: "SECOND_FACTOR"
        default: nil
        }
    }

    /// Whether the value may appear in a quoted attribute. The others are chosen by users, or have
    /// their own markup.
    var fitsAttributes: Bool {
        switch self {
        case .link, .appName, .subject, .button, .language, .direction, .start, .logo, .logoWidth, .logoHeight: true
        default: isColour
        }
    }

    var isColour: Bool {
        switch self {
        case .accent, .onAccent, .accentDark, .onAccentDark: true
        default: false
        }
    }
}

/// The mails that a template is for, which decide what names it may use.
public struct TemplateScope: Sendable, Hashable {
    public enum Presence: Sendable, Hashable {
        case always, never
        /// The template is for mails with a link and for mails without.
        case sometimes
    }

    /// All mails of a project.
    public static let everyMail = TemplateScope(link: .sometimes, hasNewEmail: true, hasSecondFactor: true)

    let link: Presence
    let hasNewEmail, hasSecondFactor: Bool

    public init(link: Presence, hasNewEmail: Bool, hasSecondFactor: Bool) {
        (self.link, self.hasNewEmail, self.hasSecondFactor) = (link, hasNewEmail, hasSecondFactor)
    }

    func has(_ name: MailName) -> Bool {
        switch name {
        case .link, .expires, .validity, .number, .button, .linkBelow, .device: link != .never
        case .newEmail: hasNewEmail
        case .secondFactor: hasSecondFactor
        default: true
        }
    }

    /// The names for an error message.
    var names: String { MailName.allCases.filter(has).map(\.rawValue).joined(separator: ", ") }
}
