internal import Base
internal import Foundation
internal import Network

/// A connection to a relay, from the greeting over authentication to one mail after another.
///
/// It is a value around a shared connection: what it has read but not used is lost with it, so only
/// a session without such bytes is kept.
struct SMTPSession: Sendable {
    /// A failure before a mail was offered.
    struct NotOpened: Error {
        let text: String
        /// Whether the credentials were refused for good.
        var isRefusalOfCredentials = false
    }

    typealias Log = @Sendable (SMTPDialogueLine) -> Void

    let connection: SMTPConnection
    private let limits: SMTPLimits
    let offers: SMTPOffers
    private var reader = SMTPReplyReader()
    /// Whether the connection can take another mail.
    var isReusable = false
    /// Whether the connection had ended before the server answered anything about the last mail.
    var wasDead = false

    /// Connects and authenticates. Blocks, on a worker.
    init(to settings: SMTPRelaySettings, before deadline: Uptime, log: @escaping Log) throws(NotOpened) {
        limits = settings.limits
        do {
            connection = try SMTPConnection(to: settings.endpoint, limits: limits, before: deadline, log: log)
        } catch { throw NotOpened(text: error.answer.map(AnswerText.kept) ?? "\(error.cause), \(error.stage.phrase)") }
        offers = SMTPOffers(connection.extensions)
        if let credentials = settings.credentials {
            try authenticate(credentials, isPrivate: connection.isEncrypted || settings.isLoopback, before: deadline, log: log)
        }
    }

    private mutating func authenticate(
        _ credentials: SMTPCredentials, isPrivate: Bool, before deadline: Uptime, log: Log
    ) throws(NotOpened) {
        guard isPrivate else { throw NotOpened(text: "credentials are not sent without TLS") }
        let secret = try Self.secret(of: credentials)
        guard var exchange = SMTPAuthentication(credentials, secret: secret, offers: offers) else {
            throw NotOpened(
                text: "the server offers no authentication for these credentials, only \(AnswerText.kept("\(offers.mechanisms.sorted())"))")
        }
        var command = exchange.start()
        while true {
            let reply: SMTPReply
            do { reply = try ask(command, before: deadline, log: log) } catch { throw NotOpened(text: "\(error.text), during AUTH") }
            switch exchange.receive(reply) {
            case .command(let next): command = next
            case .succeeded:
                log(.event("authenticated as \(credentials.user) by \(exchange.mechanism)"))
                return
            case .failed(let reply): throw NotOpened(text: reply.oneLine, isRefusalOfCredentials: reply.severity == 5)
            }
        }
    }

    /// The password, or the token that its file has now.
    private static func secret(of credentials: SMTPCredentials) throws(NotOpened) -> String {
        switch credentials {
        case .password(_, let password): return password
        case .tokenFile(_, let path):
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw NotOpened(text: "the token file \(path) cannot be read")
            }
            let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !token.isEmpty, token.utf8.allSatisfy({ (33...126).contains($0) }) else {
                throw NotOpened(text: "the token file \(path) does not contain a token")
            }
            return token
        }
    }

    /// The answer to a command was not received.
    struct Lost: Error {
        let text: String
    }

    mutating func ask(_ command: SMTPCommand, before deadline: Uptime, log: Log) throws(Lost) -> SMTPReply {
        let limit = min(Uptime.now + limits.answer, deadline)
        log(.sent(command.shown))
        do throws(SMTPConnectionError) { try connection.send(command.bytes, before: limit) } catch { throw Lost(text: error.cause) }
        return try reply(before: limit, log: log)
    }

    mutating func reply(before limit: Uptime, log: Log) throws(Lost) -> SMTPReply {
        while true {
            do throws(SMTPReplyReader.Malformed) {
                if let reply = try reader.next() {
                    for line in reply.lines { log(.received("\(reply.code) \(line)")) }
                    return reply
                }
            } catch { throw Lost(text: error.cause) }
            do throws(SMTPConnectionError) { reader.append(try connection.receive(before: limit)) } catch { throw Lost(text: error.cause) }
        }
    }

    /// Reads what the server has sent unasked; returns whether there is nothing.
    /// - Throws: if the connection has ended.
    mutating func isQuiet() throws(Lost) -> Bool {
        do throws(SMTPConnectionError) {
            if let bytes = try connection.receiveIfAny() { reader.append(bytes) }
        } catch { throw Lost(text: error.cause) }
        return reader.isEmpty
    }

    func quit() { connection.quit() }
}
