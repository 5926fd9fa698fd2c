import Accounts
import Dispatch
import Network

/// The text messages of `onward dev`: kept in memory instead of sent, for the inbox and the
/// emulator's list of codes.
actor SentTextMessages: TextMessageSender {
    /// The number of messages kept.
    private static let maxMessages = 10_000

    private let executor = QueueExecutor(label: "onward.texts")
    private var messages: [TextMessage] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Oldest first.
    var all: [TextMessage] { messages }

    func send(_ message: TextMessage, by settings: TextMessageSettings) { messages = messages.suffix(Self.maxMessages - 1) + [message] }
}
