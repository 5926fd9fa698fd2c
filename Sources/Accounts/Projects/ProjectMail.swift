/// The sender fields that a project sets itself, and the pace at which its mails are sent.
public struct ProjectMail: Sendable, Hashable {
    /// The sender that recipients see; nil: that of all projects.
    public var from: Mailbox?
    /// The address for replies; nil: that of all projects.
    public var replyTo: EmailAddress?
    /// The address that relays report failures to; nil: that of all projects.
    public var envelopeFrom: EmailAddress?
    /// The number of mails that are sent at once, and regained evenly over a minute. Others wait in
    /// the queue. Firebase's largest quota, 100,000 a day, is 70 a minute.
    public var mailsPerMinute = 600

    public static let paces = 1...1_000_000

    public init() {}
}

/// An address with the name that mail programs show beside it.
public struct Mailbox: Sendable, Hashable {
    /// Nil if only the address is shown.
    public let name: String?
    public let address: EmailAddress

    public init(name: String?, address: EmailAddress) { (self.name, self.address) = (name, address) }
}
