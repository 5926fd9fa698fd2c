/// An SMTP server and the way in which connections to it are secured.
public struct SMTPEndpoint: Sendable, Hashable {
    public enum Encryption: Sendable, Hashable {
        /// TLS from the first byte. Source: RFC 8314.
        case implicit
        /// TLS by the command STARTTLS, without which the connection is given up. Source: RFC 3207.
        case startTLS
        case none
    }

    /// A domain name in ASCII or an IP address, in brackets if it is one of IPv6.
    public let host: String
    public let port: UInt16
    public let encryption: Encryption
    /// The name that this machine calls itself in EHLO: a domain name, or an address literal in
    /// brackets.
    public let heloName: String
    /// The path of a PEM file with the only certificates that are trusted; nil for the system's.
    public let caFile: String?
    /// The public keys that the server may have, as `sha256//` and base64, separated by `;`; nil
    /// for any. Source: CURLOPT_PINNEDPUBLICKEY(3).
    public let pinnedPublicKey: String?

    public init(
        host: String, port: UInt16, encryption: Encryption, heloName: String, caFile: String? = nil, pinnedPublicKey: String? = nil
    ) {
        self.host = host
        self.port = port
        self.encryption = encryption
        self.heloName = heloName
        self.caFile = caFile
        self.pinnedPublicKey = pinnedPublicKey
    }

    /// The server in logs and answers, such as `smtp.example.com:587`.
    public var name: String { "\(host):\(port)" }

    /// The URL for libcurl, whose path is the name for EHLO.
    var url: String {
        let path = heloName.replacing("[", with: "%5B").replacing("]", with: "%5D")
        return "\(encryption == .implicit ? "smtps" : "smtp")://\(host):\(port)/\(path)"
    }
}

/// The time limits of an SMTP connection.
public struct SMTPLimits: Sendable, Hashable {
    /// The limit for connecting, both handshakes included.
    public var connect = Duration.seconds(10)
    /// The limit for each answer of the server, from the command to its last line.
    public var answer = Duration.seconds(20)
    /// The limit for a mail as a whole, waiting and connecting included.
    public var total = Duration.seconds(35)

    public init() {}
}

/// A line of the dialogue with a server, for an operator who looks for the reason of a failure.
public enum SMTPDialogueLine: Sendable, Hashable {
    case sent(String)
    case received(String)
    /// An event that is not a line of the protocol, such as a TLS handshake.
    case event(String)
}

/// The failure to connect to an SMTP server, or of its connection.
public struct SMTPConnectionError: Error, Sendable {
    public enum Stage: Sendable, Hashable {
        case connecting, greeting, ehlo, startTLS, handshake, transaction

        /// The stage in a sentence.
        public var phrase: String {
            switch self {
            case .connecting: "while connecting"
            case .greeting: "in its greeting"
            case .ehlo: "after EHLO"
            case .startTLS: "after STARTTLS"
            case .handshake: "in the TLS handshake"
            case .transaction: "in the transaction"
            }
        }
    }

    public let stage: Stage
    /// The cause, a text without line ends.
    public let cause: String
    /// The server's last answer as it was sent, if an answer is the reason.
    public let answer: String?

    init(_ stage: Stage, _ cause: String, answer: String? = nil) {
        self.stage = stage
        self.cause = cause
        self.answer = answer
    }
}
