internal import Accounts
internal import Base

/// Words of servers that refuse a sender with a status that means a missing mailbox. One such
/// server is Apple's relay of private addresses, where senders have to be registered. These
/// refusals do not share a status. If an answer contains one of these words by mistake, its mailbox
/// is not suppressed.
enum SenderRefusal {
    private static let words = [
        // Apple: `550 5.1.1 <bounces@shop.example>: unauthorized sender`.
        "unauthorized sender", "sender unauthorized", "sender not authorized", "sender is not authorized",
        // Exim, Postfix and Exchange about the address in MAIL FROM.
        "sender verify failed", "sender verification", "sender address", "sender denied", "sender rejected", "sender refused",
        "sender blocked", "sender domain", "invalid sender", "sender not allowed", "sender is not allowed", "sender is not permitted",
        // Gmail, Yahoo, Outlook and others about authentication.
        "unauthenticated", "not authenticated", "not authorized to send", "not allowed to send", "not permitted to send", "dmarc", "dkim",
        "spf ", "spf:", "(spf", "spf check",
        // About the address of the server.
        "your ip", "your server", "your host", "client host", "sending ip", "sending server", "blocklist", "block list", "blacklist",
        "black list", "spamhaus", "poor reputation", "banned sending",
    ]

    static func isNamed(in text: String) -> Bool {
        // The recipient's address may consist of such words.
        let text = text.lowercased().split(separator: " ").filter { !$0.contains("@") }.joined(separator: " ")
        return words.contains { text.contains($0) }
    }
}

extension MailFeedback.Kind {
    /// The kind of a permanent failure.
    /// - Parameter texts: the words of the server that refused the mail.
    static func permanent(_ texts: JSON?...) -> MailFeedback.Kind {
        texts.contains { $0?.string.map(SenderRefusal.isNamed) == true } ? .senderRefused : .bounce
    }
}
