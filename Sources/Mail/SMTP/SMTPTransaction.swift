internal import Accounts

/// The exchange that hands one message to a server that has been greeted. Source: RFC 5321 section
/// 3.3.
struct SMTPTransaction: Sendable {
    enum Step: Sendable, Hashable {
        case command(SMTPCommand)
        /// The message is to be sent, then the line that ends it.
        case message
        case done(DeliveryOutcome)
    }

    private enum Phase: Sendable { case sender, recipient, data, acceptance }

    private let message: SMTPMessage
    private var phase = Phase.sender

    init(_ message: SMTPMessage) { self.message = message }

    func start(_ offers: SMTPOffers) -> SMTPCommand {
        var command = "MAIL FROM:<\(message.sender.addrSpec)>"
        if offers.declaresSize { command += " SIZE=\(message.byteCount)" }
        if message.needsInternationalAddresses {
            command += " SMTPUTF8"
            if offers.eightBit { command += " BODY=8BITMIME" }
        }
        return SMTPCommand(command)
    }

    mutating func receive(_ reply: SMTPReply) -> Step {
        switch (phase, reply.code) {
        case (.sender, 200..<300):
            phase = .recipient
            return .command(SMTPCommand("RCPT TO:<\(message.recipient.addrSpec)>"))
        case (.recipient, 200..<300):
            phase = .data
            return .command(SMTPCommand("DATA"))
        case (.data, 354):
            phase = .acceptance
            return .message
        case (.acceptance, 200..<300): return .done(.accepted(reply.oneLine))
        default: return .done(failure(reply))
        }
    }

    private func failure(_ reply: SMTPReply) -> DeliveryOutcome {
        switch reply.code {
        // The server is going away, or wants other credentials. Source: RFC 4954 section 6.
        case 421, 530, 534, 535, 538: .deferred(reply.oneLine, .relay)
        // The message is too large, or the addresses are not ASCII. Source: RFC 1870, RFC 6531
        // section 3.5.
        case 552: .refused(reply.oneLine)
        case 500..<600 where reply.hasStatus("5.3.4", "5.6.7", "5.6.9"): .refused(reply.oneLine)
        // The server does not know the recipient yet, so its answer is about the relay or the
        // sender.
        case 400..<600 where phase == .sender: .deferred(reply.oneLine, .relay)
        case 400..<600 where reply.refusesUnverifiedSender: .deferred(reply.oneLine, .policy)
        // In the answer to the recipient, the words may be those of the recipient's server.
        // After it they may be, too, if the relay passes answers on, so the relay is not paused.
        case 400..<600 where phase != .recipient && reply.refusesAccount: .deferred(reply.oneLine, .policy)
        case 400..<500: .deferred(reply.oneLine, .mail)
        // The mailbox does not exist, or its domain takes no mail. Others, such as 5.1.2, may be
        // the relay's mistake, or concern this mail only. Source: RFC 3463 section 3.2, RFC 7505.
        case 500..<600 where reply.hasStatus("5.1.1", "5.1.10"):
            .refused(reply.oneLine, feedback: SenderRefusal.isNamed(in: reply.oneLine) ? .senderRefused : .bounce)
        // Most often a mistake in a configuration, which is mended while the mail waits.
        case 500..<600 where phase == .recipient && reply.deniesRelaying: .deferred(reply.oneLine, .policy)
        // Such as a block list that has this server's address. Source: RFC 3463 section 3.8.
        case 500..<600 where phase == .recipient && reply.isAboutPolicy: .refused(reply.oneLine, .policy)
        case 500..<600: .refused(reply.oneLine)
        default: .deferred("unexpected answer: \(reply.oneLine)", .relay)
        }
    }
}
