import Accounts
import Testing

@testable import Mail

@Suite struct `An answer of a relay` {
    private func verdict(_ replies: SMTPReply...) throws -> SMTPVerdict? {
        let sender = try #require(EmailAddress("no-reply@shop.example"))
        var transaction = SMTPTransaction(SMTPMessage(from: sender, to: sender, Array("Subject: x\r\n\r\nx\r\n".utf8)))
        var verdict: SMTPVerdict?
        for reply in replies { if case .done(let done) = transaction.receive(reply) { verdict = done } }
        return verdict
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
        let verdict = try verdict(Self.ok, SMTPReply(code: 550, lines: [text]))
        #expect((verdict == .noMailbox("550 \(text)")) == isMissing)
    }

    @Test func `tells it after the message as well, but neither before nor for a while`() throws {
        let unknown = SMTPReply(code: 550, lines: ["5.1.1 unknown user"])
        let message = SMTPReply(code: 354, lines: ["go on"])
        #expect(try verdict(Self.ok, Self.ok, message, unknown) == .noMailbox("550 5.1.1 unknown user"))
        #expect(try verdict(unknown) == .deferred("550 5.1.1 unknown user", .relay))
        #expect(try verdict(Self.ok, SMTPReply(code: 450, lines: ["5.1.1 unknown user"])) == .deferred("450 5.1.1 unknown user", .mail))
    }
}
