import Accounts
import Base
import Network
import Testing
import World
@testable import Mail

/// Notifications of Amazon SES.
@Suite struct `Feedback by Amazon SNS` {
    @Test(arguments: [
        ("bounce, version 1", MailFeedback.Kind.bounce), ("bounce", .bounce), ("bounce with a subject", .bounce),
        ("bounce as an event", .bounce), ("transient bounce", .softBounce), ("undetermined bounce", .softBounce),
        ("bounce of the account's list", .softBounce), ("complaint", .complaint), ("complaint without a type", .complaint),
    ])
    func `feedback by Amazon SNS counts as what it says`(name: String, kind: MailFeedback.Kind) async throws {
        let feedback = try await FeedbackWorld()
        #expect(try await feedback.receive(.sns(name)) == .accepted)
        let reason: [MailFeedback.Kind: Suppression.Reason] = [.bounce: .bounce, .complaint: .complaint]
        #expect(try await feedback.reasons() == [reason[kind]].compactMap(\.self))
        #expect(feedback.count(kind, from: .sns) == 1)
        #expect(feedback.fetched.value == [SignedFeedback.certificateURL])
    }

    @Test(arguments: ["complaint of the account's list", "not spam", "delivery", "greeting", "unsubscription"])
    func `feedback by Amazon SNS has no effect if it reports no failure`(name: String) async throws {
        let feedback = try await FeedbackWorld()
        #expect(try await feedback.receive(.sns(name)) == .accepted)
        #expect(try await feedback.reasons().isEmpty)
    }

    @Test(arguments: ["damaged", "bounce without recipients"]) func `feedback by Amazon SNS is refused if it cannot be read`(name: String)
        async throws
    {
        #expect(try await FeedbackWorld().receive(.sns(name)) == .malformed)
    }

    /// O6: the URL is shown to the operator, and nothing but a certificate is fetched.
    @Test func `feedback by Amazon SNS shows the URL that confirms a subscription, and does not fetch it`() async throws {
        let feedback = try await FeedbackWorld()
        #expect(try await feedback.receive(.sns("subscription")) == .accepted)
        #expect(feedback.fetched.value == [SignedFeedback.certificateURL])
        #expect(feedback.log.all.contains { $0.contains("https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription") })
    }

    /// Nothing is fetched for a message that cannot be the topic's.
    @Test(arguments: ["other topic", "a day and a second old", "six minutes ahead"])
    func `feedback by Amazon SNS is refused before anything is fetched`(name: String) async throws {
        let feedback = try await FeedbackWorld()
        #expect(try await feedback.receive(.sns(name)) == .unauthentic)
        #expect(feedback.fetched.value.isEmpty)
        #expect(try await feedback.reasons().isEmpty)
    }

    /// Each signed member changed, and a signature of another version.
    @Test(arguments: [
        ("ada@app.example", "eve@app.example"), ("message-2", "message-9"), ("T08:00:00.000Z", "T08:00:01.000Z"),
        ("\"SignatureVersion\": \"2\"", "\"SignatureVersion\": \"1\""), ("\"SignatureVersion\": \"2\"", "\"SignatureVersion\": \"3\""),
        ("\"Type\": \"Notification\"", "\"Type\": \"UnsubscribeConfirmation\""), ("\"Type\"", "\"Subject\": \"\", \"Type\""),
        ("\"Signature\": \"", "\"Signature\": \"AAAA"), ("\"Signature\"", "\"signature\""),
    ])
    func `feedback by Amazon SNS is refused if it was changed`(text: String, change: String) async throws {
        let feedback = try await FeedbackWorld()
        let body = try #require(SignedFeedback.all.sns["bounce"])
        let changed = body.replacing(text, with: change)
        #expect(changed != body)
        #expect(try await feedback.receive(FeedbackRequest(.sns, changed)) == .unauthentic)
        #expect(try await feedback.reasons().isEmpty)
    }

    /// O6: the address of the certificate is chosen by the sender of the request.
    @Test(arguments: [
        "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-00.pem",
        "https://sns.eu-west-2.amazonaws.com/SimpleNotificationService-00.pem",
        "https://sns.eu-west-1.amazonaws.com:444/SimpleNotificationService-00.pem",
        "https://sns.eu-west-1.amazonaws.com@evil.example/SimpleNotificationService-00.pem",
        "https://evil.example@sns.eu-west-1.amazonaws.com/SimpleNotificationService-00.pem",
        "https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-00.pem",
        "https://sns.eu-west-1.amazonaws.com\\@evil.example/SimpleNotificationService-00.pem",
        "https://sns.eu-west-1.amazonaws.com/\\evil.example/SimpleNotificationService-00.pem",
        "https://sns.eu-west-1.amazonaws.com./SimpleNotificationService-00.pem",
        "https://SNS.eu-west-1.amazonaws.com/SimpleNotificationService-00.pem",
        "https://sns.eu-west-1.amazonaws.com.cn/SimpleNotificationService-00.pem",
        "https://sns-eu-west-1.amazonaws.com/SimpleNotificationService-00.pem",
        "https://bucket.s3.amazonaws.com/SimpleNotificationService-00.pem",
        "https://sns.eu-west-1.amazonaws.com/bucket/SimpleNotificationService-00.pem",
        "https://sns.eu-west-1.amazonaws.com/../SimpleNotificationService-00.pem",
        "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-00.pem?Action=Publish",
        "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&x=SimpleNotificationService-00.pem",
        "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-00.pem#x",
        "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-00.pem\n",
        "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-%2e%2e.pem",
        "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-٠٠.pem",
        "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-\(String(repeating: "0", count: 65)).pem",
        "https://127.0.0.1/SimpleNotificationService-00.pem", "https://[::1]/SimpleNotificationService-00.pem",
        "file:///SimpleNotificationService-00.pem", "/SimpleNotificationService-00.pem", "",
    ])
    func `the certificate of feedback by Amazon SNS is fetched from the topic's region only`(url: String) async throws {
        let topic = try #require(SNSTopic(SignedFeedback.topic))
        #expect(!topic.publishesCertificate(at: url))
        let feedback = try await FeedbackWorld()
        let quoted = url.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        let body = try #require(SignedFeedback.all.sns["bounce"]).replacing(SignedFeedback.certificateURL, with: quoted)
        #expect(try await feedback.receive(FeedbackRequest(.sns, body)) == .unauthentic)
        #expect(feedback.fetched.value.isEmpty)
    }

    @Test func `feedback by Amazon SNS comes from Amazon's hosts of each partition`() throws {
        for (name, host) in [
            ("arn:aws:sns:us-east-1:123456789012:m", "sns.us-east-1.amazonaws.com"),
            ("arn:aws-cn:sns:cn-north-1:123456789012:m", "sns.cn-north-1.amazonaws.com.cn"),
            ("arn:aws-us-gov:sns:us-gov-west-1:123456789012:m", "sns.us-gov-west-1.amazonaws.com"),
        ] {
            #expect(try #require(SNSTopic(name)).publishesCertificate(at: "https://\(host)/SimpleNotificationService-0a.pem"), "\(name)")
        }
        for name in [
            "", "arn:aws:sqs:us-east-1:123456789012:m", "arn:aws:sns:us-east-1.evil:123456789012:m", "arn:aws:sns:us-east-1:12:m",
            "arn:aws:sns:us-east-1/x?-1:123456789012:m", "arn:aws:sns:us-east-1:123456789012:", "arn:aws:sns:us-east-1:123456789012:m/x",
        ] { #expect(SNSTopic(name) == nil, "\(name)") }
    }
}

/// O6: Onward connects only to configured peers and follows no redirect.
@Suite struct `A certificate of Amazon SNS` {
    @Test func `a certificate of Amazon SNS is fetched once a day`() async throws {
        let feedback = try await FeedbackWorld()
        for name in ["bounce", "complaint", "delivery"] { #expect(try await feedback.receive(.sns(name)) == .accepted) }
        #expect(feedback.fetched.value.count == 1)
        feedback.world.clock.advance(by: .hours(23))
        #expect(try await feedback.receive(.sns("transient bounce")) == .accepted)
        #expect(feedback.fetched.value.count == 1)
        feedback.world.clock.advance(by: .hours(1))
        #expect(try await feedback.receive(.sns("bounce as an event")) == .accepted)
        #expect(feedback.fetched.value.count == 2)
    }

    /// A flood of names leads to one request in a second; the certificates that are known stay.
    @Test func `a certificate of Amazon SNS is not fetched for every name that a stranger makes up`() async throws {
        let feedback = try await FeedbackWorld(certificate: { () throws(FeedbackError) in
            throw .unauthentic("its certificate does not exist")
        })
        let body = try #require(SignedFeedback.all.sns["bounce"])
        for number in 0..<100 {
            let url = SignedFeedback.certificateURL.replacing("0123456789abcdef.pem", with: "\(number).pem")
            do {
                #expect(
                    try await feedback.receive(FeedbackRequest(.sns, body.replacing(SignedFeedback.certificateURL, with: url)))
                        == .unauthentic)
            } catch { #expect(number > 0) }
        }
        #expect(feedback.fetched.value.count == 1)
    }

    /// A message whose certificate cannot be had is not refused for good: SNS repeats it.
    @Test(arguments: ["", "<html>", "-----BEGIN PUBLIC KEY-----", String(repeating: "x", count: 17 << 10)])
    func `a certificate of Amazon SNS is waited for if it cannot be read`(file: String) async throws {
        let file = Locked(file)
        let feedback = try await FeedbackWorld(certificate: { () throws(FeedbackError) in file.value })
        await #expect(throws: (any Error).self) { try await feedback.receive(.sns("bounce")) }
        file.update { $0 = SignedFeedback.all.certificate }
        feedback.world.clock.advance(by: .seconds(1))
        #expect(try await feedback.receive(.sns("bounce")) == .accepted)
    }

    @Test func `a certificate of Amazon SNS is fetched once for messages that come at the same time`() async throws {
        let feedback = try await FeedbackWorld()
        let answers = try await withThrowingTaskGroup(of: FeedbackAnswer.self) { group in
            for _ in 0..<20 { group.addTask { try await feedback.receive(.sns("bounce")) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: .accepted, count: 20))
        #expect(feedback.fetched.value.count == 1)
        #expect(feedback.count(.bounce, from: .sns) == 1)
    }
}
