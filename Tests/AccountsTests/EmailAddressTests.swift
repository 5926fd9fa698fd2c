import Accounts
import Foundation
import Testing
import Vectors

@Suite struct `An e-mail address` {
    /// B7, B8, M6: one spelling for each account, and none for a similar address.
    @Test(arguments: [
        ("Ada@Example.COM", "ada@example.com"), ("a.b+c@x-y.example", "a.b+c@x-y.example"), ("o'hara@example.com", "o'hara@example.com"),
        ("ada@localhost", "ada@localhost"), ("1@1.example", "1@1.example"), ("ada@LocalHost", "ada@localhost"),
        ("  Ada@example.com\t", "ada@example.com"), ("\u{3000}ada@example.com\u{A0}", "ada@example.com"),
        ("x@münchen.de", "x@xn--mnchen-3ya.de"), ("X@MÜNCHEN.de", "x@xn--mnchen-3ya.de"), ("x@mu\u{308}nchen.de", "x@xn--mnchen-3ya.de"),
        ("x@xn--mnchen-3ya.de", "x@xn--mnchen-3ya.de"), ("x@XN--MNCHEN-3YA.DE", "x@xn--mnchen-3ya.de"),
        ("x@straße.example", "x@xn--strae-oqa.example"), ("用户@例子.广告", "用户@xn--fsqu00a.xn--4rr70v"),
        ("инфо@письмо.рф", "инфо@xn--h1aigbl0e.xn--p1ai"), ("Jürgen.Müller@example.com", "jürgen.müller@example.com"),
        ("jose\u{301}@example.com", "josé@example.com"), ("wang小明@example.com", "wang小明@example.com"),
        ("ひらがな_カタカナー1@example.com", "ひらがな_カタカナー1@example.com"), ("हिन्दी@example.com", "हिन्दी@example.com"),
        ("علي٣@example.com", "علي٣@example.com"), ("สมชาย@example.com", "สมชาย@example.com"), ("ıß@example.com", "ıß@example.com"),
        ("J\u{30C}@example.com", "ǰ@example.com"), ("കൎ@example.com", "കൎ@example.com"), ("Émile@example.com", "émile@example.com"),
        ("E\u{301}mile@example.com", "émile@example.com"), ("Иван@пример.рф", "иван@xn--e1afmkfd.xn--p1ai"),
        ("ΣΊΣΥΦΟΣ@example.com", "σίσυφοσ@example.com"), ("σίσυφος@example.com", "σίσυφος@example.com"),
        ("STRAẞE@example.com", "straße@example.com"),
        ("ada@example.com\n", "ada@example.com"), ("ada@example.com\r\n", "ada@example.com"),
        ("ada@example.com\u{200B}", "ada@example.com"),
        ("ada@example.com\u{FEFF} ", "ada@example.com"), ("ada@example.com\u{2028}", "ada@example.com"),
        ("name..x@docomo.ne.jp", "name..x@docomo.ne.jp"), ("Name.@DoCoMo.ne.jp", "name.@docomo.ne.jp"),
        ("a...@ezweb.ne.jp", "a...@ezweb.ne.jp"),
    ])
    func `is kept in one spelling`(_ text: String, _ value: String) throws {
        let address = try #require(EmailAddress(text))
        #expect(address.value.unicodeScalars.elementsEqual(value.unicodeScalars))
        #expect(EmailAddress(address.value) == address && EmailAddress(address.shown) == address)
        #expect(address.isInternational == !value.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(arguments: [
        "", "ada", "@example.com", "ada@", "ada@example", "a@b@example.com", ".ada@example.com", "ada.@example.com", "a..b@example.com",
        "ada@-x.example", "ada@x-.example", "ada@.example", "ada@example..com", "ada@127.0.0.1", "ada@[127.0.0.1]", "\"a b\"@example.com",
        "ada@example.com\r\nBcc: x@y.example", "ada @example.com", "ada@ example.com", "ada@exa mple.com", "ada\u{0}@example.com",
        "\r\nada@example.com", "\u{200B}ada@example.com", "ada@exam\u{200B}ple.com", "ada\n@example.com", "<ada@example.com>",
        "ada@example.com,b@example.com", ".a@docomo.ne.jp", "..@docomo.ne.jp", "a..b@x.docomo.ne.jp", "a..b@docomo.ne.jp.example",
        "=?utf-8?q?evil=40evil.example=3e?=foo@example.com", "a=?x?b?YQ@example.com", "é=?x?b?YQ@example.com",
        String(repeating: "a", count: 65) + "@example.com", "a@" + String(repeating: "a.", count: 130) + "com",
        String(repeating: "é", count: 33) + "@example.com", "a@" + String(repeating: "é.", count: 60) + "example",
        String(repeating: "é", count: 2_000) + "@example.com",
    ])
    func `is refused if mail servers or accounts could read it in two ways`(_ text: String) { #expect(EmailAddress(text) == nil) }

    /// B7: characters that programs fold to others, or that readers do not see.
    @Test(arguments: [
        "\u{212A}", "\u{130}", "\u{17F}", "\u{FF41}", "\u{FB01}", "\u{1D41A}", "\u{2460}", "\u{AA}", "\u{149}", "\u{2126}", "\u{1C5}",
        "\u{3F4}",
        "\u{1F600}", "\u{2603}", "\u{1FEF}", "\u{37E}", "\u{200B}", "\u{200D}", "\u{AD}", "\u{34F}",
        "\u{202E}", "\u{2066}", "\u{200F}", "\u{61C}", "\u{FEFF}", "\u{3164}", "\u{115F}", "\u{FE0F}", "\u{E0061}", "\u{378}", "\u{E000}",
        "\u{FFFD}", "\u{85}", "\u{A0}", "\u{3002}", "\u{FF0E}", "\u{FF20}", "\u{2024}", "-\u{301}", "=\u{338}",
    ])
    func `is refused if its local part has a letter that is folded elsewhere`(_ text: String) {
        for local in [text, "a\(text)b", "ada\(text)"] {
            #expect(EmailAddress("\(local)@example.com") == nil, "\(local)")
        }
    }

    @Test(arguments: [
        "\u{212A}elvin.example", "\u{130}stanbul.example", "\u{FF41}.example", "b\u{3002}example", "b\u{FF0E}example", "\u{1D41A}.example",
        "x\u{AD}y.example", "x\u{200B}y.example", "x\u{202E}y.example", "\u{17F}x.example", "exam\u{2116}.example", "münchen",
        "münchen.123",
        "\u{308}x.example", "-ü.example", "ü..example", ".ü.example", "ü.example.",
    ])
    func `is refused if its domain is folded to another one`(_ domain: String) { #expect(EmailAddress("ada@\(domain)") == nil) }

    /// B7: scripts that are not written together look alike.
    @Test func `has letters of one script before its @`() {
        for local in ["pаypal", "αda", "adა", "علиp", "аλ", "שa", "สa", "аб用户"] {
            #expect(EmailAddress("\(local)@example.com") == nil, "\(local)")
        }
        #expect(EmailAddress("аda@example.com") == nil && EmailAddress("а@example.com") != EmailAddress("a@example.com"))
    }

    /// The blocks with characters that have a lower case or a decomposition, and with invisible
    /// ones; without Han and Hangul.
    private static let foldedElsewhere = [
        0x80..<0x3400, 0xA640..<0xAC00, 0xF900..<0x1_0000, 0x1_0400..<0x1_0500, 0x1_D400..<0x1_D800, 0x1_F100..<0x1_F200,
        0xE_0000..<0xE_0200,
    ]
    .joined().compactMap { Unicode.Scalar(UInt32($0)) }

    /// B7: of all characters, none leads to the address of another.
    @Test func `is never found under another character`() {
        let plain = Set("abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-/=?^_`{|}~.".unicodeScalars)
        for scalar in Self.foldedElsewhere {
            guard let address = EmailAddress("x\(scalar)@example.com") else { continue }
            #expect(
                !address.value.dropLast("@example.com".count).unicodeScalars.dropFirst().contains(where: plain.contains), "\(scalar.value)")
            #expect(!scalar.properties.isDefaultIgnorableCodePoint, "\(scalar.value)")
        }
        for scalar in Self.foldedElsewhere {
            guard let address = EmailAddress("x@y\(scalar).example") else { continue }
            #expect(address.value.hasPrefix("x@xn--"), "\(scalar.value)")
        }
    }

    @Test(arguments: [
        ("x@xn--mnchen-3ya.de", "x@münchen.de"), ("x@example.com", "x@example.com"), ("инфо@письмо.рф", "инфо@письмо.рф"),
        ("用户@例子.广告", "用户@例子.广告"), ("x@straße.example", "x@straße.example"), ("x@مثال.السعودية", "x@مثال.السعودية"),
        // Looks like apple.com; like paypal.com; two scripts; a letter that looks like an i; not a
        // domain name of IDNA.
        ("x@xn--80ak6aa92e.com", "x@xn--80ak6aa92e.com"), ("x@xn--pypal-4ve.com", "x@xn--pypal-4ve.com"),
        ("x@ab用户.example", "x@xn--ab-hj5dt60e.example"), ("x@pıx.example", "x@xn--px-hpa.example"), ("x@xn--a.example", "x@xn--a.example"),
    ])
    func `shows its domain in its own script if that cannot be mistaken`(_ text: String, _ shown: String) throws {
        #expect(try #require(EmailAddress(text)).shown == shown)
    }

    @Test func `is masked down to its first letter`() throws {
        #expect(try #require(EmailAddress("ada@example.com")).masked == "a•••@example.com")
        #expect(try #require(EmailAddress("用户@münchen.de")).masked == "用•••@münchen.de")
    }
}

/// The public lists. Our policy is wider in three points, decision 28: spaces around an address are
/// removed, local parts may be international, and a domain may be.
@Suite(.enabled(if: Vectors.arePresent, "\(Vectors.absence)")) struct `E-mail addresses of public lists` {
    /// B8: errors are errors here, and valid addresses are valid here unless our policy is narrower
    /// (a domain of one label, or one that ends in a number).
    @Test func `of isemail are judged alike`() throws {
        for entry in try Vectors.cases("email/isemail.json", under: "cases", as: Address.self) {
            switch entry.category {
            // A line break at the end is removed.
            case "ISEMAIL_ERR": #expect(EmailAddress(entry.address) == nil || entry.address.contains(where: \.isNewline), "\(entry)")
            case "ISEMAIL_VALID_CATEGORY", "ISEMAIL_DNSWARN":
                let domain = entry.address.split(separator: "@").last ?? ""
                let isNarrow = !domain.contains(".") || domain.split(separator: ".").last?.allSatisfy(\.isNumber) == true
                #expect((EmailAddress(entry.address) != nil) == !isNarrow, "\(entry)")
            default: break
            }
        }
    }

    /// B8: what they have in common with our policy is accepted.
    @Test func `of EmailValidator and fuzzdb are judged alike`() throws {
        let lists = try JSONDecoder().decode(Lists.self, from: Vectors.bytes("email/egulias.json")).providers
        let fuzzdb = try JSONDecoder().decode(Judged.self, from: Vectors.bytes("email/fuzzdb.json"))
        for text in (lists["getValidEmails"] ?? []) + (lists["getValidEmailsWithWarnings"] ?? []) + fuzzdb.valid {
            let isOutside = text.contains { "\" \\()[]".contains($0) } || Self.narrow.contains(text) || text.prefix { $0 != "@" }.count > 64
            #expect((EmailAddress(text) != nil) == !isOutside, "\(text)")
        }
        for text in (lists["getInvalidEmails"] ?? []) + (lists["getInvalidEmailsWithErrors"] ?? []) + fuzzdb.invalid {
            #expect((EmailAddress(text) != nil) == Self.wide.contains(text), "\(text)")
        }
    }

    private static let narrow = ["example@example", "name@129.129.129.129", "jacco@mailserver1"]
    private static let wide = ["うえあいお@address.com", "notallowed@example.com ", " notallowed@example.com", "sql'or'1'='1'or'test@email.com"]

    /// B7, M6: what is accepted has one spelling, without anything that a header or a command of
    /// SMTP could take for its end.
    @Test func `of attackers are refused or have one spelling`() throws {
        let payloads = try JSONDecoder().decode(Payloads.self, from: Vectors.bytes("email/email-header-injection.json")).address_payloads
        #expect(payloads.count > 50)
        let accepted = payloads.compactMap { text in EmailAddress(text).map { (text, $0.value) } }
        for (text, value) in accepted {
            #expect(!value.unicodeScalars.contains { $0.value <= 0x20 || "\",:;<>()[]\\\u{7F}".unicodeScalars.contains($0) }, "\(text)")
            #expect(value.count { $0 == "@" } == 1 && EmailAddress(value)?.value == value, "\(text)")
        }
        // Only spellings of the same address meet.
        let owners = Dictionary(grouping: accepted, by: \.1).filter { $0.value.count > 1 }
        #expect(owners.values.allSatisfy { same in Set(same.map { $0.0.trimmingCharacters(in: .whitespaces).lowercased() }).count == 1 })
        #expect(!accepted.contains { "\u{FF41}\u{130}\u{3002}\u{FEFF}".unicodeScalars.contains(where: $0.0.unicodeScalars.contains) })
    }

    private struct Address: Decodable {
        let address: String
        let category: String
    }
    private struct Lists: Decodable { let providers: [String: [String]] }
    private struct Judged: Decodable { let valid, invalid: [String] }
    private struct Payloads: Decodable { let address_payloads: [String] }
}
