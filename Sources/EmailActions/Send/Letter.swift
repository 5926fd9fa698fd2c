package import Accounts

/// What a mail has to say, before it has words.
package struct Letter: Sendable {
    package let kind: LetterKind
    package let recipient: EmailAddress
    /// Already chosen: the asker's, else the account's, else the project's.
    package let language: String
    package var displayName: String?
    /// The other address, where two are involved.
    package var otherEmail: EmailAddress?
    /// The second factor's name, where one is involved.
    package var secondFactor: String?
    package var link: String?
    package var expiresAt: Timestamp?

    package init(_ kind: LetterKind, to recipient: EmailAddress, language: String) {
        self.kind = kind
        self.recipient = recipient
        self.language = language
    }

    /// The address that the letter is about. Only a new address is mailed about another one than its
    /// own: the one it replaces.
    package var account: EmailAddress { isToNewAddress ? otherEmail ?? recipient : recipient }
    /// The second address that the letter is about: the new one, or for an undo link the current one.
    package var otherAddress: EmailAddress? { isToNewAddress ? recipient : otherEmail }

    private var isToNewAddress: Bool { kind.action?.setsNewAddress ?? false }
}

/// A letter in words, ready for MIME.
package struct ComposedLetter: Sendable, Hashable, Codable {
    package let subject: String
    package let text: String
    package let html: String
    /// The link that it carries, for the development inbox.
    package let link: String?
    /// What the project says of the sender; nil: nothing.
    package let letterhead: Letterhead?

    package init(subject: String, text: String, html: String, link: String?, letterhead: Letterhead? = nil) {
        self.subject = subject
        self.text = text
        self.html = html
        self.link = link
        self.letterhead = letterhead
    }
}

/// Puts a letter into words. A closure, because templates and languages are not this target's business.
package typealias Compose = @Sendable (_ letter: Letter, _ project: Project) -> ComposedLetter
