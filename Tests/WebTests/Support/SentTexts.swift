import Accounts
import Synchronization
import Testing

/// The phones of a test: keeps text messages, or fails.
final class SentTexts: TextMessageSender {
    private let messages = Mutex<[TextMessage]>([])
    private let failure = Mutex<ActionError?>(nil)

    /// Oldest first.
    var all: [TextMessage] { messages.withLock(\.self) }

    func fail(_ error: ActionError?) { failure.withLock { $0 = error } }

    func send(_ message: TextMessage, by settings: TextMessageSettings) throws(ActionError) {
        if let failure = failure.withLock(\.self) { throw failure }
        messages.withLock { $0.append(message) }
    }

    /// The newest message to a number.
    func newest(to number: String) throws -> TextMessage { try #require(all.last { $0.number.value == number }) }
}

extension TextMessage {
    /// A code that is not this message's.
    var wrongCode: String { code == "000000" ? "000001" : "000000" }
}
