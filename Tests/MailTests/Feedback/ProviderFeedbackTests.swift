import Accounts
import Testing
import World
@testable import Mail

/// The formats and proofs of the providers that sign or know a password.
@Suite struct `Feedback by a webhook` {
    static let postmark = ##"{"RecordType":"Bounce","ID":4323372036854775807,"Type":"HardBounce","TypeCode":1,"Email":"ada@app.example"}"##

    enum Sent {
        case sendGrid(String), mailgun(String), postmark(String), plain(String)

        func request() throws -> FeedbackRequest {
            switch self {
            case .sendGrid(let name): try .sendGrid(name)
            case .mailgun(let name): try .mailgun(name)
            case .postmark(let body): .postmark(body)
            case .plain(let body): .plain(body)
            }
        }
    }

    @Test(arguments: [
        (Sent.sendGrid("bounce"), MailFeedback.Kind.bounce), (.sendGrid("blocked"), .softBounce), (.sendGrid("dropped"), .softBounce),
        (.sendGrid("complaint"), .complaint),
        (.mailgun("bounce"), .bounce), (.mailgun("suppressed by Mailgun"), .softBounce), (.mailgun("given up"), .softBounce),
        (.mailgun("temporary"), .softBounce), (.mailgun("complaint"), .complaint),
        (.postmark(postmark), .bounce), (.postmark(postmark.replacing("HardBounce", with: "SoftBounce")), .softBounce),
        (.postmark(postmark.replacing("HardBounce", with: "SpamNotification")), .softBounce),
        (.postmark(#"{"RecordType":"SpamComplaint","Type":"SpamComplaint","Email":"Ada@App.Example"}"#), .complaint),
        (.plain(#"{"type":"mail.bounced","data":{"to":"ada@app.example","permanent":true}}"#), .bounce),
        (.plain(#"{"type":"mail.bounced","data":{"to":"ada@app.example","permanent":false}}"#), .softBounce),
        (.plain(#"{"type":"mail.bounced","data":{"to":"ada@app.example"}}"#), .softBounce),
        (.plain(#"{"type":"mail.complained","data":{"to":"ada@app.example"}}"#), .complaint),
    ])
    func `feedback by a webhook counts as what it says`(sent: Sent, kind: MailFeedback.Kind) async throws {
        let feedback = try await FeedbackWorld()
        let request = try sent.request()
        #expect(try await feedback.receive(request) == .accepted)
        let reason: [MailFeedback.Kind: Suppression.Reason] = [.bounce: .bounce, .complaint: .complaint]
        #expect(try await feedback.reasons() == [reason[kind]].compactMap(\.self))
        #expect(feedback.count(kind, from: request.provider) == 1)
    }

    @Test(arguments: [
        Sent.mailgun("opened"), .postmark(#"{"RecordType":"Delivery","Recipient":"ada@app.example"}"#),
        .plain(#"{"type":"mail.opened","data":{"to":"ada@app.example"}}"#), .plain(#"{"type":"mail.opened"}"#),
        .plain(#"{"type":"mail.bounced"}"#),
        .plain(#"{"type":"mail.bounced","data":{"to":"not an address","permanent":true}}"#), .postmark(#"{"RecordType":"Bounce"}"#),
    ])
    func `feedback by a webhook has no effect if it reports something else`(sent: Sent) async throws {
        let feedback = try await FeedbackWorld()
        #expect(try await feedback.receive(sent.request()) == .accepted)
        #expect(try await feedback.reasons().isEmpty)
    }

    @Test(arguments: [
        Sent.sendGrid("not a list"), .sendGrid("damaged"), .postmark("{}"), .postmark("x"), .plain("x"), .plain("{}"),
        .plain(#"{"type":"mail.bounced","data":{}}"#),
    ])
    func `feedback by a webhook is refused if it cannot be read`(sent: Sent) async throws {
        #expect(try await FeedbackWorld().receive(sent.request()) == .malformed)
    }

    /// SendGrid collects events.
    @Test func `feedback by a webhook may report about several addresses`() async throws {
        let feedback = try await FeedbackWorld()
        try await feedback.world.account("eve@app.example", id: "eve")
        #expect(try await feedback.receive(.sendGrid("several")) == .accepted)
        #expect(feedback.count(.bounce, from: .sendgrid) == 1 && feedback.count(.complaint, from: .sendgrid) == 1)
        #expect(try await feedback.reasons() == [.complaint])
    }

    /// V1: a stranger who could report bounces would keep a user from every mail.
    @Test func `feedback by a webhook is refused without the provider's proof`() async throws {
        let feedback = try await FeedbackWorld()
        let all = SignedFeedback.all
        let signed = try #require(all.sendGrid["bounce"])
        let mailgun = try #require(all.mailgun["bounce"])
        let plain = FeedbackRequest.bounced()
        func plainly(_ field: String, _ value: String?) -> FeedbackRequest {
            FeedbackRequest(
                from: .plain, about: plain.project, field: { $0.lowercased() == field ? value : plain.field($0) }, body: plain.body)
        }
        let signature = plain.field("webhook-signature") ?? ""
        let forged: [(String, FeedbackRequest)] = [
            ("SendGrid, other body", .sendGrid(signed.body + " ", signed.time, signed.signature)),
            ("SendGrid, other time", .sendGrid(signed.body, "1800000001", signed.signature)),
            ("SendGrid, other signature", .sendGrid(signed.body, signed.time, try #require(all.sendGrid["complaint"]).signature)),
            ("SendGrid, no signature", .sendGrid(signed.body, signed.time, "")),
            ("SendGrid, time with a sign", .sendGrid(signed.body, "+1800000000", signed.signature)),
            ("SendGrid, no fields", FeedbackRequest(.sendgrid, signed.body)),
            ("SendGrid, old", try .sendGrid("old")),
            ("Mailgun, other token", FeedbackRequest(.mailgun, mailgun.replacing("\"token-", with: "\"Token-"))),
            ("Mailgun, other time", FeedbackRequest(.mailgun, mailgun.replacing("1800000000\"", with: "1800000001\""))),
            ("Mailgun, no signature", FeedbackRequest(.mailgun, #"{"event-data":{"event":"complained","recipient":"ada@app.example"}}"#)),
            ("Mailgun, not JSON", FeedbackRequest(.mailgun, "x")),
            ("Mailgun, old", try .mailgun("old")),
            ("Postmark, other password", .postmark(Self.postmark, password: "correct horse batterz")),
            ("Postmark, other user", .postmark(Self.postmark, user: "Postmark")),
            ("Postmark, no password", FeedbackRequest(.postmark, Self.postmark)),
            ("Postmark, bearer", FeedbackRequest(.postmark, Self.postmark, fields: ["authorization": "Bearer owner"])),
            ("plain, other body", FeedbackRequest(from: .plain, about: plain.project, field: plain.field, body: plain.body + [32])),
            ("plain, other id", plainly("webhook-id", "message-2")), ("plain, no id", plainly("webhook-id", nil)),
            ("plain, other time", plainly("webhook-timestamp", "1800000001")), ("plain, no time", plainly("webhook-timestamp", "")),
            ("plain, other scheme", plainly("webhook-signature", signature.replacing("v1,", with: "v1a,"))),
            ("plain, cut", plainly("webhook-signature", String(signature.dropLast()))),
            ("plain, none", plainly("webhook-signature", "v1,")),
            ("plain, six minutes old", .plain("{}", at: 1_800_000_000 - 361)), ("plain, ahead", .plain("{}", at: 1_800_000_000 + 361)),
            ("no route", FeedbackRequest(.relay, "{}")),
        ]
        _ = feedback.counted.reset()
        for (name, request) in forged { #expect(try await feedback.receive(request) == .unauthentic, "\(name)") }
        // A flood of them does not reach the store.
        let work = feedback.counted.reset()
        #expect(work.reads == 0 && work.transactions == 0)
        #expect(try await feedback.reasons().isEmpty)
        for line in feedback.log.all { #expect(!line.contains("@app.example"), "\(line)") }
    }

    /// Two keys are in use while a secret is replaced.
    @Test func `feedback by a webhook may have several signatures, of which one is right`() async throws {
        let plain = FeedbackRequest.bounced()
        let signatures = "v1,AAAA v2,x \(plain.field("webhook-signature") ?? "")"
        let request = FeedbackRequest(
            from: .plain, about: plain.project, field: { $0 == "webhook-signature" ? signatures : plain.field($0) }, body: plain.body)
        #expect(try await FeedbackWorld().receive(request) == .accepted)
    }

    @Test(arguments: FeedbackProvider.allCases) func `feedback by a webhook is refused if its provider is not configured`(
        provider: FeedbackProvider
    ) async throws {
        for settings in [nil, FeedbackSettings()] {
            let feedback = try await FeedbackWorld(settings: settings)
            let plain = FeedbackRequest.bounced()
            let request = FeedbackRequest(from: provider, about: plain.project, field: plain.field, body: plain.body)
            #expect(try await feedback.receive(request) == .unauthentic)
        }
    }

    @Test func `the keys of feedback by a webhook are checked when they are configured`() {
        let key = SignedFeedback.all.sendGridKey
        #expect(FeedbackSettings.SendGridKey(key) != nil)
        for text in ["", "x", String(key.dropLast(4)), key + "AAAA"] { #expect(FeedbackSettings.SendGridKey(text) == nil, "\(text)") }
    }
}
