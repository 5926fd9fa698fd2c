/// An HTTP request to a configured server.
public struct TransferRequest: Sendable {
    /// The URL, built from configuration and constants, or named by a provider's document.
    public let url: String
    /// The header lines, `Name: value`, without line ends.
    public let fields: [String]
    /// The body of a POST; nil for a GET.
    public let body: [UInt8]?
    /// The address and port to connect to instead of those of the URL, whose name the certificate
    /// must still have.
    let peer: String?
    /// Whether the body is sent at most once. Otherwise libcurl sends the request again if the
    /// connection that it kept turns out to be closed, and a response may then be that to the
    /// repetition.
    public let isSentOnce: Bool

    public init(url: String, fields: [String], body: [UInt8]?, connectingTo peer: String? = nil, isSentOnce: Bool = false) {
        self.peer = peer
        self.url = url
        self.fields = fields
        self.body = body
        self.isSentOnce = isSentOnce
    }
}

/// A complete HTTP response.
public struct TransferResponse: Sendable {
    public let status: Int
    public let body: [UInt8]
    /// The fields of the head, in their order.
    public let fields: [Field]

    public struct Field: Sendable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    public init(status: Int, fields: [Field] = [], body: [UInt8]) { (self.status, self.fields, self.body) = (status, fields, body) }

    /// The first value of a field, whose name is given in lower case.
    public subscript(name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }

    /// The largest body that is accepted. The configuration of a Firebase project with a few
    /// thousand authorised domains takes a tenth of it.
    public static let maxBodyBytes = 1 << 20
    /// The largest head that is accepted, informational responses included.
    public static let maxHeadBytes = 1 << 16
}

/// The failure of an HTTP transfer: no complete response was received.
public struct TransferError: Error, Sendable {
    /// The possible effect of a request without a response.
    public enum RequestState: Sendable, Hashable {
        /// The request was not sent.
        case notSent
        /// The request was sent, and the response was lost.
        case unknown
        /// The request was sent and not waited for any longer; the server may still execute it.
        case pending
    }

    /// The cause for the log, a constant text.
    public let cause: String
    public let requestState: RequestState

    init(cause: String, requestState: RequestState = .notSent) {
        self.cause = cause
        self.requestState = requestState
    }
}
