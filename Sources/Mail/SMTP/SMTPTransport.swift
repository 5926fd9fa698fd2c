public import Accounts
public import Base
public import Logging
public import Network

/// Sends mails through SMTP relays, in order of preference.
public struct SMTPTransport: MailTransport {
    /// Turns a mail into the bytes of its message.
    public typealias Encode = @Sendable (_ mail: OutgoingMail) -> [UInt8]

    let relays: [SMTPRelay]
    private let encode: Encode
    private let limits: SMTPLimits

    /// - Parameters:
    ///   - relays: the relays, the preferred one first.
    ///   - nodes: the number of processes that share the rates of the relays.
    ///   - uptime: for circuit breakers, rates and idle connections.
    public init(
        _ relays: [SMTPRelaySettings], nodes: Int = 1, encode: @escaping Encode,
        uptime: @escaping @Sendable () -> Uptime = { .now }, logger: Logger
    ) {
        self.relays = relays.map { SMTPRelay($0, nodes: nodes, uptime: uptime, logger: logger) }
        self.encode = encode
        limits = relays.map(\.limits).max { $0.total < $1.total } ?? SMTPLimits()
    }

    /// The relays that count as down, for `/readyz` and metrics.
    public var relaysDown: [String] { relays.filter(\.isDown).map(\.name) }

    public func send(_ mail: OutgoingMail) async -> DeliveryOutcome { await send(mail) { _ in } }

    /// Sends a mail and reports the dialogue, without credentials.
    public func send(_ mail: OutgoingMail, log: @escaping @Sendable (SMTPDialogueLine) -> Void) async -> DeliveryOutcome {
        let message = SMTPMessage(from: mail.envelopeFrom, to: mail.letter.recipient, encode(mail))
        let deadline = Uptime.now + limits.total
        var best: DeliveryOutcome?
        var isRefused = false
        for relay in relays {
            var outcome = await relay.send(message, before: deadline, log: log)
            outcome.relay = relay.name
            guard outcome.leavesRoomForAnotherRelay else { return outcome }
            if outcome.weight > best?.weight ?? -1 { best = outcome }
            if outcome.verdict == .refused { isRefused = true }
        }
        // A relay that works has refused this mail, so others need not wait.
        if isRefused { best?.cause = .policy }
        return best ?? .deferred("no relay is configured", .notAsked)
    }
}

extension DeliveryOutcome {
    /// Whether the next relay may be tried for the same mail.
    fileprivate var leavesRoomForAnotherRelay: Bool { concernsRelay || cause == .policy }

    /// How much an outcome counts if no relay took the mail: a relay that may take it later counts
    /// for more than one that never will, and one that answered for more than one that was not
    /// asked.
    fileprivate var weight: Int { verdict == .refused ? 0 : cause == .notAsked ? 1 : 2 }
}
