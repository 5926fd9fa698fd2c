import Accounts
import Base
import Foundation
import Logging
import Network
import Testing
import World
@testable import Mail

/// M5: what has to be encrypted is not sent in clear, and only to the server that is meant.
@Suite struct `A relay that has to encrypt` {
    private func settings(_ port: UInt16, _ change: (inout SMTPLimits) -> Void = { _ in }) throws -> SMTPRelaySettings {
        try .local(port, startTLS: .required, credentials: .password(user: "shop", "secret"), change)
    }

    static let strips: [(ScriptedRelay.Act?, offers: [String], String)] = [
        (nil, ["AUTH PLAIN"], "does not offer STARTTLS"),
        (nil, ["XSTARTTLS", "AUTH PLAIN"], "does not offer STARTTLS"),
        (nil, ["STARTTLS", "AUTH PLAIN"], "454 4.7.0 TLS not available"),
        (.say("500 5.5.1 unknown command"), ["STARTTLS", "AUTH PLAIN"], "500 5.5.1 unknown command"),
        (.say("250 2.0.0 ok"), ["STARTTLS", "AUTH PLAIN"], "after STARTTLS"),
        (.say("220 go\r\n250-relay.test\r\n250 AUTH PLAIN"), ["STARTTLS"], "before the TLS handshake"),
        (.say("220 go\r\n235 2.7.0 ok"), ["STARTTLS"], "before the TLS handshake"),
        (.sayAndClose("220 go"), ["STARTTLS"], "TLS handshake"),
        (.close, ["STARTTLS"], "closed the connection"),
    ]

    /// A server without extensions has no STARTTLS.
    @Test func `is not greeted by HELO`() async throws {
        let relay = try ScriptedRelay { point, _ in point == .ehlo ? .say("502 5.5.1 not implemented") : nil }
        let outcome = await SMTPTransport([try settings(relay.port)], encode: SMTPTransport.plain, logger: .silent).send(.sample())
        #expect(outcome.verdict == .deferred && outcome.concernsRelay && outcome.answer == "502 5.5.1 not implemented")
        #expect(relay.now.commands == ["EHLO onward.test"])
    }

    @Test(arguments: strips)
    func `receives neither mail nor credentials without TLS`(
        _ act: ScriptedRelay.Act?, _ offers: [String], _ answer: String
    ) async throws {
        let relay = try ScriptedRelay(offers: offers) { point, _ in point == .startTLS ? act : nil }
        let outcome = await SMTPTransport([try settings(relay.port)], encode: SMTPTransport.plain, logger: .silent).send(.sample())
        #expect(outcome.verdict == .deferred && outcome.concernsRelay)
        #expect(outcome.answer.contains(answer), "\(outcome.answer)")
        #expect(relay.now.messages.isEmpty)
        #expect(!relay.now.commands.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") }, "\(relay.now.commands)")
    }

    /// The relay reads the client's first message of the handshake and says no more.
    @Test(.patience)
    func `is given up if the handshake stalls`() async throws {
        let relay = try ScriptedRelay(offers: ["STARTTLS"]) { point, _ in point == .startTLS ? .say("220 go") : nil }
        let settings = try settings(relay.port) { ($0.connect, $0.answer, $0.total) = (.seconds(3), .patience, .patience) }
        let outcome = await SMTPTransport([settings], encode: SMTPTransport.plain, logger: .silent).send(.sample())
        #expect(outcome.verdict == .deferred && relay.now.messages.isEmpty)
    }

    @Test(.patience)
    func `is given up if it never answers inside implicit TLS`() async throws {
        let relay = try ScriptedRelay { _, _ in .hang }
        var limits = SMTPLimits()
        (limits.connect, limits.answer, limits.total) = (.seconds(2), .patience, .patience)
        let settings = try SMTPRelaySettings(url: "smtps://localhost:\(relay.port)", heloName: "onward.test", limits: limits)
        #expect(await SMTPTransport([settings], encode: SMTPTransport.plain, logger: .silent).send(.sample()).verdict == .deferred)
    }
}

/// M5: with an independent server, aiosmtpd.
@Suite(.enabled(if: OtherServers.areInstalled, Comment(rawValue: OtherServers.missing)))
struct `A real SMTP server` {
    private let certificates: TestCertificates

    init() throws { certificates = try TestCertificates.shared.get() }

    private func relay(
        _ kind: TestCertificates.Kind = .good, tls: String = "starttls", with more: [String: any Sendable] = [:]
    ) async throws -> RealRelay {
        let options: [String: any Sendable] = ["tls": tls, "certificate": certificates.certificate(kind), "key": certificates.key(kind)]
        return try await RealRelay(options.merging(more) { $1 })
    }

    private func transport(
        _ relay: RealRelay, tls: String = "starttls", credentials: SMTPCredentials? = nil, trusted: Bool = true, pin: String? = nil
    ) throws -> SMTPTransport {
        let settings = try SMTPRelaySettings(
            url: "\(tls == "implicit" ? "smtps" : "smtp")://localhost:\(relay.port)", startTLS: tls == "starttls" ? .required : nil,
            heloName: "onward.test", credentials: credentials, caFile: trusted ? certificates.authority : nil, pinnedPublicKey: pin,
            limits: .patient)
        return SMTPTransport([settings], encode: SMTPTransport.plain, logger: .silent)
    }

    static let users = ["shop": "pässword"]
    static let password = SMTPCredentials.password(user: "shop", "pässword")

    @Test(arguments: ["starttls", "implicit"], [[], ["PLAIN"]])
    func `accepts mails inside TLS, with PLAIN and LOGIN`(_ tls: String, _ without: [String]) async throws {
        let relay = try await relay(tls: tls, with: ["users": Self.users, "without": without])
        let transport = try transport(relay, tls: tls, credentials: Self.password)
        for number in 1...3 {
            let outcome = await transport.send(.sample(id: "m\(number)", text: ".dot\r\nend"))
            #expect(outcome.verdict == .accepted, "\(outcome.answer)")
            let message = try await relay.message()
            #expect(message.tls && message.user == "shop" && message.from == "bounces@shop.example" && message.to == ["ada@example.com"])
            #expect(message.text == "Message-ID: <m\(number)@shop.example>\r\nTo: <ada@example.com>\r\n\r\n.dot\r\nend\r\n")
        }
    }

    @Test func `receives the bytes of a MIME message`() async throws {
        let relay = try await relay()
        let settings = try #require(try transport(relay).relays.first?.settings)
        let mail = OutgoingMail.sample(text: ".\n.é\n\n" + String(repeating: "long ", count: 20_000))
        let outcome = await SMTPTransport([settings], encode: { MIMEMessage($0).bytes }, logger: .silent).send(mail)
        #expect(outcome.verdict == .accepted, "\(outcome.answer)")
        #expect(try await relay.message().text == String(decoding: MIMEMessage(mail).bytes, as: UTF8.self))
    }

    @Test func `accepts a token`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "onward-token-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let relay = try await relay(with: ["tokens": ["shop@example.com": String(repeating: "t", count: 1_500)]])
        let transport = try transport(relay, credentials: .tokenFile(user: "shop@example.com", path: file.path))
        try Data("wrong".utf8).write(to: file)
        let refused = await transport.verify()
        #expect(refused[0].failure?.hasPrefix("535") == true, "\(refused)")
        try Data(String(repeating: "t", count: 1_500).utf8).write(to: file)
        let outcome = await transport.send(.sample())
        #expect(outcome.verdict == .accepted, "\(outcome.answer)")
        #expect(try await relay.message().user == "shop@example.com")
    }

    @Test func `refuses a wrong password`() async throws {
        let relay = try await relay(with: ["users": Self.users])
        let outcome = await (try transport(relay, credentials: .password(user: "shop", "wrong"))).send(.sample())
        #expect(outcome.verdict == .deferred && outcome.concernsRelay && outcome.answer.hasPrefix("535"), "\(outcome.answer)")
    }

    @Test(arguments: [TestCertificates.Kind.expired, .wrongName, .selfSigned], ["starttls", "implicit"])
    func `gets nothing if its certificate is wrong`(_ kind: TestCertificates.Kind, _ tls: String) async throws {
        let relay = try await relay(kind, tls: tls, with: ["users": Self.users])
        let outcome = await (try transport(relay, tls: tls, credentials: Self.password)).send(.sample())
        #expect(outcome.verdict == .deferred && outcome.concernsRelay)
        #expect(outcome.answer.contains("its certificate is not accepted"), "\(outcome.answer)")
    }

    /// A file of trusted certificates replaces the system's, and the system's do not contain the
    /// test's.
    @Test func `gets nothing if its authority is unknown`() async throws {
        let relay = try await relay()
        let outcome = await (try transport(relay, trusted: false)).send(.sample())
        #expect(outcome.answer.contains("its certificate is not accepted"), "\(outcome.answer)")
    }

    @Test func `gets nothing if its public key is not the pinned one`() async throws {
        let relay = try await relay()
        let (right, wrong) = (try certificates.pin(.good), try certificates.pin(.expired))
        #expect(await (try transport(relay, pin: "\(wrong);\(right)")).send(.sample()).verdict == .accepted)
        let outcome = await (try transport(relay, pin: wrong)).send(.sample())
        #expect(outcome.verdict == .deferred && outcome.answer.contains("pinned"), "\(outcome.answer)")
    }

    /// M2: the count of accepted mails equals the count asked for.
    @Test func `that greylists gets the mail at the next attempt`() async throws {
        let relay = try await relay(with: ["greylist": 1])
        let transport = try transport(relay)
        #expect(await transport.send(.sample()).verdict == .deferred)
        #expect(await transport.send(.sample()).verdict == .accepted)
        #expect(try await relay.message().text.contains("<mail-1@shop.example>"))
    }

    /// M8: international addresses are sent only where the mail server offers it.
    @Test func `takes international addresses if it offers them`() async throws {
        for isOffered in [true, false] {
            let relay = try await relay(with: ["utf8": isOffered])
            let settings = try #require(try transport(relay).relays.first?.settings)
            let message = SMTPMessage(
                from: try #require(EmailAddress("bounces@shop.example")), to: try #require(EmailAddress("用户@例え.example")),
                Array("a: b\r\n".utf8))
            let verdict = await SMTPRelay(settings, uptime: { .now }, logger: .silent)
                .send(message, before: .now + .patience) { _ in }
            guard isOffered else {
                #expect(verdict == .refused("the server does not offer SMTPUTF8, which the address needs", .policy))
                continue
            }
            #expect(verdict == .accepted("250 2.0.0 queued"))
            let accepted = try await relay.message()
            #expect(accepted.utf8 && accepted.to == ["用户@xn--r8jz45g.example"])
        }
    }

    @Test func `is described by a check`() async throws {
        let relay = try await relay(with: ["users": Self.users])
        let check = try #require(await (try transport(relay, credentials: Self.password)).verify().first)
        #expect(check.failure == nil)
        #expect(check.lines.contains { $0.hasPrefix("- TLS, certificate of") && $0.contains("localhost") }, "\(check.lines)")
        #expect(check.lines.contains("- authenticated as shop by PLAIN") && check.lines.contains("> STARTTLS"))
    }
}
