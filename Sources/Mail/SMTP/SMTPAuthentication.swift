internal import Foundation

/// The credentials for a relay.
public enum SMTPCredentials: Sendable, Hashable {
    /// A password, for the mechanisms PLAIN and LOGIN.
    case password(user: String, String)
    /// The path of a file with an OAuth 2 access token, read for each connection, for XOAUTH2.
    case tokenFile(user: String, path: String)

    public var user: String {
        switch self {
        case .password(let user, _), .tokenFile(let user, _): user
        }
    }
}

/// The exchange that authenticates a connection. Source: RFC 4954, RFC 4616.
struct SMTPAuthentication: Sendable {
    enum Step: Sendable, Hashable {
        case command(SMTPCommand)
        case succeeded
        case failed(SMTPReply)
    }

    /// The largest command, without its line end. Source: RFC 5321 section 4.5.3.1.4.
    private static let maxCommandBytes = 510

    let mechanism: String
    /// The responses that were not sent yet, in base64.
    private var responses: [String]
    private var stepCount = 0

    /// Nil if the server offers no mechanism for these credentials.
    /// - Parameter secret: the password or the token.
    init?(_ credentials: SMTPCredentials, secret: String, offers: SMTPOffers) {
        let user = credentials.user
        let candidates: [(String, [String])] =
            switch credentials {
            case .password: [("PLAIN", ["\0\(user)\0\(secret)"]), ("LOGIN", [user, secret])]
            case .tokenFile: [("XOAUTH2", ["user=\(user)\u{1}auth=Bearer \(secret)\u{1}\u{1}"])]
            }
        guard let (mechanism, responses) = candidates.first(where: { offers.mechanisms.contains($0.0) }) else { return nil }
        self.mechanism = mechanism
        self.responses = responses.map { Data($0.utf8).base64EncodedString() }
    }

    /// The first command. PLAIN and XOAUTH2 send their only response with it if it is short enough.
    mutating func start() -> SMTPCommand {
        let command = "AUTH \(mechanism)"
        guard mechanism != "LOGIN", let response = responses.first, command.utf8.count + 1 + response.utf8.count <= Self.maxCommandBytes
        else { return SMTPCommand(command) }
        responses.removeFirst()
        return SMTPCommand("\(command) \(response)", shown: "\(command) (credentials)")
    }

    mutating func receive(_ reply: SMTPReply) -> Step {
        stepCount += 1
        switch reply.code {
        case 235: return .succeeded
        // After the last response a challenge describes the failure, and the empty response asks
        // for its code. Source: Google's description of XOAUTH2.
        case 334 where stepCount <= 4:
            return .command(responses.isEmpty ? SMTPCommand("") : SMTPCommand(responses.removeFirst(), shown: "(credentials)"))
        default: return .failed(reply)
        }
    }
}

/// A command line without its line end.
struct SMTPCommand: Sendable, Hashable {
    let text: String
    /// The command in a dialogue that is shown, without credentials.
    let shown: String

    init(_ text: String, shown: String? = nil) { (self.text, self.shown) = (text, shown ?? text) }

    var bytes: [UInt8] { Array("\(text)\r\n".utf8) }
}
