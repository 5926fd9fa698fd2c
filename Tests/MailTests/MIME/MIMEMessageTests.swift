import Accounts
import Foundation
import Testing
@testable import Mail

@Suite struct `A message` {
    /// M6: the fields, each once, and no others.
    static let names = [
        "From", "To", "Reply-To", "Subject", "Date", "Message-ID", "Content-Language", "Auto-Submitted", "X-Auto-Response-Suppress",
        "X-SMTPAPI", "X-Mailgun-Track", "X-Mailgun-Track-Clicks", "X-Mailgun-Track-Opens", "X-PM-TrackLinks", "X-PM-TrackOpens",
        "X-MC-Track", "X-MSYS-API", "X-Mailjet-TrackClick", "X-Mailjet-TrackOpen", "X-AMP", "MIME-Version", "Content-Type",
    ]

    @Test func `names its sender, its one recipient, its time and its language`() throws {
        let read = try ReadMail.read(MIMEMessage(try Mails.mail(replyTo: "help@app.example", language: "pt-BR")).bytes)
        #expect(read.defects == [] && read.fields.map(\.name) == Self.names)
        #expect(
            read.addresses == [
                .init(field: "From", name: "Sunlit Notes", address: "no-reply@app.example"),
                .init(field: "To", name: "", address: "ada@mail.example"),
                .init(field: "Reply-To", name: "", address: "help@app.example"),
            ])
        #expect(read["Subject"] == "Choose a new password" && read["Date"] == "Sun, 22 Nov 2026 20:49:00 +0000")
        #expect(read["Message-ID"] == "<m_1-A@app.example>" && read["Content-Language"] == "pt-BR")
        #expect(read["Auto-Submitted"] == "auto-generated" && read["X-Auto-Response-Suppress"] == "OOF, AutoReply, DR, RN, NRN")
        #expect(read["MIME-Version"] == "1.0" && read["Content-Type"]?.hasPrefix("multipart/alternative;") == true)
        #expect(read.parts.map(\.type) == ["text/plain", "text/html"])
        #expect(read.parts.allSatisfy { $0.charset == "utf-8" && $0.encoding == "quoted-printable" })
        let withoutReplyTo = try ReadMail.read(MIMEMessage(try Mails.mail()).bytes)
        #expect(withoutReplyTo.fields.map(\.name) == Self.names.filter { $0 != "Reply-To" })
    }

    @Test func `asks providers not to track it`() throws {
        let read = try ReadMail.read(MIMEMessage(try Mails.mail()).bytes)
        func json(_ name: String) throws -> NSDictionary? {
            try JSONSerialization.jsonObject(with: Data(try #require(read[name]).utf8)) as? NSDictionary
        }
        let settings = ["clicktrack": ["settings": ["enable": 0, "enable_text": false]], "opentrack": ["settings": ["enable": 0]]]
        #expect(try json("X-SMTPAPI") == ["filters": settings])
        #expect(try json("X-MSYS-API") == ["options": ["open_tracking": false, "click_tracking": false]])
        let rest = ["Mailgun-Track-Clicks": "no", "PM-TrackLinks": "None", "MC-Track": "none", "Mailjet-TrackClick": "0", "AMP": "skip"]
        for (name, value) in rest { #expect(read["X-" + name] == value) }
    }

    /// L6, M7: the link is whole, once in the text, and once as a link and once as words in the
    /// HTML.
    @Test(arguments: ["en", "ar"]) func `holds every letter unchanged`(language: String) throws {
        let letters = try Mails.letters(in: language)
        let messages = try letters.map {
            MIMEMessage(try Mails.mail(language: language, subject: $0.subject, text: $0.text, html: $0.html)).bytes
        }
        for ((kind, letter), read) in zip(zip(LetterKind.allCases, letters), try ReadMail.read(messages)) {
            #expect(read.defects == [] && read.isPlain && read.survives && read.longestLine <= 76)
            #expect(read["Subject"] == letter.subject)
            let (text, html) = (try #require(read.content("text/plain")), try #require(read.content("text/html")))
            #expect(text.replacing("\r\n", with: "\n") == letter.text && html.replacing("\r\n", with: "\n") == letter.html)
            let (count, markup) = (kind.action == nil ? 0 : 1, Mails.link.replacing("&", with: "&amp;"))
            #expect(text.ranges(of: Mails.link).count == count && text.ranges(of: "://").count == count)
            #expect(html.ranges(of: "href=\"\(markup)\"").count == count && html.ranges(of: ">\(markup)<").count == count)
            #expect(html.ranges(of: "oobCode=").count == 2 * count)
        }
    }

    static let bodies: [String: String] = [
        "long lines": String(repeating: "a", count: 10_000) + "\n" + String(repeating: "word ", count: 500) + "\n",
        "lines as long as the limit": (70...80).map { String(repeating: "x", count: $0) + "\n" + String(repeating: "é", count: $0) }.joined(
            separator: "\n"),
        "dots at line starts": ".\n..\n.x\n\n.\n" + String(repeating: "y", count: 75) + "." + String(repeating: ".", count: 200),
        "white space at line ends": "a \nb\t\n \n\t\nc  \n" + String(repeating: "z", count: 75) + " \nend ",
        "equals signs": "a=\nb==\n=3D\n=\n" + String(repeating: "=", count: 100) + "\n=0D=0A=\n",
        "words of mail folders": "From me\n>From\nFrom \n" + String(repeating: "w", count: 75) + "From you\n",
        "boundaries": "--=_m1A\n--=_m1A--\n--\n-- \n\n--=_\n",
        "scripts": "العربية ไทย 日本語 👩‍👩‍👧‍👦 \u{1F1F8}\u{1F1EA} e\u{301} \u{FEFF}x \u{2028}y\u{2029}\u{85}\u{0}\n",
        "carriage returns": "a\rb\r\nc\r\n\rd\n",
        "nothing": "",
        "only line breaks": "\n\n\n",
        "a large text": String(repeating: "ภาษาไทย = 日本語. ", count: 2_000) + "\n",
    ]

    /// L6: a link survives its mail, and what mail programs and hands do to it. M6: a mail has one
    /// recipient, and no input makes a line of its header.
    @Test(arguments: bodies.keys.sorted()) func `keeps a body with`(name: String) throws {
        let body = try #require(Self.bodies[name])
        let message = MIMEMessage(try Mails.mail(text: body, html: body + "<p>"))
        let read = try ReadMail.read(message.bytes)
        #expect(read.defects == [] && read.isPlain && read.longestLine <= 76 && read.parts.count == 2)
        let content = read.content("text/plain")?.replacing("\r\n", with: "\n")
        #expect(content?.unicodeScalars.elementsEqual(body.replacing("\r\n", with: "\n").unicodeScalars) == true)
        #expect(message.bytes.count < 4 * 2 * max(body.utf8.count, 1_000))
        #expect(name != "a large text" || body.utf8.count > 70_000)
    }

    /// M3: a mail that is sent again has the same Message-ID.
    @Test func `is the same for each attempt`() throws {
        #expect(MIMEMessage(try Mails.mail()).bytes == MIMEMessage(try Mails.mail()).bytes)
        #expect(MIMEMessage(try Mails.mail()).bytes != MIMEMessage(try Mails.mail(id: "m_2-A")).bytes)
    }

    /// M8: international addresses are sent only where the mail server offers it.
    @Test func `needs SMTPUTF8 for a local part outside of ASCII only`() throws {
        #expect(!MIMEMessage(try Mails.mail(from: "Æ", subject: "Æ", text: "Æ")).needsSMTPUTF8)
        let addresses = [
            ("x@münchen.de", "x@xn--mnchen-3ya.de", false), ("X@MÜNCHEN.de", "x@xn--mnchen-3ya.de", false),
            ("jörg@münchen.de", "jörg@xn--mnchen-3ya.de", true), ("ada@例え.テスト", "ada@xn--r8jz45g.xn--zckzah", false),
            ("x@a\u{301}.example", "x@xn--1ca.example", false), ("ada@mail.example", "ada@mail.example", false),
        ]
        for (given, written, needsSMTPUTF8) in addresses {
            let address = AddressSpec(try #require(EmailAddress(given)))
            #expect(address.description == written && address.needsSMTPUTF8 == needsSMTPUTF8, "\(given)")
        }
        let field = FoldedField("To", AddressSpec(try #require(EmailAddress("jörg@münchen.de"))), named: HeaderText("Jörg"))
        #expect(String(decoding: field.bytes, as: UTF8.self) == "To: =?utf-8?B?SsO2cmc=?= <jörg@xn--mnchen-3ya.de>\r\n")
    }
}
