import AppLinks
import Base
import Testing

@Suite struct `The path of a short link` {
    @Test(arguments: ["/a", "/aBcD", "/spring-sale_2.0~", "/share/aBcD", "/a/b/c/d", "/" + String(repeating: "a", count: 254)])
    func `has one to four plain segments`(path: String) { #expect(ShortLinkPath(path)?.text == path) }

    @Test(arguments: [
        "", "/", "a", "//", "/a/", "//a", "/a//b", "/a/b/c/d/e", "/" + String(repeating: "a", count: 255), "/a b", "/a%20b", "/ä", "/a?b",
        "/a#b",
        "/a\\b", "/a\n", "/.", "/..", "/a/..", "/a/.b", "/.well-known/assetlinks.json", "/__/auth/action", "/__x", "/favicon.ico",
        "/robots.txt",
        "/apple-app-site-association", "/v1/shortLinks", "/v2/x", "/metrics", "/healthz", "/readyz", "/openapi.json", "/onward.js",
        "/emulator/x",
        "/inbox/x",
        "/identitytoolkit/v3", "/www.googleapis.com/x", "/evil.example@x", "/a:b",
    ])
    func `is none of those that something else uses, or that need decoding`(path: String) { #expect(ShortLinkPath(path) == nil) }
}

@Suite struct `A visit of a short link` {
    private func link(_ query: String) throws -> AppLink {
        try AppLink(
            WebURL("https://links.example/?link=https%3A%2F%2Fapp.example%2F&" + query), on: [LinkDomain("links.example")], apps: .any)
    }

    @Test func `adds parameters of analytics that the link has not, and nothing else`() throws {
        let link = try link("utm_source=mail&st=Sale")
        let visited = link.visited(with: [
            ("utm_source", "evil"), ("utm_medium", "qr"), ("gclid", "1"), ("ct", "c"), ("gclid", "2"), ("link", "https://evil.example/"),
            ("amp;utm_content", "a"), ("apn", "com.evil"), ("afl", "https://evil.example/"), ("st", "Forged"),
            ("utm_term", String(repeating: "x", count: 501)),
        ])
        #expect(visited.analytics == [.utmSource: "mail", .utmMedium: "qr", .utmContent: "a", .gclid: "1", .ct: "c"])
        var same = visited
        same.analytics = link.analytics
        #expect(same == link)
    }

    @Test func `alone asks for an explanation`() throws {
        #expect(try link("").visited(with: [("d", "1")]).asksForExplanation)
        #expect(try !link("d=1").visited(with: []).asksForExplanation)
        #expect(try !link("d=1").visited(with: [("d", "2")]).asksForExplanation)
    }

    @Test func `of text that was put together is read as it was meant`() throws {
        let text = AppLink.text(
            on: "https://links.example", [(.link, "https://app.example/?a=1&b=ü#x"), (.apn, nil), (.st, "A & B + C"), (.utmSource, "q=1")])
        let link = try AppLink(WebURL(text), on: [LinkDomain("links.example")], apps: .none)
        #expect(link.link.serialized == "https://app.example/?a=1&b=%C3%BC#x")
        #expect(link.preview.title == "A & B + C" && link.analytics == [.utmSource: "q=1"])
        #expect(AppLink.text(on: "https://links.example/share/", [(.link, "x")]) == "https://links.example/share/?link=x")
    }
}

/// L6: a link survives its mail, and what mail programs and hands do to it.
@Suite struct `The path of a short link as mail programs leave it` {
    @Test(arguments: [
        "/a.", "/a)", "/a,", "/a%20", "/a%0D%0A", "/a%E2%80%9D", "/a%C2%A0", "/a>", "/a%3E.", "/a/", "/a//", "/a%2E", "/a</a>.",
    ])
    func `a short link is read without the text that was added to it`(path: String) {
        #expect(ShortLinkPath(mailed: path)?.text == (path == "/a</a>." ? nil : "/a"))
    }

    @Test(arguments: ["/a%62", "/a b", "/ä", "/%61", "/", "//", "/.", "", "/v1/", "/__x.", "/a%2Fb", "/a%C3%A9", "/aä"])
    func `the letters of a short link are not decoded`(path: String) { #expect(ShortLinkPath(mailed: path) == nil) }
}
