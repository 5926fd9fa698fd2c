import Accounts
import Foundation
import Logging
import Network
import Testing
import World
@testable import Mail

/// Each fault of a relay ends in the outcome that lets no mail be lost, and within its deadline
/// (M2).
@Suite struct `A faulty SMTP relay` {
    typealias Point = ScriptedRelay.Point

    struct Fault: Sendable, CustomTestStringConvertible {
        let point: Point
        let act: ScriptedRelay.Act
        let verdict: DeliveryOutcome.Verdict
        let concernsRelay: Bool
        let answer: String

        init(_ point: Point, _ act: ScriptedRelay.Act, _ verdict: DeliveryOutcome.Verdict, relay: Bool = false, _ answer: String) {
            (self.point, self.act, self.verdict, concernsRelay, self.answer) = (point, act, verdict, relay, answer)
        }

        var testDescription: String { "\(point) \(String(describing: act).prefix(60))" }
    }

    static let answers: [Fault] = [
        Fault(.banner, .sayAndClose("421 4.3.2 shutting down"), .deferred, relay: true, "421 4.3.2 shutting down"),
        Fault(.banner, .say("554 no service"), .deferred, relay: true, "554 no service"),
        Fault(.sender, .say("451 4.3.0 try later"), .deferred, relay: true, "451 4.3.0 try later"),
        Fault(.sender, .say("550 5.7.1 not your domain"), .deferred, relay: true, "550 5.7.1 not your domain"),
        Fault(.sender, .say("530 5.7.0 authentication required"), .deferred, relay: true, "530 5.7.0 authentication required"),
        Fault(.sender, .say("552 5.3.4 too big"), .refused, "552 5.3.4 too big"),
        Fault(.sender, .say("553 5.6.7 no UTF-8 here"), .refused, "553 5.6.7 no UTF-8 here"),
        Fault(.recipient, .say("450 4.2.0 greylisted"), .deferred, "450 4.2.0 greylisted"),
        Fault(.recipient, .say("452 4.5.3 too many recipients"), .deferred, "452 4.5.3 too many recipients"),
        Fault(.recipient, .say("550 5.1.1 no such user"), .refused, "550 5.1.1 no such user"),
        Fault(.recipient, .say("550-5.1.1 no such user\r\n550 5.1.1 ask"), .refused, "550 5.1.1 no such user 5.1.1 ask"),
        Fault(.recipient, .say("554 5.7.1 relay access denied"), .deferred, "554 5.7.1 relay access denied"),
        Fault(.recipient, .say("550 Relay not permitted"), .deferred, "550 Relay not permitted"),
        Fault(.recipient, .say("550 5.7.54 SMTP; Unable to relay recipient"), .deferred, "550 5.7.54 SMTP; Unable to relay recipient"),
        Fault(
            .recipient, .say("554 5.7.1 <h>: Client host rejected: Access denied"), .deferred,
            "554 5.7.1 <h>: Client host rejected: Access denied"),
        Fault(.recipient, .say("550 5.7.1 Relaying denied"), .deferred, "550 5.7.1 Relaying denied"),
        Fault(.recipient, .say("550 5.7.1 you are blocked"), .refused, "550 5.7.1 you are blocked"),
        Fault(
            .recipient, .say("550 5.4.1 Recipient address rejected: Access denied."), .refused,
            "550 5.4.1 Recipient address rejected: Access denied."),
        Fault(.recipient, .say("550 Unknown user (relay1.example)"), .refused, "550 Unknown user (relay1.example)"),
        Fault(.recipient, .sayAndClose("421 4.7.0 go away"), .deferred, relay: true, "421 4.7.0 go away"),
        Fault(.recipient, .say("251 will forward"), .accepted, "250 2.0.0 queued"),
        Fault(.data, .say("451 4.3.0 disk full"), .deferred, "451 4.3.0 disk full"),
        Fault(.data, .say("554 5.5.1 no valid recipients"), .refused, "554 5.5.1 no valid recipients"),
        Fault(.data, .say("250 what"), .deferred, relay: true, "unexpected answer: 250 what"),
        Fault(.end, .say("451 4.7.1 try again"), .deferred, "451 4.7.1 try again"),
        Fault(.end, .say("554 5.7.1 looks like spam"), .refused, "554 5.7.1 looks like spam"),
        Fault(.end, .say("552 5.2.2 mailbox full"), .refused, "552 5.2.2 mailbox full"),
        Fault(.end, .say("550 5.2.1 The email account is disabled."), .refused, "550 5.2.1 The email account is disabled."),
        Fault(.recipient, .say("550 account suspended"), .refused, "550 account suspended"),
        Fault(.end, .say("354 more"), .deferred, relay: true, "unexpected answer: 354 more"),
    ]

    /// The words of the providers of `Docs/Mail.md` about a sender or its domain. Their mails wait
    /// until the operator has settled it, and another relay is tried.
    static let senderRefusals = [
        "550 The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved.",
        "554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: shop.example",
        "554 Sandbox subdomains are for test purposes only. Please add your own domain or add the address to authorized recipients.",
        "550 The shop.example domain is not verified. Please, add and verify your domain",
        "550 You can only send testing emails to your own email address",
        "550 5.7.1 The sender signature for no-reply@shop.example is not confirmed",
        "550 While your account is pending approval, all recipient addresses must share the same domain",
        "550-From header sender domain not verified.\r\n550 verify the sender domain to be allowed to send.",
        "550 5.1.8 sender domain not verified", "450 The shop.example domain is not verified.",
    ]

    @Test(arguments: senderRefusals, [Point.recipient, .end])
    func `that refuses an unverified sender lets its mails wait`(answer: String, point: Point) async throws {
        let relay = try ScriptedRelay { asked, _ in asked == point ? .say(answer) : nil }
        let outcome = await (try SMTPTransport(relay)).send(.sample())
        #expect(outcome.verdict == .deferred && outcome.cause == .policy && outcome.feedback == nil, "\(outcome)")
    }

    /// Their words about the account. The relay is not paused: one that passes on the answer of a
    /// recipient's server would let a stranger stop the mails of all.
    static let accountRefusals = [
        "554 Message rejected: Sending paused for this account.", "550 Domain shop.example is not allowed to send: Account is disabled",
        "454 Throttling failure: Maximum sending rate exceeded", "454 Throttling failure: Daily message quota exceeded",
        "451 Maximum credits exceeded",
    ]

    @Test(arguments: accountRefusals)
    func `that refuses the whole account lets the mail wait, and is not paused`(answer: String) async throws {
        let relay = try ScriptedRelay { asked, _ in asked == .end ? .say(answer) : nil }
        let outcome = await (try SMTPTransport(relay)).send(.sample())
        #expect(outcome.verdict == .deferred && outcome.cause == .policy && outcome.feedback == nil, "\(outcome)")
    }

    @Test(arguments: answers)
    func `decides by its answer whether the mail is tried again`(_ fault: Fault) async throws {
        let relay = try ScriptedRelay { point, _ in point == fault.point ? fault.act : nil }
        let outcome = await (try SMTPTransport(relay)).send(.sample())
        #expect(outcome.verdict == fault.verdict)
        #expect(outcome.concernsRelay == fault.concernsRelay)
        #expect(fault.answer.isEmpty || outcome.answer == fault.answer)
        #expect(outcome.relay == "127.0.0.1:\(relay.port)")
    }

    static let breaks: [Fault] = [Point.banner, .ehlo, .sender, .recipient, .data, .body, .end].flatMap { point in
        let concernsRelay = point != .end
        return [Fault(point, .close, .deferred, relay: concernsRelay, ""), Fault(point, .reset, .deferred, relay: concernsRelay, "")]
    }

    /// A connection that is closed or reset in any state defers the mail. Once the relay may have
    /// taken it, the mail waits longer each time, because each attempt may be a duplicate (M3).
    ///
    /// The message does not fit into the buffers of the sockets: the client always notices a break
    /// within it before it has sent the line that ends it.
    @Test(arguments: breaks)
    func `defers a mail if the connection breaks`(_ fault: Fault) async throws {
        let relay = try ScriptedRelay { point, _ in point == fault.point ? fault.act : nil }
        let mail = fault.point == .body ? OutgoingMail.sample(text: String(repeating: "long line\r\n", count: 600_000)) : .sample()
        let outcome = await (try SMTPTransport(relay)).send(mail)
        #expect(outcome.verdict == .deferred)
        #expect(outcome.concernsRelay == fault.concernsRelay)
        // A reset can arrive before the connection counts as made.
        let isRefused = fault.point == .banner && outcome.answer.contains("cannot be connected to")
        #expect(outcome.answer.contains("closed the connection") || isRefused, "\(outcome.answer)")
    }

    /// Before the first answer libcurl passes over lines that are not SMTP.
    static let stalls: [Fault] = [Point.banner, .ehlo, .sender, .recipient, .data, .end].flatMap { point in
        let acts = [ScriptedRelay.Act.hang, .drip("250 this takes very long indeed\r\n")] + (point == .banner ? [.say("hello")] : [])
        return acts.map { Fault(point, $0, .deferred, relay: true, "") }
    }

    /// Every answer has its own deadline, which a server that sends slowly does not extend. The
    /// answer to a message has that of the whole mail.
    @Test(.patience, arguments: stalls)
    func `is given up if its answer takes too long`(_ fault: Fault) async throws {
        let relay = try ScriptedRelay { point, _ in point == fault.point ? fault.act : nil }
        let settings = try SMTPRelaySettings.local(relay.port) {
            ($0.answer, $0.total) = fault.point == .end ? (.patience, .seconds(4)) : (.seconds(1), .patience)
        }
        let outcome = await SMTPTransport([settings], encode: SMTPTransport.plain, logger: .silent).send(.sample())
        #expect(outcome.verdict == .deferred)
        #expect(outcome.answer.contains("did not answer in time"), "\(outcome.answer)")
    }

    @Test(.patience)
    func `is given up if it does not read the message`() async throws {
        let relay = try ScriptedRelay { point, _ in point == .body ? .stall : nil }
        let settings = try SMTPRelaySettings.local(relay.port) { ($0.answer, $0.total) = (.patience, .seconds(4)) }
        let outcome = await SMTPTransport([settings], encode: SMTPTransport.plain, logger: .silent)
            .send(.sample(text: String(repeating: "long line\r\n", count: 600_000)))
        #expect(outcome.verdict == .deferred && outcome.answer.contains("did not answer in time"), "\(outcome.answer)")
    }

    static let floods: [Fault] = [
        Fault(.ehlo, .say((1...200).map { "250-X-EXTENSION-\($0)" }.joined(separator: "\r\n") + "\r\n250 end"), .deferred, "too long"),
        Fault(.ehlo, .flood("250-AGAIN\r\n"), .deferred, "too long"),
        Fault(.ehlo, .say("250-" + String(repeating: "x", count: 100_000) + "\r\n250 end"), .deferred, "too long"),
        Fault(.banner, .flood("220-again\r\n"), .deferred, "too long"),
        Fault(.sender, .flood("250-again\r\n"), .deferred, "too long"),
        Fault(.sender, .say("250 " + String(repeating: "x", count: 100_000)), .deferred, "too long"),
        Fault(.recipient, .flood("x"), .deferred, "too long"),
        Fault(.end, .flood("250-again\r\n"), .deferred, "too long"),
    ]

    @Test(arguments: floods)
    func `may not send an endless answer`(_ fault: Fault) async throws {
        let relay = try ScriptedRelay { point, _ in point == fault.point ? fault.act : nil }
        let outcome = await (try SMTPTransport(relay)).send(.sample())
        #expect(outcome.verdict == .deferred)
        #expect(outcome.answer.contains(fault.answer), "\(outcome.answer)")
        #expect(outcome.answer.utf8.count <= 500)
    }

    static let nonsense: [Fault] = [
        Fault(.sender, .say("hello"), .deferred, "is not SMTP"), Fault(.sender, .raw("\0\u{1}\n"), .deferred, "is not SMTP"),
        Fault(.sender, .say("250-one\r\n550 two"), .deferred, "several codes"), Fault(.sender, .say("999 x"), .deferred, "is not SMTP"),
        Fault(.recipient, .say("25"), .deferred, "is not SMTP"), Fault(.recipient, .say("250x"), .deferred, "is not SMTP"),
    ]

    @Test(arguments: nonsense)
    func `is not trusted if it does not speak SMTP`(_ fault: Fault) async throws {
        let relay = try ScriptedRelay { point, _ in point == fault.point ? fault.act : nil }
        let outcome = await (try SMTPTransport(relay)).send(.sample())
        #expect(outcome.verdict == .deferred)
        #expect(outcome.answer.contains(fault.answer), "\(outcome.answer)")
        #expect(relay.now.messages.isEmpty)
    }

    /// A success before the end of the message is not a success.
    @Test func `has accepted nothing if it answers before the end of the message`() async throws {
        let relay = try ScriptedRelay { point, _ in point == .data ? .say("354 go\r\n250 2.0.0 queued") : nil }
        let outcome = await (try SMTPTransport(relay)).send(.sample())
        #expect(outcome.verdict == .deferred)
        #expect(outcome.answer.contains("before the end of the message"), "\(outcome.answer)")
    }

    @Test func `may refuse a message before its end`() async throws {
        let relay = try ScriptedRelay { point, _ in point == .body ? .sayAndClose("552 5.3.4 too big") : nil }
        let outcome = await (try SMTPTransport(relay)).send(.sample(text: String(repeating: "long line\r\n", count: 100_000)))
        #expect(outcome.verdict == .refused || outcome.verdict == .deferred)
        #expect(relay.now.messages.isEmpty)
    }

    @Test func `is greeted by HELO if it does not know EHLO`() async throws {
        let relay = try ScriptedRelay { point, _ in point == .ehlo ? .say("502 5.5.1 not implemented") : nil }
        #expect(await (try SMTPTransport(relay)).send(.sample()).verdict == .accepted)
        #expect(relay.now.commands.prefix(3) == ["EHLO onward.test", "HELO onward.test", "MAIL FROM:<bounces@shop.example>"])
    }

    @Test func `that cannot be connected to defers the mail`() async throws {
        let refused = SMTPTransport([try .local(1)], encode: SMTPTransport.plain, logger: .silent)
        let outcome = await refused.send(.sample())
        let answer = "it cannot be connected to, while connecting"
        #expect(outcome == DeliveryOutcome(.deferred, relay: "127.0.0.1:1", answer: answer, cause: .relay))
    }

    @Test func `whose name is unknown defers the mail`() async throws {
        let settings = try SMTPRelaySettings(url: "smtp://relay.invalid:25", startTLS: .never, heloName: "onward.test")
        let outcome = await SMTPTransport([settings], encode: SMTPTransport.plain, logger: .silent).send(.sample())
        #expect(outcome.verdict == .deferred && outcome.concernsRelay)
    }

    /// M2, M3: after a cut at any byte that the server sends, a mail that was not reported as
    /// accepted is sent again and arrives.
    @Test func `loses no mail when it is cut at any byte`() async throws {
        let whole = try ScriptedRelay()
        #expect(await (try SMTPTransport(whole)).send(.sample()).verdict == .accepted)
        let sent = [
            "220 relay.test ESMTP", "250-relay.test", "250 8BITMIME", "250 2.1.0 ok", "250 2.1.5 ok", "354 go ahead", "250 2.0.0 queued",
        ]
        let count = sent.reduce(0) { $0 + $1.utf8.count + 2 }
        for cut in 0...count {
            let relay = try ScriptedRelay(cutSending: cut)
            let first = await (try SMTPTransport(relay)).send(.sample())
            // The CR and LF at the end are not needed to understand the last answer, but it is
            // complete only with them.
            #expect(first.verdict == (cut == count ? .accepted : .deferred), "cut after \(cut) of \(count) bytes: \(first.answer)")
            #expect(relay.now.messages.count <= 1)
        }
    }

    /// M2: the same for the bytes that the server receives.
    @Test func `loses no mail when it stops to read at any byte`() async throws {
        let text = "EHLO onward.test\r\nMAIL FROM:<bounces@shop.example>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n"
        let count = text.utf8.count + SMTPTransport.plain(.sample()).count + 3
        for cut in 0...count {
            let relay = try ScriptedRelay(cutReceiving: cut)
            let outcome = await (try SMTPTransport(relay)).send(.sample())
            #expect((outcome.verdict == .accepted) == (cut == count), "cut after \(cut) of \(count) bytes: \(outcome.answer)")
            #expect(relay.now.messages.count == (cut == count ? 1 : 0))
        }
    }

    /// M3: a lost answer is not a reason to try another relay at once, which would send the mail
    /// twice in one attempt.
    @Test(arguments: [ScriptedRelay.Act.close, .reset])
    func `that may have accepted a mail is not followed by another`(_ act: ScriptedRelay.Act) async throws {
        let first = try ScriptedRelay { point, _ in point == .end ? act : nil }
        let second = try ScriptedRelay()
        let outcome = await (try SMTPTransport(first, second)).send(.sample())
        #expect(outcome.verdict == .deferred && !outcome.concernsRelay)
        #expect(first.now.messages.count == 1 && second.now.connections == 0)
    }
}
