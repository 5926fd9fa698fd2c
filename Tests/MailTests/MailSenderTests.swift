import Accounts
import Testing
import World
@testable import Mail

@Suite struct `The sender of mails` {
    private let common = MailSender(
        from: Mailbox(name: "Onward", address: EmailAddress("no-reply@example.com")!), replyTo: EmailAddress("help@example.com"),
        envelopeFrom: EmailAddress("bounces@example.com"))

    @Test func `is that of all projects for a project without one`() async throws {
        #expect(common.of(try await World().project) == common)
    }

    @Test func `has each address that a project sets, and else the common one`() async throws {
        var project = try await World().project
        project.mail.from = Mailbox(name: nil, address: EmailAddress("hello@shop.example")!)
        #expect(common.of(project).from == project.mail.from && common.of(project).envelopeFrom == common.envelopeFrom)
        project.mail.replyTo = EmailAddress("care@shop.example")
        project.mail.envelopeFrom = EmailAddress("bounces@shop.example")
        let own = common.of(project)
        #expect(own.replyTo == project.mail.replyTo && own.envelopeFrom == project.mail.envelopeFrom)
    }
}
