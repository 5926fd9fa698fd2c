import Accounts
import Base
import ConfigurationSamples
import Testing
import World
@testable import Configuration

@Suite struct `The configuration of mail` {
    private static let mail = "\nmail: {from: App <no-reply@example.com>, relays: [{url: smtp://localhost:25}]"

    private func read(_ yaml: String) throws -> Configuration { try Configuration(sample: Configuration.sampleYAML + yaml) }

    @Test func `sets how long records are kept, by default 30 days`() throws {
        #expect(try read(Self.mail + "}").mail?.keepFor == .days(30))
        #expect(try read(Self.mail + ", keepFor: 7d}").mail?.keepFor == .days(7))
        #expect(try read("\nmail: none").mail?.keepFor == .days(30))
    }

    @Test func `sets a sender and a pace for one project`() throws {
        let senders = "from: Shop <hello@shop.example>, replyTo: care@shop.example, envelopeFrom: b@shop.example"
        let own = "\n    mail: {\(senders), mailsPerMinute: 9}"
        let mail = try #require(try read(own).projects.first).mail
        #expect(mail.from == Mailbox(name: "Shop", address: EmailAddress("hello@shop.example")!))
        #expect(mail.replyTo?.value == "care@shop.example" && mail.envelopeFrom?.value == "b@shop.example" && mail.mailsPerMinute == 9)
        #expect(try #require(try read("").projects.first).mail == ProjectMail())
    }

    @Test(arguments: [
        ("    mail: {from: nowhere}", "projects[0].mail.from: expected an address"),
        ("    mail: {replyTo: Shop <a@b.example>}", "projects[0].mail.replyTo: expected an e-mail address"),
        ("    mail: {mailsPerMinute: 0}", "projects[0].mail.mailsPerMinute: expected a whole number from 1 to 1000000"),
        ("    mail: {relays: []}", "projects[0].mail.relays: unknown key"),
        ("mail: {from: a@b.example, relays: [{url: smtp://localhost}], keepFor: 1h}", "mail.keepFor: expected a duration from 1d to 365d"),
    ])
    func `is refused with the key of a wrong value`(_ line: String, _ said: String) {
        let error = #expect(throws: InvalidConfiguration.self) { try read("\n" + line) }
        #expect(error?.description.contains(said) == true, "\(String(describing: error))")
    }

    @Test(arguments: ["smpt://h:587", "mail.example.com", "smtp://h:99999", "smtp://u:p@h"])
    func `a wrong relay is reported by one problem`(url: String) {
        let error = #expect(throws: InvalidConfiguration.self) { try read("\nmail: {from: a@b.example, relays: [{url: \"\(url)\"}]}") }
        #expect(error?.problems.count == 1 && error?.description.contains("mail.relays[0]: the relay") == true)
        let none = #expect(throws: InvalidConfiguration.self) { try read("\nmail: {from: a@b.example, relays: []}") }
        #expect(none?.description.contains("expected either relays, a list of one or more, or webhook") == true)
    }
}
