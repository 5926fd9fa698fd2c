package import Accounts

/// The content of a mail, before it is composed in a language.
package struct Letter: Sendable {
    package let kind: LetterKind
    package let recipient: EmailAddress
    /// The language of the mail: the requested one, otherwise the account's, otherwise the
    /// project's.
    package let language: String
    package var displayName: String?
    /// The other address, if the mail concerns two.
    package var otherEmail: EmailAddress?
    /// The name of the second factor, if the mail concerns one.
    package var secondFactor: String?
    package var link: String?
    package var expiresAt: Timestamp?

    package init(_ kind: LetterKind, to recipient: EmailAddress, language: String) {
        self.kind = kind
        self.recipient = recipient
        self.language = language
    }

    /// The address that the letter is about. It differs from the recipient only for mail to a new
    /// address, which is about the address that it replaces.
    package var account: EmailAddress { isToNewAddress ? otherEmail ?? recipient : recipient }
    /// The second address that the letter is about: the new one, or for an undo link the current
    /// one.
    package var otherAddress: EmailAddress? { isToNewAddress ? recipient : otherEmail }

    private var isToNewAddress: Bool { kind.action?.setsNewAddress ?? false }
}

/// A letter composed in a language, ready for MIME.
package struct ComposedLetter: Sendable, Hashable, Codable {
    package let subject: String
    package let text: String
    package let html: String
    /// The link in the letter, for the development inbox.
    package let link: String?
    /// The sender fields that the project sets; nil if it sets none.
    package let letterhead: Letterhead?

    package init(subject: String, text: String, html: String, link: String?, letterhead: Letterhead? = nil) {
        self.subject = subject
        self.text = text
        self.html = html
        self.link = link
        self.letterhead = letterhead
    }
}

/// Composes a letter. A closure, because templates and languages belong to another target.
package typealias Compose = @Sendable (_ letter: Letter, _ project: Project) -> ComposedLetter
