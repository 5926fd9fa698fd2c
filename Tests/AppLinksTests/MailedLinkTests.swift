import AppLinks
import Base
import Testing

/// Links of apps as mail programs and hands leave them (L6).
@Suite struct `An app link that was changed on its way` {
    private static let code = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE"
    private static let inner =
        "https://auth.example/__/auth/action?lang=en&continueUrl=https%3A%2F%2Fapp.example%2F&apiKey=k&mode=signIn&oobCode=" + code
    private static let start = "https://links.example/__/auth/links?link="
    private static let end = "&apn=com.example.app&amv=7&efr=1"

    private func read(_ text: String) throws -> AppLink {
        let (page, query) = try WebURL.split(link: text)
        return try AppLink(page, query: query, on: [LinkDomain("links.example")], apps: .any)
    }

    private static let ends: [String] = [
        end + ".", end + ")", end + "%20", end + "%0D%0A", end + "=0A", end + "</a>", end.replacing("&", with: "&amp;"),
        end.replacing("&", with: "&amp;amp;"), end.replacing("com.example", with: "com.%0D%0Aexample"),
    ]

    @Test(arguments: ends) func `a changed app link is read as it was sent`(end: String) throws {
        let link = try read(Self.start + WebURL.percentEncoded(Self.inner) + end)
        var expected = try read(Self.start + WebURL.percentEncoded(Self.inner) + Self.end)
        #expect(link.isMended && !expected.isMended)
        expected.isMended = true
        #expect(link == expected)
    }

    /// The parameters of the inner link lie beside it.
    @Test(arguments: ["", end, ".", "%0A"]) func `an app link that was decoded once gets its inner parameters back`(end: String) throws {
        let link = try read(Self.start + Self.inner + end)
        #expect(
            link.link.queryItems.map { "\($0)=\($1)" } == [
                "lang=en", "continueUrl=https://app.example/", "apiKey=k", "mode=signIn", "oobCode=" + Self.code,
            ])
        #expect(link.isMended && link.carriesCode)
    }

    @Test func `an app link is read if its query was encoded twice`() throws {
        let query = "link=" + WebURL.percentEncoded(Self.inner) + Self.end
        let link = try read("https://links.example/__/auth/links?" + WebURL.percentEncoded(query) + "&data=05%7C02")
        #expect(link.link.serialized == Self.inner && link.android?.packageName == "com.example.app")
    }

    /// Only an action page gets them, and none that has a code.
    @Test(arguments: [
        "https://app.example/x?a=1&oobCode=" + code + "&mode=signIn", inner.replacing("&", with: "%26") + "&oobCode=other",
    ])
    func `a link that is not an action link takes no parameters from beside it`(link: String) throws {
        let read = try read(Self.start + link)
        #expect(!read.link.serialized.contains("other") && read.link.queryItems.count { $0.name == "oobCode" } <= 1)
        if link.hasPrefix("https://app.example") { #expect(read.link.serialized == "https://app.example/x?a=1") }
    }
}

@Suite struct `The target of a request for a link` {
    @Test(
        arguments: [
            ("/__/auth/action?a=b", nil), ("/__/auth/action/?a=b", "/__/auth/action?a=b"), ("//__/auth/action?a=b", "/__/auth/action?a=b"),
            ("/__/auth//action//?a=b", "/__/auth/action?a=b"), ("/__/auth/action%3Fa=b", "/__/auth/action?a=b"),
            ("/__/auth/action%3fa%3Db&c=d", "/__/auth/action?a%3Db&c=d"), ("/__/auth/action%3Fa%3Db?c=d", "/__/auth/action?a%3Db&c=d"),
            ("/__/auth/links/?link=x", "/__/auth/links?link=x"), ("//?link=x", "/?link=x"), ("/%3Flink%3Dx", "/?link%3Dx"), ("/", nil),
            ("/?link=x", nil), ("/__/auth/action/", nil), ("//healthz?a", nil), ("/healthz/?a", nil), ("/__/auth/reset/?a", nil),
            ("/__/auth/action/x?a", nil), ("/a%3Fb", nil), ("//evil.example/__/auth/action?a", nil),
        ] as [(String, String?)])
    func `a request target is changed only if it is that of a link`(sent: String, text: String?) {
        let target = MailedTarget(sent)
        #expect(target.text == text ?? sent && target.isMended == (text != nil))
    }
}
