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
    /// The name of the identity provider, if the mail concerns one.
    package var provider: String?
    package var link: String?
    package var expiresAt: Timestamp?
    /// The digits that the mail and the page of its link show, so that a user can compare them; nil
    /// if the letter has no link.
    package var confirmationNumber: String?
    /// The device from which the mail was asked for, if its client says so.
    package var device: ClientDevice?
    /// The time at which the mail was asked for, or the change that it reports happened.
    package let createdAt: Timestamp

    package init(_ kind: LetterKind, to recipient: EmailAddress, language: String, createdAt: Timestamp) {
        self.kind = kind
        self.recipient = recipient
        self.language = language
        self.createdAt = createdAt
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
package struct ComposedLetter: Sendable, Hashable {
    package let subject: String
    package let text: String
    package let html: String
    /// The link in the letter, for the development inbox.
    package let link: String?
    /// The confirmation number of the link, for programs that word their mails themselves.
    package let number: String?
    /// The sender fields that the project sets; nil if it sets none.
    package let letterhead: Letterhead?

    package init(subject: String, text: String, html: String, link: String?, number: String? = nil, letterhead: Letterhead? = nil) {
        self.subject = subject
        self.text = text
        self.html = html
        self.link = link
        self.number = number
        self.letterhead = letterhead
    }
}

/// The browser and the system of a client, as far as its `User-Agent` names them.
package struct ClientDevice: Sendable, Hashable {
    package let browser: String?
    package let system: String?

    package init(browser: String?, system: String?) { (self.browser, self.system) = (browser, system) }
}

/// The client that asked for a mail, as far as it is known.
package struct Requester: Sendable, Hashable {
    package static let unknown = Requester(network: nil, device: nil)

    /// The network that one subscriber has, for fair turns among mails.
    package let network: String?
    package let device: ClientDevice?

    package init(network: String?, device: ClientDevice?) { (self.network, self.device) = (network, device) }
}

/// Composes a letter. A closure, because templates and languages belong to another target.
package typealias Compose = @Sendable (_ letter: Letter, _ project: Project) -> ComposedLetter
