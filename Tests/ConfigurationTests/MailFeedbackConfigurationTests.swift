import Accounts
import Foundation
import Mail
import Testing
@testable import Configuration

@Suite struct `The providers in a configuration` {
    private static let key =
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ=="

    private static func read(_ feedback: String, _ secrets: [String: String] = [:]) throws -> MailConfiguration? {
        let yaml = """
            publicOrigin: https://auth.example.com
            secret: {env: SECRET}
            database: {path: onward.sqlite}
            mail:
              from: no-reply@example.com
              relays: [{url: "smtp://localhost:25"}]
              feedback: \(feedback)
            projects: [{id: one, displayName: One, apiKeys: [one-key-1], authorizedDomains: []}]
            """
        return try Configuration(yaml: yaml, file: "onward.yaml") {
            (["SECRET": String(repeating: "x", count: 32)].merging(secrets) { $1 })[$0]
        }.mail
    }

    @Test func `are read, with their secrets from the environment`() throws {
        let plain = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        let mail = try Self.read(
            """
            {sns: {topic: "arn:aws:sns:eu-west-1:123456789012:mails"}, sendgrid: {publicKey: \(Self.key)}, mailgun: {signingKey: {env: A}},
             postmark: {user: postmark, password: {env: B}}, plain: {secret: {env: C}}}
            """, ["A": "key-1", "B": "correct horse battery", "C": plain])
        let feedback = try #require(mail?.feedback)
        #expect(feedback.sns == SNSTopic("arn:aws:sns:eu-west-1:123456789012:mails") && feedback.sns != nil)
        #expect(feedback.sendgrid == FeedbackSettings.SendGridKey(Self.key) && feedback.sendgrid != nil)
        #expect(feedback.mailgunSigningKey == "key-1" && feedback.plain == WebhookKey(plain) && feedback.plain != nil)
        #expect(feedback.postmark == FeedbackSettings.Credentials(user: "postmark", password: "correct horse battery"))
        // A change is seen when the configuration is reloaded.
        #expect(try mail != Self.read("{mailgun: {signingKey: {env: A}}}", ["A": "key-1"]))
    }

    @Test(arguments: [
        (
            "{sns: {topic: mails}}",
            "mail.feedback.sns.topic: expected the name of a topic, such as arn:aws:sns:eu-west-1:123456789012:mails"
        ),
        (
            "{sns: {}}",
            "mail.feedback.sns.topic: is missing; expected the name of a topic, such as arn:aws:sns:eu-west-1:123456789012:mails"
        ),
        ("{sns: {topik: x}}", "unknown key; did you mean topic?"),
        ("{sendgrid: {publicKey: AAAA}}", "mail.feedback.sendgrid.publicKey: expected the verification key of the event webhook"),
        ("{mailgun: {signingKey: {env: NONE}}}", "mail.feedback.mailgun.signingKey: the environment variable NONE is not set"),
        ("{mailgun: {signingKey: {env: EMPTY}}}", "mail.feedback.mailgun.signingKey: the secret is empty"),
        ("{plain: {secret: {env: SHORT}}}", "mail.feedback.plain.secret: expected whsec_ and the base64 of 24 to 64 bytes"),
        ("{postmark: {user: a, password: {env: SHORT}}}", "mail.feedback.postmark.password: expected at least 16 bytes"),
        ("{postmark: {user: \"a:b\", password: {env: LONG}}}", "mail.feedback.postmark.user: expected a name without spaces and colons"),
        ("{postmark: {password: {env: LONG}}}", "mail.feedback.postmark.user: is missing"),
        ("{sparkpost: {}}", "mail.feedback.sparkpost: unknown key"),
        ("none", "mail.feedback: expected a mapping of keys and values"),
    ])
    func `are refused with their place and what was expected`(feedback: String, sentence: String) throws {
        let error = #expect(throws: InvalidConfiguration.self) {
            try Self.read(feedback, ["EMPTY": "", "SHORT": "short", "LONG": "correct horse battery"])
        }
        #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("horse") != true)
    }

    @Test func `are optional`() throws { #expect(try Self.read("{}")?.feedback == FeedbackSettings()) }
}
