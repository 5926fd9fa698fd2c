package import Accounts

/// The sender of a project's mails, as far as it has one of its own, and the pace at which they are
/// sent.
package struct ProjectMail: Sendable, Hashable {
    /// The sender that recipients see; nil: that of all projects.
    package var from: Mailbox?
    /// The address for replies; nil: that of all projects.
    package var replyTo: EmailAddress?
    /// The address to which relays report failures; nil: that of all projects.
    package var envelopeFrom: EmailAddress?
    /// The number of mails that are sent at once, and regained evenly over a minute. Others wait in
    /// the queue. Firebase's largest quota, 100,000 a day, is 70 a minute.
    package var mailsPerMinute = 600

    package static let paces = 1...1_000_000

    package init() {}
}

/// An address with the name that mail programs show beside it.
package struct Mailbox: Sendable, Hashable {
    /// Nil if only the address is shown.
    package let name: String?
    package let address: EmailAddress

    package init(name: String?, address: EmailAddress) { (self.name, self.address) = (name, address) }
}
