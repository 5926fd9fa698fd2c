internal import Accounts
public import Base
internal import Network

/// A webhook that receives mails, text messages or events, as it is configured.
///
/// Source: Standard Webhooks.
public struct WebhookSettings: Sendable, Equatable {
    public enum Invalid: Error, Hashable {
        /// The messages would cross the network unencrypted.
        case notHTTPS
        case fragment
        case secret
    }

    public let url: WebURL
    /// The keys that sign: one, or two while the secret is being changed.
    private let keys: [WebhookKey]
    private let isPrivate: Bool

    /// - Parameters:
    ///   - url: an https URL; http is allowed to this machine.
    ///   - secret: `whsec_` and base64.
    ///   - previous: the secret before, while the receiver may still have it.
    ///   - isPrivate: whether the address may be one that is not public.
    public init(url: WebURL, secret: String, previous: String? = nil, isPrivate: Bool = false) throws(Invalid) {
        guard url.scheme == "https" || url.scheme == "http" && url.host?.isLoopback == true else { throw .notHTTPS }
        guard url.fragment == nil else { throw .fragment }
        keys = try [secret, previous].compactMap(\.self).map { (secret) throws(Invalid) in
            guard let key = WebhookKey(secret) else { throw .secret }
            return key
        }
        (self.url, self.isPrivate) = (url, isPrivate)
    }

    /// Whether connections are made to public addresses only, whatever the host resolves to.
    var reachesOnlyPublicAddresses: Bool { !isPrivate && url.host?.isLoopback != true }
}

extension WebhookSettings {
    /// A signed request. The receiver can recognise a message that comes again by its id.
    /// - Parameter moment: the wall time.
    func request(_ body: [UInt8], id: String, at moment: Timestamp) -> TransferRequest {
        let signatures = keys.map { "v1,\($0.signature(of: body, id: id, at: moment.seconds))" }
        let fields = [
            "Content-Type: application/json", "Accept: application/json", "webhook-id: \(id)", "webhook-timestamp: \(moment.seconds)",
            "webhook-signature: \(signatures.joined(separator: " "))",
            // A body of more than a kilobyte is sent at once, without asking first.
            "Expect:",
        ]
        return TransferRequest(url: url.serialized, fields: fields, body: body)
    }
}

extension WebhookSettings.Invalid: CustomStringConvertible {
    /// The error as a sentence without its subject, for the operator.
    public var description: String {
        switch self {
        case .notHTTPS: "is not an https URL; http is allowed for this machine only"
        case .fragment: "has a fragment; remove what follows the #"
        case .secret: "needs a secret of whsec_ and the base64 of 24 to 64 bytes: echo whsec_$(openssl rand -base64 32)"
        }
    }
}
