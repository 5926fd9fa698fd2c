package import AppLinks
package import Foundation

/// A mail, before it is put into words.
package struct LetterView: Sendable, Hashable {
    /// Each case is one kind of mail.
    package enum Content: Sendable, Hashable {
        /// Carries a link. `account` is the address it is about (for `verifyAndChangeEmail` the present one), `other` the address to
        /// come, or for `recoverEmail` the one that took its place.
        case action(Action, account: String, other: String?, factor: String?, link: String, expires: Date)
        case passwordChanged(account: String)
        /// Told to the old address where it cannot be restored by a link.
        case emailChanged(account: String, new: String)
        case emailRestored(account: String)
        case secondFactorRemoved(account: String, factor: String?)
    }

    /// What the mail is about.
    package var content: Content
    /// Whose mail it is.
    package var brand: Brand
    /// The account's display name, chosen by whoever made the account: shown only where it cannot be taken for a link or a sentence.
    package var recipientName: String?
    /// When it happened, and the moment that relative times count from.
    package var now: Date

    package init(_ content: Content, brand: Brand, recipientName: String? = nil, now: Date) {
        self.content = content
        self.brand = brand
        self.recipientName = recipientName
        self.now = now
    }
}
