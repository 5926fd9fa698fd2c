/// The page instead of the deed.
package struct Trouble: Sendable, Hashable {
    /// Each case is one row of the table of troubles.
    package enum Reason: Sendable, Hashable {
        case alreadyDone
        case expired(Moment?)
        /// The code is unknown or cut.
        case damaged
        case newerLinkSent(Moment)
        case wrongAction
        /// A later change of the account took the link back.
        case withdrawn
        case tooManyTries(Moment)
        /// Something of ours is down; nothing was changed.
        case unavailable
        /// The answer of another system was lost, which may or may not have done the deed.
        case uncertain
        /// The page was open for too long: its token is too old, or belongs to another page.
        case pageExpired
        /// The account was closed or switched off.
        case accountClosed
        /// The new address belongs to somebody else by now.
        case addressTaken
        /// The project does not offer this (any more).
        case notOffered
        /// An app link that names what the project does not know.
        case linkRefused
        case notFound
        /// A method, a form or a size that no page of ours would send.
        case notUnderstood
    }

    /// What went wrong.
    package var reason: Reason
    /// Where a new link would go, as far as the person has shown to know it.
    package var account: String?
    /// The way on from `alreadyDone`, and from a link that is over without another to send.
    package var next: Next
    /// *Send a new one*, by POST; where the address is known.
    package var resend: Form?
    /// *Try again*, by GET.
    package var retry: Form?

    package init(_ reason: Reason, account: String? = nil, next: Next = .nowhere, resend: Form? = nil, retry: Form? = nil) {
        self.reason = reason
        self.account = account
        self.next = next
        self.resend = resend
        self.retry = retry
    }
}
