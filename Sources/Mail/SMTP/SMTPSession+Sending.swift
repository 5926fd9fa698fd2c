internal import Accounts
internal import Base
internal import Network

extension SMTPSession {
    /// Hands a message over. Blocks, on a worker.
    mutating func send(_ message: SMTPMessage, before deadline: Uptime, log: Log) -> DeliveryOutcome {
        let objection = offers.objection(to: message)
        (isReusable, wasDead) = (objection != nil, false)
        if let objection { return .refused(objection, .policy) }
        var exchange = Exchange(SMTPTransaction(message), offers)
        do throws(Lost) {
            while true {
                let reply = try ask(exchange.command, before: deadline, log: log)
                // A server that has waited long enough says 421 to the next command.
                if exchange.isUnanswered, reply.code == 421 {
                    wasDead = true
                    return .deferred(reply.oneLine, .relay)
                }
                var (step, last) = (exchange.receive(reply), reply)
                if case .message = step {
                    last = try submit(message, before: deadline, log: log, &exchange)
                    step = exchange.receive(last)
                }
                if case .done(let outcome) = step {
                    isReusable = isReady(after: last, exchange, before: deadline, log: log)
                    return outcome
                }
            }
        } catch {
            wasDead = exchange.isUnanswered
            let text = "\(error.text), \(exchange.mayBeAccepted ? "after the message" : "after \(exchange.command.text.prefix(4))")"
            return .deferred(text, exchange.mayBeAccepted ? .lostAnswer : .relay)
        }
    }

    /// The state of one mail's exchange.
    private struct Exchange {
        private var transaction: SMTPTransaction
        private(set) var command: SMTPCommand
        private(set) var isUnanswered = true
        /// Whether the line that ends the message was sent, or a part of it.
        var mayBeAccepted = false

        init(_ transaction: SMTPTransaction, _ offers: SMTPOffers) {
            self.transaction = transaction
            command = transaction.start(offers)
        }

        mutating func receive(_ reply: SMTPReply) -> SMTPTransaction.Step {
            isUnanswered = false
            let step = transaction.receive(reply)
            if case .command(let next) = step { command = next }
            return step
        }
    }

    /// Sends the message and the line that ends it, and returns the server's answer.
    ///
    /// An answer that comes before that line is not one to the message: a success is an error of
    /// the server, a failure ends the mail.
    private mutating func submit(
        _ message: SMTPMessage, before deadline: Uptime, log: Log, _ exchange: inout Exchange
    ) throws(Lost) -> SMTPReply {
        log(.event("message of \(message.byteCount) bytes"))
        if let early = try earlyReply(log) { return early }
        do throws(SMTPConnectionError) { try connection.send(message.lines, before: deadline) } catch {
            if let early = try? earlyReply(log) { return early }
            throw Lost(text: "\(error.cause) within the message")
        }
        if let early = try earlyReply(log) { return early }
        exchange.mayBeAccepted = true
        do throws(SMTPConnectionError) { try connection.send(Array(".\r\n".utf8), before: deadline) } catch {
            throw Lost(text: error.cause)
        }
        // This answer may take as long as the whole mail: giving up early would send the mail
        // twice.
        return try reply(before: deadline, log: log)
    }

    /// A failure that the server reports although the message is not complete; nil if it has sent
    /// nothing.
    private mutating func earlyReply(_ log: Log) throws(Lost) -> SMTPReply? {
        guard try !isQuiet() else { return nil }
        let reply = try reply(before: .now, log: log)
        guard reply.severity >= 4 else { throw Lost(text: "it answered before the end of the message") }
        return reply
    }

    /// Ends the transaction of a mail; returns whether the server is ready for another one.
    private mutating func isReady(after reply: SMTPReply, _ exchange: Exchange, before deadline: Uptime, log: Log) -> Bool {
        // The answer to a message ends the transaction. After any other failure it has to be reset,
        // except where the server says that it closes, or waits for the rest of a message.
        guard reply.code != 421 else { return false }
        if !exchange.mayBeAccepted {
            guard !exchange.command.text.hasPrefix("DATA"), (try? ask(SMTPCommand("RSET"), before: deadline, log: log))?.code == 250 else {
                return false
            }
        }
        return (try? isQuiet()) ?? false
    }
}
