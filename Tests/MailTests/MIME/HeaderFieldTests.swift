import Accounts
import Base
import Foundation
import Testing
@testable import Mail

@Suite struct `A header field` {
    static let subjects = [
        "Choose a new password for Sunlit Notes",
        "A subject of many short words that has to be folded because it does not fit into one line of the header",
        "Two  spaces", "Costs 100 % = all", "=?utf-8?Q?Eve=0D=0ABcc:_evil=40evil.example?=", "=?x?", "?=",
        String(repeating: "x", count: 200), String(repeating: "x", count: 67), String(repeating: "x", count: 68),
        String(repeating: "اختر كلمة مرور جديدة لحسابك ", count: 8).trimmingCharacters(in: .whitespaces),
        String(repeating: "เลือกรหัสผ่านใหม่สำหรับบัญชีของคุณ", count: 8),
        String(repeating: "新しいパスワードを選択してください。", count: 8),
        String(repeating: "👩‍👩‍👧‍👦🏳️‍🌈👩🏽‍🚀", count: 8), String(repeating: "e\u{301}\u{323}", count: 40),
        "Bestätigen Sie Ihre neue E-Mail-Adresse für Sunlit Notes, damit Sie sich wieder anmelden können",
        "\u{202e}gpj.exe", "a\u{200b}b", "naïve", "\"quoted\" <angle>, (round)", "semi;colon:comma,", "\\back\\slash",
    ]

    /// M6: a mail has one recipient, and no input makes a line of its header.
    @Test func `of any text is read as it was, in lines of at most 76 characters`() throws {
        let messages = try Self.subjects.map { MIMEMessage(try Mails.mail(from: $0, subject: $0)).bytes }
        for (subject, read) in zip(Self.subjects, try ReadMail.read(messages)) {
            #expect(read.defects == [] && read.longestFieldLine <= 76 && read.isPlain && read.hasWholeWords, "\(subject): \(read.defects)")
            for value in [read["Subject"], read.addresses.first?.name] {
                #expect(value?.unicodeScalars.elementsEqual(subject.unicodeScalars) == true, "\(subject): \(value ?? "-")")
            }
            #expect(read.addresses.map(\.address) == ["no-reply@app.example", "ada@mail.example"])
        }
    }

    @Test(arguments: [
        ("Sunlit Notes", "Sunlit Notes <a@b.example>"), ("Notes, Inc.", "\"Notes, Inc.\" <a@b.example>"),
        ("A \"B\" \\ C", "\"A \\\"B\\\" \\\\ C\" <a@b.example>"), ("\r\n", "a@b.example"),
        ("Grüße", "=?utf-8?B?R3LDvMOfZQ==?= <a@b.example>"),
    ])
    func `of a name stays readable where it can`(name: String, value: String) throws {
        let field = FoldedField("From", AddressSpec(try #require(EmailAddress("a@b.example"))), named: HeaderText(name))
        #expect(String(decoding: field.bytes, as: UTF8.self) == "From: \(value)\r\n")
    }

    @Test func `with an address of any length has no line above the limit of SMTP`() throws {
        let label = String(repeating: "b", count: 59)
        let long = "\(String(repeating: "a", count: 64))@\(label).\(label).\(label).example"
        let read = try ReadMail.read(
            MIMEMessage(try Mails.mail(from: String(repeating: "名前", count: 60), at: long, replyTo: long, to: long)).bytes)
        #expect(read.defects == [] && read.longestFieldLine <= 998 && read.addresses.map(\.address) == [long, long, long])
        #expect(read["Message-ID"]?.hasSuffix(".example>") == true)
    }

    /// M6: a mail has one recipient, and no input makes a line of its header.
    @Test func `holds no control character, whatever it is made of`() {
        for scalar in (0...0x2fff).compactMap(Unicode.Scalar.init) {
            let value = HeaderText("a\(scalar)b").value
            let isControl = scalar.properties.generalCategory == .control || (0x2028...0x2029).contains(scalar.value)
            #expect(value.unicodeScalars.elementsEqual((isControl ? "a b" : "a\(scalar)b").unicodeScalars), "\(scalar.value)")
        }
        #expect(HeaderText("\r\n a\r\n\t\0b\u{85}\u{2028} \r\n").value == "a b")
    }

    @Test(arguments: [
        (-1, "Wed, 31 Dec 1969 23:59:59 +0000"), (0, "Thu, 01 Jan 1970 00:00:00 +0000"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
        (1_800_000_000, "Fri, 15 Jan 2027 08:00:00 +0000"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 +0000"),
    ])
    func `of a date is in UTC`(seconds: Int64, date: String) { #expect(Timestamp(seconds: seconds).mailDate == date) }
}
