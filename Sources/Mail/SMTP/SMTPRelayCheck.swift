internal import Base
public import Network

/// The result of connecting to a relay without sending anything.
public struct SMTPRelayCheck: Sendable, Hashable {
    public let relay: String
    /// Each step as a line.
    public let lines: [String]
    /// The reason why mails cannot be sent through the relay; nil if they can.
    public let failure: String?
}

extension SMTPTransport {
    /// Connects to each relay, negotiates TLS, authenticates and says goodbye.
    public func verify() async -> [SMTPRelayCheck] {
        var checks: [SMTPRelayCheck] = []
        for relay in relays {
            let dialogue = SMTPDialogue()
            let failure = await relay.check(log: dialogue.append)
            checks.append(SMTPRelayCheck(relay: relay.name, lines: dialogue.lines.map(\.shown), failure: failure))
        }
        return checks
    }
}

/// Collects the lines of a dialogue.
final class SMTPDialogue: Sendable {
    private let collected = Locked<[SMTPDialogueLine]>([])

    var append: @Sendable (SMTPDialogueLine) -> Void { { [collected] line in collected.update { $0.append(line) } } }

    var lines: [SMTPDialogueLine] { collected.value }
}

extension SMTPDialogueLine {
    /// The line with a mark for its direction, without control characters; what a server says is
    /// masked.
    public var shown: String {
        switch self {
        case .sent(let text): "> \(AnswerText.oneLine(text))"
        case .received(let text): "< \(AnswerText.kept(text))"
        case .event(let text): "- \(AnswerText.oneLine(text))"
        }
    }
}
