package import Foundation

/// A mail, before it is put into words.
package struct LetterView: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// Carries a link. `account` is the address it is about (for `verifyAndChangeEmail` the present one), `other` the address to
        /// come, or for `recoverEmail` the one that took its place.
        case action(LinkAction, account: String, other: String?, factor: String?, link: String, expires: Date)
        case passwordChanged(account: String)
        /// Told to the old address where it cannot be restored by a link.
        case emailChanged(account: String, new: String)
        case emailRestored(account: String)
        case secondFactorRemoved(account: String, factor: String?)
    }

    package var content: Content
    package var brand: Brand
    /// The account's display name, chosen by whoever made the account: shown only where it cannot be taken for a link or a sentence.
    package var recipientName: String?
    package var now: Date

    package init(_ content: Content, brand: Brand, recipientName: String? = nil, now: Date) {
        self.content = content
        self.brand = brand
        self.recipientName = recipientName
        self.now = now
    }
}

/// A mail in words, ready to be put into MIME.
package struct RenderedMail: Sendable, Hashable {
    /// One line without control characters (M6).
    package var subject: String
    /// Lines of at most 72 characters, except those that hold a link, which stand alone (L6).
    package var text: String
    /// Carries the same link as the text (M7), and no picture.
    package var html: String

    package init(subject: String, text: String, html: String) {
        self.subject = subject
        self.text = text
        self.html = html
    }
}
