import Accounts
import Foundation
import Testing
import Vectors
import Views
@testable import Mail

/// M6, M7: texts of users and apps change the values of fields and the text, and nothing else.
@Suite struct `Injected header fields` {
    struct Payloads: Decodable {
        let addresses, names, fields: [String]

        enum CodingKeys: String, CodingKey {
            case addresses = "address_payloads"
            case names = "display_name_payloads"
            case fields
        }
    }

    static let ours = Payloads(
        addresses: [
            "a@b.example", "a@b.example\r\nBcc: evil@evil.example", "a@b.example,evil@evil.example", "a+tag@b.example", "a@b.example\0",
            "\"a\r\nBcc: x\"@b.example", "<a@b.example>", "A@B.EXAMPLE", "ß@b.example", "用户@b.example",
        ],
        names: [
            "Eve\r\nBcc: evil@evil.example", "Eve\" <evil@evil.example>", "=?utf-8?Q?Eve=0D=0ABcc:_evil=40evil.example?=", "\r\n.\r\n",
            "\0",
            "Eve\n\nInjected body", "Eve, evil@evil.example;", "\u{2028}Bcc: x", "--=_m1\r\nContent-Type: text/html", "From me", " ",
        ], fields: ["email", "displayName", "newEmail", "continueUrl", "lang", "tenantId", "appName"]
    )

    @Test func `of this test do nothing`() throws { try expectNothing(from: Self.ours) }

    @Test(.enabled(if: Vectors.arePresent, Comment(rawValue: Vectors.absence))) func `of the vectors do nothing`() throws {
        let payloads = try JSONDecoder().decode(Payloads.self, from: Vectors.bytes("email/email-header-injection.json"))
        #expect(payloads.addresses.count == 51 && payloads.names.count == 22 && Set(payloads.fields) == Set(Self.ours.fields))
        try expectNothing(from: payloads)
    }

    /// Every name with every address, in every field of one mail. An address that is refused gets
    /// no mail, so another one is used.
    private func expectNothing(from payloads: Payloads) throws {
        var mails: [OutgoingMail] = []
        for (address, name) in payloads.addresses.flatMap({ address in payloads.names.map { (address, $0) } }) {
            let accepted = EmailAddress(address)?.value ?? "ada@mail.example"
            let both = "\(name) \(address)"
            mails.append(
                try Mails.mail(
                    id: both, from: name, replyTo: accepted, to: accepted, language: both, subject: both, text: "\(both)\n",
                    html: both.markup))
        }
        // Python reads no header outside of ASCII.
        for mail in mails where mail.letter.recipient.isInternational {
            let header = String(decoding: MIMEMessage(mail).bytes, as: UTF8.self).prefix(upTo: "\r\n\r\n")
            let lines = header.replacing("\r\n ", with: " ").split(separator: "\r\n")
            #expect(lines.map { $0.prefix { $0 != ":" } } == `A message`.names.map { $0[...] }, "\(mail.id)")
            #expect(lines.contains("To: \(mail.letter.recipient)") && lines.contains("Reply-To: \(mail.letter.recipient)"), "\(mail.id)")
        }
        mails.removeAll(where: \.letter.recipient.isInternational)
        let messages = mails.map { MIMEMessage($0) }
        #expect(!messages.contains { $0.needsSMTPUTF8 })
        for (mail, read) in zip(mails, try ReadMail.read(messages.map(\.bytes), recodes: false)) {
            let isAsIntended =
                read.defects.isEmpty && read.fields.map(\.name) == `A message`.names && read.isPlain && read.longestLine <= 998
                && read.addresses.map(\.address) == ["no-reply@app.example", mail.letter.recipient.value, mail.letter.recipient.value]
                && same(read.addresses[0].name, HeaderText(mail.sender.name ?? "").value)
                && same(read["Subject"], HeaderText(mail.content.subject).value)
                && !read.fields.contains { $0.value.unicodeScalars.contains { $0.properties.generalCategory == .control } }
                && read.parts.map(\.type) == ["text/plain", "text/html"]
                && same(read.content("text/plain"), mail.content.text) && same(read.content("text/html"), mail.content.html)
            if !isAsIntended { Issue.record("\("\(mail.id): \(read.defects) \(read.fields)".prefix(2_000))") }
        }
    }

    private func same(_ read: String?, _ sent: String) -> Bool {
        read?.replacing("\r\n", with: "\n").unicodeScalars.elementsEqual(sent.replacing("\r\n", with: "\n").unicodeScalars) == true
    }
}

extension String {
    /// The text before a mark; all of it if there is none.
    fileprivate func prefix(upTo mark: String) -> Substring { firstRange(of: mark).map { self[..<$0.lowerBound] } ?? self[...] }
}
