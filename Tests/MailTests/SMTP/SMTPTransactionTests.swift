import Accounts
import Testing
@testable import Mail

@Suite struct `An answer of a relay` {
    private func outcome(_ replies: SMTPReply...) throws -> DeliveryOutcome? {
        let sender = try #require(EmailAddress("no-reply@shop.example"))
        var transaction = SMTPTransaction(SMTPMessage(from: sender, to: sender, Array("Subject: x\r\n\r\nx\r\n".utf8)))
        var outcome: DeliveryOutcome?
        for reply in replies { if case .done(let done) = transaction.receive(reply) { outcome = done } }
        return outcome
    }

    private static let ok = SMTPReply(code: 250, lines: ["2.0.0 OK"])

    /// Statuses that may be the relay's mistake, or concern one mail only, say nothing about the
    /// mailbox.
    @Test(arguments: [
        ("5.1.1 unknown user", true), ("5.1.10 null MX", true), ("5.1.1", true), ("5.1.2 no such domain", false), ("5.1.0 x", false),
        ("5.1.11 x", false), ("5.1.3 x", false), ("5.1.6 moved", false), ("5.1.8 sender", false), ("5.2.1 disabled", false),
        ("5.2.2 full", false),
        ("5.7.1 spam", false), ("no such user", false), ("see 5.1.1 x", false), ("4.1.1 x", false),
    ])
    func `tells that a mailbox is missing by its status only`(text: String, isMissing: Bool) throws {
        let outcome = try outcome(Self.ok, SMTPReply(code: 550, lines: [text]))
        #expect((outcome == .refused("550 \(text)", feedback: .bounce)) == isMissing)
    }

    /// In the words of Apple, Exim, Postfix, Exchange, Gmail, Yahoo and others.
    @Test(arguments: [
        "5.1.1 <bounces@shop.example>: unauthorized sender", "5.1.1 Sender verify failed",
        "5.1.1 Sender address rejected: Domain not found",
        "5.1.1 sender denied as sender's email address is on SenderFilterConfig list", "5.1.1 This mail is unauthenticated",
        "5.1.1 You are not allowed to send mail to this list", "5.1.1 rejected: SPF check failed", "5.1.1 rejected by DMARC policy",
        "5.1.1 your IP is listed at Spamhaus", "5.1.10 Client host blocked using a blacklist",
    ])
    func `a refusal of the sender is told from a missing mailbox`(text: String) throws {
        let outcome = try outcome(Self.ok, SMTPReply(code: 550, lines: [text]))
        #expect(outcome?.verdict == .refused && outcome?.feedback == .senderRefused, "\(String(describing: outcome))")
    }

    /// In the words of the large providers about mailboxes.
    @Test(arguments: [
        "5.1.1 <6qj4xaisn4k@privaterelay.appleid.com>: user not found", "5.1.1 <x@spamhaus.example>: user unknown",
        "5.1.1 dkim-7@dmarc.example: no such user",
        "5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos",
        "5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
        "5.1.1 <x@icloud.com>: user does not exist", "5.1.1 Mailbox unavailable", "5.1.1 Requested action not taken: mailbox unavailable",
        "5.1.1 <x@gmx.example> User unknown in virtual mailbox table", "5.1.1 Adresse d au moins un destinataire invalide",
    ])
    func `an answer about the mailbox is not taken for a refusal of the sender`(text: String) throws {
        let outcome = try outcome(Self.ok, SMTPReply(code: 550, lines: [text]))
        #expect(outcome?.verdict == .refused && outcome?.feedback == .bounce, "\(String(describing: outcome))")
    }

    @Test func `tells it after the message as well, but neither before nor for a while`() throws {
        let unknown = SMTPReply(code: 550, lines: ["5.1.1 unknown user"])
        let message = SMTPReply(code: 354, lines: ["go on"])
        #expect(try outcome(Self.ok, Self.ok, message, unknown) == .refused("550 5.1.1 unknown user", feedback: .bounce))
        #expect(try outcome(unknown) == .deferred("550 5.1.1 unknown user", .relay))
        #expect(try outcome(Self.ok, SMTPReply(code: 450, lines: ["5.1.1 unknown user"])) == .deferred("450 5.1.1 unknown user", .mail))
    }
}
