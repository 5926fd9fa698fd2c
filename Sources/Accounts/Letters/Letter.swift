public import Base

/// The content of a mail, before it is composed in a language.
public struct Letter: Sendable {
    public let kind: LetterKind
    public let recipient: EmailAddress
    /// The language of the mail: the requested one, otherwise the account's, otherwise the
    /// project's.
    public let language: String
    public var displayName: String?
    /// The other address, if the mail concerns two.
    public var otherEmail: EmailAddress?
    /// The name of the second factor, if the mail concerns one.
    public var secondFactor: String?
    /// The name of the identity provider, if the mail concerns one.
    public var provider: String?
    /// The ways to sign in to the account, which a confirmation of its address accepts.
    public var waysIn: WaysIn?
    /// The state of the account's password, on which some sentences depend.
    public var formerPassword = PasswordFacts.Former.inForce
    /// Whether the letter was asked for on the page of an earlier link.
    public var isSentAgain = false
    /// Whether the account can get a new password by a mail.
    public var canReset = true
    /// The time at which the account was made, for a mail that adds an address to it.
    public var accountCreatedAt: Timestamp?
    public var link: String?
    public var expiresAt: Timestamp?
    /// The digits that the mail and the page of its link show, so that a user can compare them; nil
    /// if the letter has no link.
    public var confirmationNumber: String?
    /// The device from which the mail was asked for, if its client says so.
    public var device: ClientDevice?
    /// The time at which the mail was asked for, or the change that it reports happened.
    public let createdAt: Timestamp

    public init(_ kind: LetterKind, to recipient: EmailAddress, language: String, createdAt: Timestamp) {
        self.kind = kind
        self.recipient = recipient
        self.language = language
        self.createdAt = createdAt
    }

    /// The address that the letter is about. It differs from the recipient only for mail to a new
    /// address, which is about the address that it replaces; nil if it replaces none.
    public var account: EmailAddress? { isToNewAddress ? otherEmail : recipient }
    /// The second address that the letter is about: the new one, or for an undo link the current
    /// one.
    public var otherAddress: EmailAddress? { isToNewAddress ? recipient : otherEmail }

    /// Whether the letter is about an account that gets its first address.
    public var addsAddress: Bool { account == nil }

    /// The kind of mail whose template words the letter; nil for one that adds an address, which
    /// the words for a change do not fit.
    public var template: LetterKind? { addsAddress ? nil : kind }

    private var isToNewAddress: Bool { kind.action?.setsNewAddress ?? false }
}

/// A mail as its recipient reads it.
public struct RenderedMail: Sendable, Hashable {
    /// One line without control characters (M6).
    public let subject: String
    /// The text part: lines of at most 72 characters, except for links, each on its own line (L6).
    public let text: String
    /// The HTML part, with the same link as the text (M7). The only file that it loads is the
    /// project's logo, which has one address for all mails (P6).
    public let html: String

    public init(subject: String, text: String, html: String) {
        self.subject = subject
        self.text = text
        self.html = html
    }
}

/// Composes a letter. A closure, because templates and languages belong to another target.
public typealias Compose = @Sendable (_ letter: Letter, _ project: Project) throws(ActionError) -> RenderedMail
