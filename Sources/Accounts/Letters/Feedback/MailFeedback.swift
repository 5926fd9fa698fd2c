/// The source of a report about a mail. The raw value is stored, counted and part of the path.
public enum FeedbackProvider: String, Sendable, Hashable, CaseIterable {
    /// A relay of the configuration, in its own answer.
    case relay
    /// Amazon SES, by Amazon SNS.
    case sns
    case sendgrid, mailgun, postmark
    /// Any other system, in the format of `Docs/MailFeedback.md`.
    case plain

    /// The format of its reports, for the API's documentation, and the largest body that it sends;
    /// nil: as other clients of the API. Relays send none.
    public var reports: (format: String, maxBytes: Int?)? {
        switch self {
        case .relay: nil
        case .sns: ("Notifications of Amazon SES by Amazon SNS.", nil)
        // Collects events of up to 768 KB.
        case .sendgrid: ("SendGrid's signed event webhook.", 1 << 20)
        case .mailgun: ("Mailgun's webhooks.", nil)
        case .postmark: ("Postmark's webhooks for bounces and spam complaints.", nil)
        case .plain: ("Onward's own format, signed by Standard Webhooks.", nil)
        }
    }
}

/// A report about a mail to one address.
public struct MailFeedback: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The mailbox does not exist.
        case bounce
        /// The mail was not delivered for another reason, which may pass.
        case softBounce
        /// The recipient called the mail spam.
        case complaint
        /// The recipient's server does not take mails of this sender.
        case senderRefused
    }

    public let kind: Kind
    public let address: EmailAddress

    public init(_ kind: Kind, of address: EmailAddress) { (self.kind, self.address) = (kind, address) }
}

/// A request that says it comes from a provider.
public struct FeedbackRequest: Sendable {
    public let provider: FeedbackProvider
    public let project: ProjectID
    /// Returns the value of a header field.
    public let field: @Sendable (_ name: String) -> String?
    public let body: [UInt8]

    public init(
        from provider: FeedbackProvider, about project: ProjectID, field: @escaping @Sendable (_ name: String) -> String?, body: [UInt8]
    ) {
        self.provider = provider
        self.project = project
        self.field = field
        self.body = body
    }
}

/// The answer to a request with feedback.
public enum FeedbackAnswer: Sendable, Hashable {
    /// The reports count, or have no effect here. Which of both is not told.
    case accepted
    /// The request is not proved to be the provider's.
    case unauthentic
    /// The request is the provider's, and cannot be read.
    case malformed
}

/// Receives feedback. A closure, because the formats of providers belong to another target.
public typealias ReceiveFeedback = @Sendable (FeedbackRequest) async throws(ActionError) -> FeedbackAnswer
