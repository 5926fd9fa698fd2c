import Accounts
import Base
import Foundation
import HTTPServer
import HTTPTypes
import Logging
import Network
import Synchronization
import Testing
import World
@testable import Mail

@Suite struct `The mail webhook` {
    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func transport(_ url: WebURL, clock: TestClock = TestClock(), logger: Logger = .silent) throws -> WebhookTransport {
        var limits = WebhookTransport.limits
        (limits.connect, limits.total) = (.patience, .patience)
        return WebhookTransport(try WebhookSettings(url: url, secret: Self.secret), limits: limits, now: clock.now, logger: logger)
    }

    @Test func `receives the finished mail and its parts as JSON`() async throws {
        let receiver = try await WebhookReceiver([204])
        let mail = OutgoingMail.sample(text: "Hello\n\"é\"")
        let outcome = await (try transport(receiver.url)).send(mail)
        #expect(outcome == DeliveryOutcome(.accepted, relay: receiver.url.origin, answer: "HTTP status 204"))
        let request = try #require(receiver.all.first)
        #expect(request.method == .post && request.fields[.contentType] == "application/json")
        let json = try JSON(request.body)
        let data = try #require(json["data"])
        #expect(json["type"]?.string == "mail.created" && json["timestamp"]?.string == "2023-11-14T22:13:20.000Z")
        let expected = [
            "id": "mail-1", "project": "shop", "kind": "resetPassword", "language": "en", "to": "ada@example.com",
            "envelopeFrom": "bounces@shop.example", "subject": "Reset your password", "text": "Hello\n\"é\"", "html": "<p>Hello\n\"é\"</p>",
            "link": "https://auth.shop.example/__/auth/action?oobCode=secret", "createdAt": "2023-11-14T22:13:20.000Z",
        ]
        for (name, value) in expected { #expect(data[name]?.string == value, "\(name)") }
        #expect(data["from"]?["address"]?.string == "no-reply@shop.example" && data["from"]?["name"]?.string == "Shop")
        await receiver.stop()
    }

    /// M3: the id is the same for each attempt, and the signature covers id, time and body.
    @Test func `can verify the signature, and recognises a mail that comes again`() async throws {
        let receiver = try await WebhookReceiver([500, 200])
        let clock = TestClock()
        let transport = try transport(receiver.url, clock: clock)
        #expect(await transport.send(.sample()).verdict == .deferred)
        clock.advance(by: .seconds(100))
        #expect(await transport.send(.sample()).verdict == .accepted)
        let requests = receiver.all
        #expect(requests.map { $0.fields[.init("webhook-id")!] } == ["mail-1", "mail-1"])
        #expect(requests[0].body == requests[1].body)
        let times = requests.map { $0.fields[.init("webhook-timestamp")!] ?? "" }
        #expect(Int64(times[0]) == clock.now().seconds - 100 && Int64(times[1]) == clock.now().seconds)
        for request in requests {
            let python = """
                import base64, hashlib, hmac, sys
                key = base64.b64decode("\(Self.secret.dropFirst(6))")
                print("v1," + base64.b64encode(hmac.new(key, sys.stdin.buffer.read(), hashlib.sha256).digest()).decode())
                """
            let signed = "mail-1.\(request.fields[.init("webhook-timestamp")!] ?? "")." + String(decoding: request.body, as: UTF8.self)
            let expected = try Program.output(of: try Program.path(to: "python3"), ["-c", python], input: signed)
            #expect(request.fields[.init("webhook-signature")!] == expected.trimmingCharacters(in: .newlines))
        }
        await receiver.stop()
    }

    /// The example of Standard Webhooks' reference implementations.
    @Test func `signs as the standard's example does`() throws {
        let settings = try WebhookSettings(url: try WebURL("https://mailer.example/x"), secret: Self.secret)
        let request = settings.request(
            Array(#"{"test": 2432232314}"#.utf8), id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: Timestamp(seconds: 1_614_265_330))
        #expect(request.fields.contains("webhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="))
    }

    @Test func `signs with both secrets while one is being changed`() throws {
        let (url, new) = (try WebURL("https://mailer.example/x"), "whsec_" + "bmV3IHNlY3JldCBvZiAzMiBieXRlcywgbW9yZSBvciBsZXNz")
        func signature(_ settings: WebhookSettings) throws -> Substring {
            let fields = settings.request([1], id: "1", at: Timestamp(seconds: 1)).fields
            return try #require(fields.first { $0.hasPrefix("webhook-signature: ") }).dropFirst("webhook-signature: ".count)
        }
        let both = try signature(try WebhookSettings(url: url, secret: new, previous: Self.secret)).split(separator: " ")
        #expect(
            try both == [
                signature(try WebhookSettings(url: url, secret: new)), signature(try WebhookSettings(url: url, secret: Self.secret)),
            ])
    }

    /// O6: a name that resolves to an address of this network is not reached unless it may be.
    @Test func `is public, on this machine, or said to be private`() async throws {
        let receiver = try await WebhookReceiver([200])
        let port = try #require(receiver.url.port)
        // A name of this machine that is not known as one.
        let url = try WebURL("https://\(ProcessInfo.processInfo.hostName):\(port)/x")
        for isPrivate in [false, true] {
            let settings = try WebhookSettings(url: url, secret: Self.secret, isPrivate: isPrivate)
            #expect(settings.reachesOnlyPublicAddresses == !isPrivate)
        }
        #expect(try !WebhookSettings(url: receiver.url, secret: Self.secret).reachesOnlyPublicAddresses)
        let blocked = WebhookTransport(
            try WebhookSettings(url: try WebURL("https://10.0.0.1:\(port)/x"), secret: Self.secret), now: { Timestamp(seconds: 1) },
            logger: RecordingLog.make().0)
        #expect(await blocked.send(.sample()).answer.contains("public"))
        await receiver.stop()
    }

    @Test(arguments: [
        (200, DeliveryOutcome.Verdict.accepted), (202, .accepted), (299, .accepted), (400, .refused), (401, .refused), (404, .refused),
        (410, .refused), (413, .refused), (408, .deferred), (425, .deferred), (429, .deferred), (500, .deferred), (503, .deferred),
        (301, .deferred), (304, .deferred),
    ])
    func `decides by its status`(_ status: Int, _ verdict: DeliveryOutcome.Verdict) async throws {
        let receiver = try await WebhookReceiver([status])
        let outcome = await (try transport(receiver.url)).send(.sample())
        #expect(outcome.verdict == verdict && outcome.answer == "HTTP status \(status)")
        #expect(outcome.concernsRelay == (verdict == .deferred))
        await receiver.stop()
    }

    /// O6: Onward connects only to configured peers and follows no redirect.
    @Test func `is not followed elsewhere`() async throws {
        let elsewhere = try await WebhookReceiver([200])
        let receiver = try await WebhookReceiver([307], location: elsewhere.url.serialized)
        #expect(await (try transport(receiver.url)).send(.sample()).verdict == .deferred)
        #expect(elsewhere.all.isEmpty && receiver.all.count == 1)
        await receiver.stop()
        await elsewhere.stop()
    }

    @Test func `is paused while it fails`() async throws {
        let receiver = try await WebhookReceiver([503])
        let (logger, log) = RecordingLog.make()
        let transport = try transport(receiver.url, logger: logger)
        for _ in 0..<(CircuitBreaker.maxFailures + 3) { #expect(await transport.send(.sample()).concernsRelay) }
        #expect(receiver.all.count == CircuitBreaker.maxFailures && transport.isDown)
        #expect(log.all.count == 1 && !log.all[0].contains("key=1"))
        await receiver.stop()
    }

    @Test func `has to be encrypted and to have a secret`() throws {
        for (url, secret, error) in [
            ("http://mailer.example/x", Self.secret, WebhookSettings.Invalid.notHTTPS),
            ("https://mailer.example/#x", Self.secret, .fragment),
            ("https://mailer.example/", "whsec_c2hvcnQ=", .secret), ("https://mailer.example/", String(Self.secret.dropFirst(6)), .secret),
            ("https://mailer.example/", "whsec_not base64", .secret),
        ] {
            #expect(throws: error) { try WebhookSettings(url: try WebURL(url), secret: secret) }
        }
        _ = try WebhookSettings(url: try WebURL("http://localhost:1/x"), secret: Self.secret)
    }
}
