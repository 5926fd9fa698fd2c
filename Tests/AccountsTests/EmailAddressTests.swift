import Accounts
import Testing
import Vectors

@Suite struct `An e-mail address` {
    /// B7, B8, M6: one spelling for each account, and none for a similar address.
    @Test(arguments: [
        ("Ada@Example.COM", "ada@example.com"), ("a.b+c@x-y.example", "a.b+c@x-y.example"), ("o'hara@example.com", "o'hara@example.com"),
        ("ada@localhost", "ada@localhost"), ("1@1.example", "1@1.example"),
    ])
    func `is kept in one spelling`(_ text: String, _ value: String) { #expect(EmailAddress(text)?.value == value) }

    @Test(arguments: [
        "", "ada", "@example.com", "ada@", "ada@example", "a@b@example.com", ".ada@example.com", "ada.@example.com", "a..b@example.com",
        "ada@-x.example", "ada@x-.example", "ada@.example", "ada@example..com", "ada@127.0.0.1", "ada@[127.0.0.1]", "\"a b\"@example.com",
        "ada@example.com\r\nBcc: x@y.example", "ada @example.com", "ada@exa mple.com", "ada\u{0}@example.com", "ada@exämple.com",
        "adá@example.com",
        "\u{212A}elvin@example.com", "ad\u{131}@example.com", "ada@example.com ", "<ada@example.com>", "ada@example.com,b@example.com",
        "=?utf-8?q?evil=40evil.example=3e?=foo@example.com", "a=?x?b?YQ@example.com",
        String(repeating: "a", count: 65) + "@example.com", "a@" + String(repeating: "a.", count: 130) + "com",
    ])
    func `is refused if mail servers or accounts could read it in two ways`(_ text: String) { #expect(EmailAddress(text) == nil) }

    @Test func `is masked down to its first letter`() throws {
        #expect(try #require(EmailAddress("ada@example.com")).masked == "a•••@example.com")
    }

    /// B8, the public list: its errors are errors here, and its valid addresses are valid here
    /// unless our policy is narrower (a domain of one label, or one that ends in a number).
    @Test(.enabled(if: Vectors.arePresent, "\(Vectors.absence)")) func `is judged like the public list`() throws {
        for entry in try Vectors.cases("email/isemail.json", under: "cases", as: Address.self) {
            switch entry.category {
            case "ISEMAIL_ERR": #expect(EmailAddress(entry.address) == nil, "\(entry)")
            case "ISEMAIL_VALID_CATEGORY", "ISEMAIL_DNSWARN":
                let domain = entry.address.split(separator: "@").last ?? ""
                let isNarrow = !domain.contains(".") || domain.split(separator: ".").last?.allSatisfy(\.isNumber) == true
                #expect((EmailAddress(entry.address) != nil) == !isNarrow, "\(entry)")
            default: break
            }
        }
    }

    private struct Address: Decodable {
        let address: String
        let category: String
    }
}
