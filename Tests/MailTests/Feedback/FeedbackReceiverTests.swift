import Accounts
import Base
import Foundation
import Store
import Testing
import World
@testable import Mail

@Suite struct `A report of a provider` {
    /// V1: a replayed report does not suppress an address again after an admin let mails through.
    @Test(arguments: ["sns", "sendgrid", "mailgun", "postmark", "plain"]) func `counts once`(provider: String) async throws {
        let feedback = try await FeedbackWorld()
        let request: FeedbackRequest =
            switch provider {
            case "sns": try .sns("bounce")
            case "sendgrid": try .sendGrid("bounce")
            case "mailgun": try .mailgun("bounce")
            case "postmark": .postmark(`Feedback by a webhook`.postmark)
            default: .bounced()
            }
        #expect(try await feedback.receive(request) == .accepted)
        let digest = feedback.world.outbox.digest(of: .ada, in: feedback.world.project.id)
        #expect(try await feedback.world.store.removeSuppressions(of: digest, in: feedback.world.project.id) == 1)
        // Another receiver on the same store: a restart forgets nothing.
        let again = FeedbackReceiver(
            SignedFeedback.settings,
            certificates: SNSCertificates { (_) throws(FeedbackError) in Array(SignedFeedback.all.certificate.utf8) },
            store: feedback.world.store, outbox: feedback.world.outbox, secrets: feedback.world.secrets, now: feedback.world.clock.now,
            meters: .none, logger: .silent)
        for _ in 0..<3 { #expect(try await again.receive(request) == .accepted) }
        #expect(try await feedback.reasons().isEmpty)
    }

    /// V1. Mailgun signs a token, not the body: with a token that was seen, any report could be
    /// made.
    @Test(arguments: ["complaint", "temporary", "opened"], ["shop", "other"])
    func `of Mailgun cannot be made from the proof of another`(name: String, project: String) async throws {
        let feedback = try await FeedbackWorld()
        #expect(try await feedback.receive(.mailgun(name, about: project)) == .accepted)
        for _ in 0..<2 { #expect(try await feedback.receive(.bounced(withProofOf: name)) == .unauthentic) }
        #expect(try await !feedback.reasons().contains(.bounce))
        #expect(feedback.count(.bounce, from: .mailgun) == 0)
        // The provider may repeat its own report.
        #expect(try await feedback.receive(.mailgun(name, about: project)) == .accepted)
    }

    /// A webhook of Mailgun's may have the URLs of several projects.
    @Test func `of Mailgun counts in each project that gets it`() async throws {
        let feedback = try await FeedbackWorld()
        #expect(try await feedback.receive(.mailgun("bounce", about: "other")) == .accepted)
        #expect(try await feedback.reasons().isEmpty)
        #expect(try await feedback.receive(.mailgun("bounce")) == .accepted)
        #expect(try await feedback.reasons() == [.bounce])
    }

    /// V1. The signed text of SNS does not tell where a member ends: a message identifier of three
    /// lines stands for an identifier and a subject.
    @Test func `of SNS counts once, however its members are cut`() async throws {
        let feedback = try await FeedbackWorld()
        let body = try #require(SignedFeedback.all.sns["bounce with a subject"])
        let subject = #""Subject": "Amazon SES\nEmail Event", "#
        let cut = body.replacing(subject, with: "")
            .replacing(#""message-3""#, with: #""message-3\nSubject\nAmazon SES\nEmail Event""#)
        #expect(try await feedback.receive(FeedbackRequest(.sns, body)) == .accepted)
        let digest = feedback.world.outbox.digest(of: .ada, in: feedback.world.project.id)
        #expect(try await feedback.world.store.removeSuppressions(of: digest, in: feedback.world.project.id) == 1)
        #expect(try await feedback.receive(FeedbackRequest(.sns, cut)) == .accepted)
        #expect(try await feedback.reasons().isEmpty && feedback.count(.bounce, from: .sns) == 1)
    }

    /// A report that the store has forgotten is refused because of its time.
    @Test func `is remembered for longer than it is accepted`() async throws {
        #expect(FeedbackReceiver.memory > FeedbackReceiver.window + .hours(1))
        let feedback = try await FeedbackWorld()
        _ = try await feedback.receive(.mailgun("complaint"))
        feedback.world.clock.advance(by: FeedbackReceiver.memory)
        let moment = feedback.world.clock.now()
        #expect(try await feedback.world.store.purgeReports(receivedBefore: moment) == 3)
        #expect(try await feedback.receive(.mailgun("complaint")) == .unauthentic)
    }

    /// A provider reports the mails of all systems that send through it.
    @Test func `has no effect on addresses and projects that were not mailed`() async throws {
        let feedback = try await FeedbackWorld()
        #expect(try await feedback.receive(.bounced("stranger@app.example")) == .accepted)
        #expect(try await feedback.reasons("stranger@app.example").isEmpty)
        for project in ["other", "nowhere"] {
            #expect(try await feedback.receive(.sns("bounce", about: project)) == .accepted)
            #expect(try await feedback.reasons(in: project).isEmpty)
        }
        #expect(try await feedback.reasons().isEmpty)
        #expect(try await feedback.world.store.suppressions(at: feedback.world.clock.now(), limit: 9).isEmpty)
    }

    /// One request may have thousands of events.
    @Test func `is recorded in batches that can be repeated`() async throws {
        let feedback = try await FeedbackWorld()
        let message = FeedbackMessage(
            id: [1],
            reports: (0..<999).map { MailFeedback(.bounce, of: EmailAddress("user\($0)@app.example")!) } + [MailFeedback(.bounce, of: .ada)]
        )
        for _ in 0..<2 {
            _ = try await feedback.receiver.record(message, with: [], from: .sendgrid, about: feedback.world.project.id)
        }
        #expect(try await feedback.reasons() == [.bounce])
        #expect(feedback.count(.bounce, from: .sendgrid) == 1_000)
    }

    /// O1: no code, password, token, secret, address or full link is in any log.
    @Test func `is logged without its address`() async throws {
        let feedback = try await FeedbackWorld()
        _ = try await feedback.receive(.bounced())
        _ = try await feedback.receive(.bounced())
        #expect(feedback.log.all.count == 2)
        #expect(
            feedback.log.all[0].hasPrefix("info: mail feedback received") && feedback.log.all[1].hasPrefix("notice: mail feedback repeated")
        )
        for line in feedback.log.all { #expect(!line.contains("ada") && !line.contains("whsec_"), "\(line)") }
    }
}
