import Accounts
import Base
import Foundation
import Logging
import Network
import Synchronization
import Testing
import World
@testable import Mail

@Suite struct `The SMTP transport` {
    /// A stopped clock: no connection is idle for too long, however busy the machine is.
    static let stopped: @Sendable () -> Uptime = { .zero }

    /// M6: one recipient for each message.
    @Test func `hands over one message with one recipient`() async throws {
        let relay = try ScriptedRelay(offers: ["PIPELINING", "SIZE 1000000", "8BITMIME", "SMTPUTF8"])
        let outcome = await (try SMTPTransport(relay)).send(.sample())
        #expect(outcome == DeliveryOutcome(.accepted, relay: "127.0.0.1:\(relay.port)", answer: "250 2.0.0 queued"))
        let size = SMTPTransport.plain(.sample()).count
        #expect(
            relay.now.commands == [
                "EHLO onward.test", "MAIL FROM:<bounces@shop.example> SIZE=\(size)", "RCPT TO:<ada@example.com>", "DATA",
            ])
        #expect(relay.now.messages == ["Message-ID: <mail-1@shop.example>\nTo: <ada@example.com>\n\nHello"])
    }

    /// M6: a dot at the start of a line is doubled, and no line of a message ends it.
    @Test func `sends every line as it is`() async throws {
        let relay = try ScriptedRelay()
        let transport = try SMTPTransport(relay)
        let lines = [".", "..", ".x", "", "x.", "a\n.\nb", "a\r.\rb", "\n.\r\nRCPT TO:<eve@example.com>", "a\r\n.\r\n.", "end "]
        for line in lines { #expect(await transport.send(.sample(text: line)).verdict == .accepted) }
        let bodies = relay.now.messages.map {
            $0.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3).joined(separator: "\n")
        }
        let expected = lines.map { line in
            line.replacing("\r\n", with: "\n").replacing("\r", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.hasPrefix(".") ? ".\($0)" : String($0) }.joined(separator: "\n")
        }
        #expect(bodies == expected)
        #expect(relay.now.commands.count { $0.hasPrefix("RCPT") } == lines.count)
    }

    @Test func `keeps a connection for the next mail`() async throws {
        let relay = try ScriptedRelay { point, visit in point == .recipient && visit == 2 ? .say("550 5.1.1 no such user") : nil }
        let transport = try SMTPTransport(relay, clock: Self.stopped)
        let verdicts = [await transport.send(.sample()), await transport.send(.sample()), await transport.send(.sample())].map(\.verdict)
        #expect(verdicts == [.accepted, .refused, .accepted])
        #expect(relay.now.connections == 1)
        #expect(relay.now.commands.contains("RSET"))
    }

    static let closings: [ScriptedRelay.Act] = [.close, .reset, .sayAndClose("421 4.4.2 idle for too long")]

    /// A connection that the server closed while it was unused is not a failure.
    @Test(arguments: closings)
    func `connects again if the server has closed the connection`(_ act: ScriptedRelay.Act) async throws {
        let relay = try ScriptedRelay { point, visit in point == .sender && visit == 2 ? act : nil }
        let transport = try SMTPTransport(relay, clock: Self.stopped)
        #expect(await transport.send(.sample()).verdict == .accepted)
        #expect(await transport.send(.sample()).verdict == .accepted)
        #expect(relay.now.connections == 2 && relay.now.messages.count == 2)
    }

    @Test func `does not use a connection on which the server said something unasked`() async throws {
        let relay = try ScriptedRelay { point, _ in point == .end ? .say("250 2.0.0 queued\r\n250 2.0.0 queued") : nil }
        let transport = try SMTPTransport(relay, clock: Self.stopped)
        for _ in 0..<2 { #expect(await transport.send(.sample()).verdict == .accepted) }
        #expect(relay.now.connections == 2)
    }

    @Test func `has no more connections than configured`() async throws {
        let relay = try ScriptedRelay()
        let settings = try SMTPRelaySettings.local(relay.port, maxConnections: 2)
        let transport = SMTPTransport([settings], encode: SMTPTransport.plain, uptime: Self.stopped, logger: .silent)
        await withTaskGroup { group in
            for number in 0..<40 { group.addTask { await transport.send(.sample(id: "m\(number)")).verdict } }
            for await verdict in group { #expect(verdict == .accepted) }
        }
        #expect(relay.now.connections <= 2)
        #expect(Set(relay.now.messages).count == 40)
    }

    // MARK: Several relays

    static let failures: [(ScriptedRelay.Point, ScriptedRelay.Act)] = [
        (.banner, .close), (.banner, .say("554 no")), (.ehlo, .close), (.sender, .say("451 4.3.0 later")), (.sender, .say("550 no")),
        (.recipient, .say("554 5.7.1 relay access denied")), (.recipient, .say("550 5.7.1 you are blocked")),
        (.recipient, .say("553 sorry, that domain isn't in my list of allowed rcpthosts")), (.data, .close),
    ]

    @Test(arguments: failures)
    func `takes the next relay if one fails`(_ point: ScriptedRelay.Point, _ act: ScriptedRelay.Act) async throws {
        let first = try ScriptedRelay { at, _ in at == point ? act : nil }
        let second = try ScriptedRelay()
        let outcome = await (try SMTPTransport(first, second)).send(.sample())
        #expect(outcome.verdict == .accepted && outcome.relay == "127.0.0.1:\(second.port)")
        #expect(second.now.messages.count == 1)
    }

    /// A recipient that a relay refuses by its policy says nothing about other mails, although the
    /// next relay is down.
    @Test func `does not pause other mails if one relay refuses a mail and the other is down`() async throws {
        let first = try ScriptedRelay { at, _ in at == .recipient ? .say("550 5.7.1 you are blocked") : nil }
        let second = try ScriptedRelay { at, _ in at == .banner ? .close : nil }
        let outcome = await (try SMTPTransport(first, second)).send(.sample())
        #expect(outcome.verdict == .deferred && !outcome.concernsRelay)
    }

    /// The next relay would say the same of a recipient.
    @Test(arguments: ["450 4.2.0 greylisted", "550 5.1.1 no such user"])
    func `does not take the next relay because of a recipient`(_ answer: String) async throws {
        let first = try ScriptedRelay { at, _ in at == .recipient ? .say(answer) : nil }
        let second = try ScriptedRelay()
        #expect(await (try SMTPTransport(first, second)).send(.sample()).answer == answer)
        #expect(second.now.connections == 0)
    }

    /// A reload replaces a transport. Its clock stands, so that no connection becomes too old.
    @Test func `the connections of a transport are closed with it`() async throws {
        let relay = try ScriptedRelay()
        let clock = TestClock()
        var transport: SMTPTransport? = try SMTPTransport(relay, clock: clock.uptime)
        #expect(await transport?.send(.sample()).verdict == .accepted)
        #expect(!relay.now.hasClosed)
        transport = nil
        _ = try await eventually("the end of the connection") { relay.now.hasClosed ? () : nil }
    }

    @Test func `leaves a relay alone that fails, and notices when it is back`() async throws {
        let isUp = Mutex(false)
        let relay = try ScriptedRelay { point, _ in point == .banner && !isUp.withLock { $0 } ? .close : nil }
        let clock = TestClock()
        let (logger, log) = RecordingLog.make()
        let transport = try SMTPTransport(relay, clock: clock.uptime, logger: logger)
        for _ in 0..<(CircuitBreaker.maxFailures + 3) { #expect(await transport.send(.sample()).verdict == .deferred) }
        #expect(relay.now.connections == CircuitBreaker.maxFailures)
        #expect(transport.relaysDown == ["127.0.0.1:\(relay.port)"])
        #expect(await transport.send(.sample()).concernsRelay)
        isUp.withLock { $0 = true }
        clock.advance(by: CircuitBreaker.retryInterval)
        #expect(await transport.send(.sample()).verdict == .accepted)
        #expect(transport.relaysDown.isEmpty)
        #expect(log.all.map { $0.prefix { $0 != " " } } == ["error:", "notice:"])
    }

    @Test func `is not stopped by many bad recipients`() async throws {
        let relay = try ScriptedRelay { point, visit in point == .recipient && visit <= 20 ? .say("550 5.1.1 no such user") : nil }
        let transport = try SMTPTransport(relay, clock: Self.stopped)
        for _ in 0..<20 { #expect(await transport.send(.sample()).verdict == .refused) }
        #expect(await transport.send(.sample()).verdict == .accepted)
        #expect(relay.now.connections == 1)
    }

    // MARK: Credentials

    static let password = SMTPCredentials.password(user: "shop", "pässword \"1\"")

    private func transport(
        _ relay: ScriptedRelay, _ credentials: SMTPCredentials, logger: Logger = .silent,
        uptime: @escaping @Sendable () -> Uptime = { .now }
    ) throws -> SMTPTransport {
        SMTPTransport([try .local(relay.port, credentials: credentials)], encode: SMTPTransport.plain, uptime: uptime, logger: logger)
    }

    @Test func `authenticates by PLAIN`() async throws {
        let relay = try ScriptedRelay(offers: ["AUTH LOGIN PLAIN"])
        #expect(await (try transport(relay, Self.password)).send(.sample()).verdict == .accepted)
        let command = "AUTH PLAIN " + Data("\0shop\0pässword \"1\"".utf8).base64EncodedString()
        #expect(relay.now.commands[1] == command)
    }

    @Test func `authenticates by LOGIN where there is no PLAIN`() async throws {
        let relay = try ScriptedRelay(offers: ["AUTH=LOGIN"]) { point, visit in
            switch (point, visit) {
            case (.auth, _): .say("334 VXNlcm5hbWU6")
            case (.response, 1): .say("334 UGFzc3dvcmQ6")
            case (.response, 2): .say("235 2.7.0 ok")
            default: nil
            }
        }
        #expect(await (try transport(relay, Self.password)).send(.sample()).verdict == .accepted)
        let words = ["shop", "pässword \"1\""].map { Data($0.utf8).base64EncodedString() }
        #expect(relay.now.commands[1...3] == ["AUTH LOGIN", words[0], words[1]])
    }

    /// The token is read for each connection, and a challenge about a refused one is answered.
    @Test func `authenticates by XOAUTH2 with the token that the file has now`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "onward-token-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("old\n".utf8).write(to: file)
        let relay = try ScriptedRelay(offers: ["AUTH XOAUTH2"]) { point, visit in
            switch (point, visit) {
            case (.auth, 1): .say("334 eyJzdGF0dXMiOiI0MDEifQ==")
            case (.response, _): .say("454 4.7.0 token expired")
            default: nil
            }
        }
        let transport = try transport(relay, .tokenFile(user: "shop@example.com", path: file.path))
        #expect(await transport.send(.sample()).answer == "454 4.7.0 token expired")
        try Data("new\n".utf8).write(to: file)
        #expect(await transport.send(.sample()).verdict == .accepted)
        let tokens = relay.now.commands.filter { $0.hasPrefix("AUTH XOAUTH2 ") }.map { String($0.dropFirst(13)) }
        let expected = ["old", "new"].map { Data("user=shop@example.com\u{1}auth=Bearer \($0)\u{1}\u{1}".utf8).base64EncodedString() }
        #expect(tokens == expected)
        try FileManager.default.removeItem(at: file)
        let check = await transport.verify()
        #expect(check.first?.failure == "the token file \(file.path) cannot be read")
    }

    @Test func `sends a long token after the challenge, because a command has 512 bytes at most`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "onward-token-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(String(repeating: "t", count: 2_000).utf8).write(to: file)
        let relay = try ScriptedRelay(offers: ["AUTH XOAUTH2"]) { point, _ in
            switch point {
            case .auth: .say("334 ")
            case .response: .say("235 2.7.0 ok")
            default: nil
            }
        }
        #expect(await (try transport(relay, .tokenFile(user: "shop", path: file.path))).send(.sample()).verdict == .accepted)
        #expect(relay.now.commands[1] == "AUTH XOAUTH2")
    }

    /// Refused credentials pause a relay for minutes, so that they do not lock an account out.
    @Test func `stops to try credentials that were refused`() async throws {
        let relay = try ScriptedRelay(offers: ["AUTH PLAIN"]) { point, visit in
            point == .auth && visit <= 2 ? .say("535 5.7.8 authentication failed") : nil
        }
        let clock = TestClock()
        let (logger, log) = RecordingLog.make()
        let transport = try transport(relay, Self.password, logger: logger, uptime: clock.uptime)
        let outcome = await transport.send(.sample())
        #expect(outcome.verdict == .deferred && outcome.concernsRelay && outcome.answer == "535 5.7.8 authentication failed")
        for _ in 0..<10 {
            clock.advance(by: .seconds(30))
            _ = await transport.send(.sample())
        }
        #expect(relay.now.connections == 1)
        clock.advance(by: SMTPRelay.credentialsPause)
        _ = await transport.send(.sample())
        #expect(relay.now.connections == 2)
        #expect(log.all.count == 1 && log.all[0].hasPrefix("error: mail relay refused the credentials"))
        clock.advance(by: SMTPRelay.credentialsPause)
        #expect(await transport.send(.sample()).verdict == .accepted)
        #expect(!log.all.joined().contains("pässword"))
    }

    @Test(arguments: ["454 4.7.0 temporary failure", "421 4.3.2 closing"])
    func `tries credentials again that were not refused for good`(_ answer: String) async throws {
        let relay = try ScriptedRelay(offers: ["AUTH PLAIN"]) { point, visit in point == .auth && visit == 1 ? .say(answer) : nil }
        let transport = try transport(relay, Self.password)
        let outcome = await transport.send(.sample())
        #expect(outcome.verdict == .deferred && outcome.concernsRelay && outcome.answer == answer)
        #expect(await transport.send(.sample()).verdict == .accepted)
    }

    @Test func `sends no credentials to a relay that offers no mechanism for them`() async throws {
        let relay = try ScriptedRelay(offers: ["AUTH GSSAPI CRAM-MD5"])
        let outcome = await (try transport(relay, Self.password)).send(.sample())
        #expect(outcome.verdict == .deferred && outcome.concernsRelay && outcome.answer.contains("CRAM-MD5"))
        #expect(relay.now.commands == ["EHLO onward.test"])
    }

    // MARK: What a message needs

    /// M8: an address outside ASCII is refused before RCPT where it cannot be written.
    @Test(arguments: [(["SMTPUTF8", "8BITMIME"], true), (["8BITMIME"], false), ([], false)])
    func `sends international addresses only where they are offered`(_ offers: [String], _ isOffered: Bool) async throws {
        let relay = try ScriptedRelay(offers: offers.isEmpty ? ["HELP"] : offers)
        let (sender, recipient) = (try #require(EmailAddress("bounces@shop.example")), try #require(EmailAddress("jürgen@bücher.example")))
        let message = SMTPMessage(from: sender, to: recipient, Array("x: y\r\n".utf8))
        let verdict = await SMTPRelay(try .local(relay.port), uptime: { .now }, logger: .silent)
            .send(message, before: .now + .patience) { _ in }
        if isOffered {
            #expect(verdict == .accepted("250 2.0.0 queued"))
            let commands = ["MAIL FROM:<bounces@shop.example> SMTPUTF8 BODY=8BITMIME", "RCPT TO:<jürgen@xn--bcher-kva.example>"]
            #expect(relay.now.commands[1...2] == commands[...])
        } else {
            #expect(verdict == .refused("the server does not offer SMTPUTF8, which the address needs", .policy))
            #expect(relay.now.commands == ["EHLO onward.test"])
        }
    }

    @Test func `refuses a message that is larger than every relay accepts`() async throws {
        let (small, large) = (try ScriptedRelay(offers: ["SIZE 100"]), try ScriptedRelay(offers: ["SIZE 0"]))
        let mail = OutgoingMail.sample(text: String(repeating: "x", count: 200))
        let outcome = await (try SMTPTransport(small)).send(mail)
        #expect(outcome.verdict == .refused && !outcome.concernsRelay && outcome.answer.contains("the server accepts 100"))
        #expect(small.now.commands == ["EHLO onward.test"])
        #expect(await (try SMTPTransport(small, large)).send(mail).verdict == .accepted)
        // A relay that is down may accept it later.
        let down = SMTPTransport([try .local(small.port), try .local(1)], encode: SMTPTransport.plain, logger: .silent)
        #expect(await down.send(mail).verdict == .deferred)
    }

    @Test func `keeps to the rate of a relay, and takes the next for what exceeds it`() async throws {
        let (first, second) = (try ScriptedRelay(), try ScriptedRelay())
        let clock = TestClock()
        let relays = [try SMTPRelaySettings.local(first.port, ratePerMinute: 3), try .local(second.port)]
        let transport = SMTPTransport(
            relays, encode: SMTPTransport.plain, uptime: clock.uptime, logger: .silent)
        for _ in 0..<5 { #expect(await transport.send(.sample()).verdict == .accepted) }
        #expect(first.now.messages.count == 3 && second.now.messages.count == 2)
        clock.advance(by: .seconds(60))
        #expect(await transport.send(.sample()).relay == "127.0.0.1:\(first.port)")
    }

    // MARK: Answers

    /// C2: a filter may quote the link that it objects to, whole or without its start.
    @Test func `keeps an answer as one short line without the link`() async throws {
        let link = "https://auth.shop.example/__/auth/action?oobCode=secret"
        let relay = try ScriptedRelay { point, _ in
            let long = String(repeating: "é", count: 600)
            return point == .end ? .say("554-5.7.1 blocked\u{1b}[31m \(link)\t\r\n554 5.7.1 see www.help.example/page \(long)") : nil
        }
        let answer = await (try SMTPTransport(relay)).send(.sample()).answer
        #expect(answer.hasPrefix("554 5.7.1 blocked [31m (link) 5.7.1 see (link) é"))
        #expect(answer.utf8.count <= 500 && !answer.contains("secret"))
        #expect(!answer.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    /// O1: answers are logged.
    @Test(arguments: [
        ("<Ada@EXAMPLE.com>: unknown, ada@example.com", "<A•••@EXAMPLE.com>: unknown, a•••@example.com"),
        ("forwarded to eve.other@else.example; grace@else.example", "forwarded to e•••@else.example; g•••@else.example"),
        ("SRS0=k=5=shop.example=ada@relay.example", "S•••@relay.example"), ("rfc822;bounce+ada%40example.com", "rfc822;b•••@example.com"),
        ("josé@bücher.example", "j•••@bücher.example"), ("a@[192.0.2.1] and a•••@example.com", "a•••@[192.0.2.1] and a•••@example.com"),
        ("see https://help.example/?id=1", "see (link)"), ("(auth.example/__/auth/action?mode=x&oobCode=secret)", "(link)"),
        ("https%3A%2F%2Fauth.example", "(link)"), ("queued as 4Xk; is it you? yes", "queued as 4Xk; is it you? yes"),
    ])
    func `masks every address and every link in an answer`(_ said: String, _ kept: String) async throws {
        let relay = try ScriptedRelay { point, _ in point == .recipient ? .say("550 5.1.1 \(said)") : nil }
        #expect(await (try SMTPTransport(relay)).send(.sample()).answer == "550 5.1.1 \(kept)")
    }

    @Test func `shows the dialogue without credentials`() async throws {
        let relay = try ScriptedRelay(offers: ["AUTH PLAIN"])
        let dialogue = SMTPDialogue()
        _ = await (try transport(relay, Self.password)).send(.sample(), log: dialogue.append)
        let lines = dialogue.lines.map(\.shown)
        #expect(lines.contains("> EHLO onward.test") && lines.contains("< 250 AUTH PLAIN") && lines.contains("> AUTH PLAIN (credentials)"))
        #expect(lines.contains("- authenticated as shop by PLAIN") && lines.contains("> RCPT TO:<ada@example.com>"))
        #expect(lines.last == "< 250 2.0.0 queued")
        let secret = Data("\0shop\0pässword \"1\"".utf8).base64EncodedString()
        #expect(!lines.contains { $0.contains(secret) || $0.contains("pässword") })
    }

    @Test func `checks relays without sending anything`() async throws {
        let good = try ScriptedRelay(offers: ["AUTH PLAIN"])
        let bad = try ScriptedRelay { point, _ in point == .banner ? .say("554 no") : nil }
        let settings = [try SMTPRelaySettings.local(good.port, credentials: Self.password), try .local(bad.port)]
        let checks = await SMTPTransport(settings, encode: SMTPTransport.plain, logger: .silent).verify()
        #expect(checks.map(\.failure) == [nil, "554 no"])
        #expect(checks[0].lines.contains("- authenticated as shop by PLAIN"))
        try await eventually("the goodbye") { good.now.commands.last == "QUIT" }
        #expect(good.now.commands.count { $0.hasPrefix("MAIL") } == 0)
    }
}
