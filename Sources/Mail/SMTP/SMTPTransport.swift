internal import Accounts
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

    /// The longest time that sending a mail takes. A lease of a mail has to last longer.
    public var deadline: Duration { limits.total }

    /// The relays that count as down, for `/readyz` and metrics.
    public var relaysDown: [String] { relays.filter(\.isDown).map(\.name) }

    public func send(_ mail: OutgoingMail) async -> DeliveryOutcome { await send(mail) { _ in } }

    /// Sends a mail and reports the dialogue, without credentials.
    public func send(_ mail: OutgoingMail, log: @escaping @Sendable (SMTPDialogueLine) -> Void) async -> DeliveryOutcome {
        let message = SMTPMessage(from: mail.envelopeFrom, to: mail.recipient, encode(mail))
        let deadline = Uptime.now + limits.total
        var best: (outcome: DeliveryOutcome, weight: Int)?
        var isRefused = false
        for relay in relays {
            let verdict = await relay.send(message, before: deadline, log: log)
            let outcome = DeliveryOutcome(verdict, of: relay.name)
            guard verdict.leavesRoomForAnotherRelay else { return outcome }
            if verdict.weight > best?.weight ?? -1 { best = (outcome, verdict.weight) }
            if case .refusedByRelay = verdict { isRefused = true }
        }
        // A relay that works has refused this mail, so others need not wait.
        if isRefused { best?.outcome.concernsRelay = false }
        return best?.outcome ?? DeliveryOutcome(.deferred, relay: nil, answer: "no relay is configured", concernsRelay: true)
    }
}

extension SMTPVerdict {
    /// Whether the next relay may be tried for the same mail.
    fileprivate var leavesRoomForAnotherRelay: Bool {
        switch self {
        case .refusedByRelay, .deferred(_, .relay), .deferred(_, .credentials), .deferred(_, .notAsked), .deferred(_, .policy): true
        case .accepted, .refused, .noMailbox, .senderRefused, .deferred(_, .mail), .deferred(_, .lostAnswer): false
        }
    }

    /// How much a verdict counts if no relay took the mail: a relay that may take it later counts
    /// for more than one that never will, and one that answered for more than one that was not
    /// asked.
    fileprivate var weight: Int {
        switch self {
        case .refusedByRelay: 0
        case .deferred(_, .notAsked): 1
        default: 2
        }
    }
}

extension SMTPVerdict.Cause {
    /// Whether other mails would fail too.
    fileprivate var concernsRelay: Bool {
        switch self {
        case .relay, .credentials, .notAsked: true
        case .mail, .policy, .lostAnswer: false
        }
    }
}

extension DeliveryOutcome {
    fileprivate init(_ verdict: SMTPVerdict, of relay: String) {
        self =
            switch verdict {
            case .accepted(let answer): DeliveryOutcome(.accepted, relay: relay, answer: answer)
            case .refused(let answer), .refusedByRelay(let answer): DeliveryOutcome(.refused, relay: relay, answer: answer)
            case .noMailbox(let answer): DeliveryOutcome(.refused, relay: relay, answer: answer, feedback: .bounce)
            case .senderRefused(let answer): DeliveryOutcome(.refused, relay: relay, answer: answer, feedback: .senderRefused)
            case .deferred(let answer, let cause):
                DeliveryOutcome(.deferred, relay: relay, answer: answer, concernsRelay: cause.concernsRelay)
            }
    }
}
