import Accounts
import Base
import Foundation
import MetricsTestKit
import Network
import Store
import Testing
import World
@testable import Mail

/// Messages as providers send them, made and signed with Python's `cryptography` and `hmac`. The
/// time of all is the clock's start, unless their name says otherwise.
struct SignedFeedback: Decodable {
    struct SendGrid: Decodable {
        let time, body, signature: String
    }

    let certificate, sendGridKey, mailgunKey: String
    let sns, mailgun: [String: String]
    let sendGrid: [String: SendGrid]

    static let all: SignedFeedback = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Signed.json")
        return try! JSONDecoder().decode(SignedFeedback.self, from: Data(contentsOf: file))
    }()

    static let topic = "arn:aws:sns:eu-west-1:123456789012:mails"
    static let certificateURL =
        "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem"
    static let plainSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    static let credentials = FeedbackSettings.Credentials(user: "postmark", password: "correct horse battery")

    static var settings: FeedbackSettings {
        var settings = FeedbackSettings()
        settings.sns = SNSTopic(topic)
        settings.sendgrid = FeedbackSettings.SendGridKey(all.sendGridKey)
        settings.mailgunSigningKey = all.mailgunKey
        settings.postmark = credentials
        settings.plain = WebhookKey(plainSecret)
        return settings
    }
}

extension FeedbackRequest {
    init(_ provider: FeedbackProvider, _ body: String, fields: [String: String] = [:], about project: String = "shop") {
        self.init(from: provider, about: ProjectID(rawValue: project), field: { fields[$0.lowercased()] }, body: Array(body.utf8))
    }

    static func sns(_ name: String, about project: String = "shop") throws -> FeedbackRequest {
        FeedbackRequest(.sns, try #require(SignedFeedback.all.sns[name]), about: project)
    }

    static func sendGrid(_ name: String) throws -> FeedbackRequest {
        let signed = try #require(SignedFeedback.all.sendGrid[name])
        return sendGrid(signed.body, signed.time, signed.signature)
    }

    static func sendGrid(_ body: String, _ time: String, _ signature: String) -> FeedbackRequest {
        let fields = ["x-twilio-email-event-webhook-timestamp": time, "x-twilio-email-event-webhook-signature": signature]
        return FeedbackRequest(.sendgrid, body, fields: fields)
    }

    static func mailgun(_ name: String, about project: String = "shop") throws -> FeedbackRequest {
        FeedbackRequest(.mailgun, try #require(SignedFeedback.all.mailgun[name]), about: project)
    }

    /// A hard bounce of Ada with the proof of another message of Mailgun.
    static func bounced(withProofOf name: String, about project: String = "shop") throws -> FeedbackRequest {
        let body = try #require(SignedFeedback.all.mailgun[name])
        let proof = try #require(body.firstRange(of: #", "event-data""#)).lowerBound
        let event = #"{"event":"failed","severity":"permanent","reason":"bounce","recipient":"ada@app.example"}"#
        return FeedbackRequest(.mailgun, body[..<proof] + #", "event-data": \#(event)}"#, about: project)
    }

    static func postmark(_ body: String, user: String = "postmark", password: String = "correct horse battery") -> FeedbackRequest {
        let shown = Data("\(user):\(password)".utf8).base64EncodedString()
        return FeedbackRequest(.postmark, body, fields: ["authorization": "Basic \(shown)"])
    }

    /// - Parameter seconds: the time that is signed; nil: the start of the clock.
    static func plain(_ body: String, id: String = "message-1", at seconds: Int64 = TestClock().now().seconds) -> FeedbackRequest {
        let signature = WebhookKey(SignedFeedback.plainSecret)?.signature(of: Array(body.utf8), id: id, at: seconds) ?? ""
        let fields = ["webhook-id": id, "webhook-timestamp": "\(seconds)", "webhook-signature": "v1,\(signature)"]
        return FeedbackRequest(.plain, body, fields: fields)
    }

    static func bounced(_ address: String = "ada@app.example", id: String = "message-1") -> FeedbackRequest {
        .plain(#"{"type":"mail.bounced","data":{"to":"\#(address)","permanent":true}}"#, id: id)
    }
}

/// An installation that has mailed `ada@app.example`, with a receiver of feedback.
struct FeedbackWorld: Sendable {
    let world: World
    let counted = Counted()
    let metrics = TestMetrics()
    let fetched = Locked<[String]>([])
    let receiver: FeedbackReceiver
    let log: RecordingLog.Recorded

    /// - Parameter certificate: what Amazon publishes; by default the certificate of the messages.
    init(
        settings: FeedbackSettings? = SignedFeedback.settings,
        certificate: @escaping @Sendable () throws(FeedbackError) -> String = { () throws(FeedbackError) in SignedFeedback.all.certificate }
    ) async throws {
        world = try await World(counted: counted)
        try await world.account("ada@app.example")
        let fetched = fetched
        let certificates = SNSCertificates(uptime: world.clock.uptime) { (url) throws(FeedbackError) in
            fetched.update { $0.append(url) }
            return Array(try certificate().utf8)
        }
        let (logger, lines) = RecordingLog.make()
        log = lines
        receiver = FeedbackReceiver(
            settings, certificates: certificates, store: world.store, outbox: world.outbox, secrets: world.secrets, now: world.clock.now,
            meters: MailMeters(metrics), logger: logger)
        try await sendMail()
    }

    /// Asks for a reset, and records that a relay took it.
    func sendMail() async throws {
        _ = try await world.send(.resetPassword)
        let moment = world.clock.now()
        for mail in try await world.store.lease(MailLease(limit: 9, until: moment + .seconds(60)), at: moment) {
            try await world.store.end(
                mail, as: .sent, DeliveryOutcome(.accepted, relay: "a", answer: "250"), keepsLetter: false, at: moment)
        }
    }

    func receive(_ request: FeedbackRequest) async throws -> FeedbackAnswer { try await receiver.receive(request) }

    /// The reasons for which an address is suppressed now.
    func reasons(_ address: String = "ada@app.example", in project: String = "shop") async throws -> [Suppression.Reason] {
        let project = ProjectID(rawValue: project)
        let digest = world.outbox.digest(of: try #require(EmailAddress(address)), in: project)
        return try await world.store.suppressions(of: digest, in: project, at: world.clock.now()).map(\.reason)
    }

    func count(_ kind: MailFeedback.Kind, from provider: FeedbackProvider) -> Int64 {
        metrics.counterTotal(label: "onward_mail_feedback_total", dimensions: [("provider", provider.rawValue), ("kind", kind.rawValue)])
    }
}
