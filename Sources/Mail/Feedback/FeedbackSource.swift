internal import Accounts
internal import Base

/// One provider's way to prove that a request is its own, and to write reports.
protocol FeedbackSource: Sendable {
    /// Reads a request, after its proof has been checked.
    func message(in request: FeedbackRequest, at now: Timestamp) async throws(FeedbackError) -> FeedbackMessage
}

/// A request that was proved to be its provider's.
struct FeedbackMessage: Sendable, Hashable {
    /// Differs from that of every other message of the provider, and cannot be changed without the
    /// provider's key.
    let id: [UInt8]
    /// Whether `id` does not cover the body, so that it has to be bound to the first one.
    var isBodyUnproven = false
    var reports: [MailFeedback] = []
    /// The URL that an operator has to open before the provider sends reports.
    var confirmationURL: String?
}

/// The reason why a request with feedback has no effect. The texts are constants for the log.
enum FeedbackError: Error, Sendable, Hashable {
    case unauthentic(String)
    case malformed(String)
    /// The request can be judged later.
    case unavailable(String)
}

extension Timestamp {
    /// How far the clock of a provider may be ahead.
    private static let maxSkew = Duration.minutes(5)

    /// Throws if a signed moment is too long ago, so that what was recorded once proves nothing
    /// later.
    func requireRecent(at now: Timestamp, within span: Duration = FeedbackReceiver.window) throws(FeedbackError) {
        guard now - self <= span, self - now <= Self.maxSkew else { throw .unauthentic("its time is not the present") }
    }

    /// Reads seconds since 1970 in decimal digits.
    init?(secondsText text: String) {
        guard text.utf8.count <= 12, text.utf8.allSatisfy({ (48...57).contains($0) }), let seconds = Int64(text) else { return nil }
        self.init(seconds: seconds)
    }
}

extension MailFeedback {
    /// Nil if the text is not an address that Onward sends mails to.
    init?(_ kind: Kind, of address: JSON?) {
        guard let address = address?.string.flatMap({ EmailAddress($0) }) else { return nil }
        self.init(kind, of: address)
    }
}

extension FeedbackRequest {
    /// The body, once it has been proved to be the provider's.
    func json() throws(FeedbackError) -> JSON {
        guard let json = try? JSON(body) else { throw .malformed("its body is not JSON") }
        return json
    }
}
