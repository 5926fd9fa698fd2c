import AppLinks
import Base
import Testing

@Suite struct `An app link` {
    let apps: RegisteredApps
    let domains: [LinkDomain]
    let action =
        "https://auth.example.com/__/auth/action?lang=de&continueUrl=https%3A%2F%2Fapp.example.com%2F%3Fa%3D1%26mode%3Devil&mode=signIn&oobCode=C0de-_&apiKey=K"

    init() throws {
        apps = try RegisteredApps(
            apple: [
                AppleApp(bundleID: "com.example.ios", teamID: "ABCDE12345", appStoreID: "123456789", customSchemes: ["com.example.ios"]),
                AppleApp(bundleID: "com.example.pad", teamID: "ABCDE12345"),
            ],
            android: [AndroidApp(packageName: "com.example.android", sha256Fingerprints: [])])
        domains = [try LinkDomain("links.example.com"), try LinkDomain("localhost:9000")]
    }

    private func full() throws -> AppLink {
        var apple = AppLink.Apple(bundleID: "com.example.ios", appStoreID: "123456789", customScheme: "com.example.ios")
        apple.minimumVersion = "2.1"
        apple.fallback = try WebURL("https://ios.example.com/?a=1&b=2")
        apple.iPadBundleID = "com.example.pad"
        apple.iPadFallback = try WebURL("https://pad.example.com/")
        var link = AppLink(
            linkDomain: domains[0], link: try WebURL(action),
            android: .init(packageName: "com.example.android", minimumVersion: 12, fallback: try WebURL("https://play.example.com/#x")),
            apple: apple,
            elsewhere: try WebURL("https://desktop.example.com/ü"))
        link.skipsPage = true
        link.preview = .init(title: "Täglich & <neu>", description: "", image: try WebURL("https://img.example.com/a.png?b=c"))
        link.analytics = [
            .utmSource: "mail", .utmMedium: "e mail", .utmCampaign: "a&b=c", .utmTerm: "%41", .utmContent: "+", .gclid: "g", .at: "1",
            .ct: "2",
            .mt: "8", .pt: "\u{1F600}",
        ]
        link.asksForExplanation = true
        return link
    }

    @Test func `an app link has one canonical form`() throws {
        let link = AppLink(
            linkDomain: domains[0], link: try WebURL("https://a.example.com/x?y=1&z=%26#f"),
            android: .init(packageName: "com.example.android", minimumVersion: 12),
            apple: .init(bundleID: "com.example.ios", appStoreID: "123456789"))
        #expect(
            link.url.serialized
                == "https://links.example.com/__/auth/links?link=https%3A%2F%2Fa.example.com%2Fx%3Fy%3D1%26z%3D%2526%23f&apn=com.example.android&amv=12&ibi=com.example.ios&isi=123456789"
        )
        #expect(try WebURL(link.url.serialized) == link.url)
        var other = link
        other.form = .dynamicLinks
        #expect(other.url.serialized == link.url.serialized.replacing("/__/auth/links?", with: "/?"))
    }

    @Test func `an app link is parsed back from its URL, with all or minimal parts`() throws {
        let least = AppLink(linkDomain: domains[1], link: try WebURL("https://a.example.com"))
        #expect(least.url.serialized == "http://localhost:9000/__/auth/links?link=https%3A%2F%2Fa.example.com%2F")
        for var link in [try full(), least] {
            for form in AppLink.LinkForm.allCases {
                link.form = form
                #expect(try AppLink(link.url, on: domains, apps: apps) == link)
            }
        }
        #expect(try full().url.queryItems.map(\.name) == AppLink.Parameter.allCases.map(\.rawValue))
        #expect(try full().android?.installIfNotAvailable == false && AppLink.Android(packageName: "a.b").installIfNotAvailable)
    }

    @Test func `an app link lists all destinations to authorise`() throws {
        #expect(
            try full().destinations.compactMap { $0.url.host?.serialized } == [
                "auth.example.com", "play.example.com", "ios.example.com", "pad.example.com", "desktop.example.com",
            ])
        #expect(try full().destinations.map(\.parameter) == [.link, .afl, .ifl, .ipfl, .ofl])
    }

    /// Both SDKs must find the action link in an app link.
    @Test func `an app link contains the action link for the JavaScript and Apple SDKs`() throws {
        for url in [try full().url.serialized, "https://links.example.com/?link=" + WebURL.percentEncoded(action)] {
            for found in [ActionCodeURLReaders.javaScript(url), ActionCodeURLReaders.apple(url)] {
                #expect(found["mode"] == "signIn" && found["oobCode"] == "C0de-_")
                #expect(found["apiKey"] == "K")
            }
            #expect(ActionCodeURLReaders.javaScript(url)["continueUrl"] == "https://app.example.com/?a=1&mode=evil")
        }
    }

    @Test(
        arguments: [
            ("https://links.example.com/?link=https://a.example.com/x", .dynamicLinks),
            ("https://links.example.com?utm_id=m&link=https%3A%2F%2Fa.example.com%2Fx&unknown=1&unknown=2", .dynamicLinks),
            ("https://links.example.com/__/auth/links?link=https%3a%2f%2fA.example.com%2fx", .hosting),
            ("https://links.example.com/?amv=x&ius=y&link=https://a.example.com/x", .dynamicLinks),
        ] as [(String, AppLink.LinkForm)])
    func `an app link is parsed in both forms and any order, ignoring unknown parameters`(url: String, form: AppLink.LinkForm) throws {
        let link = try AppLink(WebURL(url), on: domains, apps: apps)
        var expected = AppLink(linkDomain: domains[0], link: try WebURL("https://a.example.com/x"))
        expected.form = form
        #expect(link == expected)
    }

    /// L6: mail programs escape ampersands, and a sentence may end after a link.
    @Test(arguments: [
        "?link=https%3A%2F%2Fa.example.com%2Fx&amp;apn=com.example.android&amp;amp;amv=7",
        "?amp;link=https://a.example.com/x&apn=com.example.android&amv=7.",
        "?apn=com.example.android.&amv=7..&link=https%3A%2F%2Fa.example.com%2Fx%20",
    ])
    func `an app link survives mail programs and sentences`(query: String) throws {
        let link = try AppLink(WebURL("https://links.example.com/__/auth/links" + query), on: domains, apps: apps)
        let android = AppLink.Android(packageName: "com.example.android", minimumVersion: 7)
        var expected = try AppLink(linkDomain: domains[0], link: WebURL("https://a.example.com/x"), android: android)
        expected.isMended = true
        #expect(link == expected)
    }

    /// L7: an escaped ampersand makes no second parameter of a name.
    @Test func `an app link is refused with a parameter twice, however its name was escaped`() {
        #expect(throws: AppLink.FormatError.duplicate(.link)) {
            try AppLink(
                WebURL("https://links.example.com/?link=https://a.example&amp;link=https://b.example"), on: domains, apps: apps)
        }
    }

    @Test func `an app link keeps a full stop at the end of a URL and of words`() throws {
        let link = try AppLink(
            WebURL("https://links.example.com/?link=https://a.example/x.&st=Sale.&utm_source=A.&pt=1."), on: domains, apps: apps)
        #expect(link.link.serialized == "https://a.example/x." && link.preview.title == "Sale.")
        #expect(link.analytics == [.utmSource: "A.", .pt: "1."])
    }

    /// R16: a mailed link has to find its page, also after its apps were removed.
    @Test(arguments: ["apn=com.evil&amv=3", "ibi=com.evil", "ibi=com.example.ios&isi=987", "ibi=com.example.ios&ius=evil"])
    func `an app link with a code leaves out apps that are not registered`(query: String) throws {
        let text = "https://links.example.com/?link=" + WebURL.percentEncoded(action) + "&" + query
        let link = try AppLink(WebURL(text), on: domains, apps: apps)
        #expect(link.android == nil && link.apple == nil && link.link.serialized == action)
        let other = try AppLink(WebURL(text + "&apn=com.example.android".prefix(query.hasPrefix("ibi") ? 99 : 0)), on: domains, apps: apps)
        #expect((other.android != nil) == query.hasPrefix("ibi"))
        #expect(throws: AppLink.FormatError.self) { try AppLink(WebURL(text.replacing("oobCode", with: "code")), on: domains, apps: apps) }
    }

    /// L7: parameters may come in any order, and one that comes twice with other values is refused.
    /// L8: a parameter is percent-decoded exactly once. R8: a scheme that runs script, or is
    /// unknown, never reaches a header, attribute or script. R14: app links use only registered
    /// package names, bundle ids and link domains.
    @Test(
        arguments: [
            ("https://links.example.com/", .missingLink), ("https://links.example.com/__/auth/links?apn=com.example.android", .missingLink),
            ("https://links.example.com/other?link=https://a.example", .notAnAppLink),
            ("https://links.example.com/__/auth/action?link=https://a.example", .notAnAppLink),
            ("https://a.links.example.com/?link=https://a.example", .notAnAppLink),
            ("http://links.example.com/?link=https://a.example", .notAnAppLink),
            ("https://links.example.com:8443/?link=https://a.example", .notAnAppLink),
            ("https://localhost:9000/?link=https://a.example", .notAnAppLink),
            ("https://links.example.com/?link=https://a.example&link=https://b.example", .duplicate(.link)),
            ("https://links.example.com/?link=https://a.example&%6cink=https://c.example", .duplicate(.link)),
            ("https://links.example.com/?link=https://a.example&apn=com.a&apn=com.b", .duplicate(.apn)),
            ("https://links.example.com/?link=", .invalidURL(.link, .empty)),
            ("https://links.example.com/?link=a.example", .invalidURL(.link, .missingScheme)),
            ("https://links.example.com/?link=javascript:alert(1)", .invalidURL(.link, .forbiddenScheme)),
            ("https://links.example.com/?link=https%253A%252F%252Fa.example", .invalidURL(.link, .missingScheme)),
            ("https://links.example.com/?link=com.example.ios://x", .notWeb(.link)),
            ("https://links.example.com/?link=https://a.example&ofl=data:x", .invalidURL(.ofl, .forbiddenScheme)),
            (
                "https://links.example.com/?link=https://a.example&apn=com.example.android&afl=intent://x",
                .invalidURL(.afl, .forbiddenScheme)
            ),
            ("https://links.example.com/?link=https://a.example&ibi=com.example.ios&ifl=com.example.ios://x", .notWeb(.ifl)),
            ("https://links.example.com/?link=https://links.example.com/?link=https://a.example", .nested(.link)),
            ("https://links.example.com/?link=http://localhost:9000/x", .nested(.link)),
            ("https://links.example.com/?link=https://a.example&ofl=https://links.example.com/short", .nested(.ofl)),
            (
                "https://links.example.com/?link=https://a.example&apn=com.example.android&afl=https://links.example.com/?link=https://a.example",
                .nested(.afl)
            ),
            ("https://links.example.com/?link=https://a.example&apn=com.evil", .unknownPackage("com.evil")),
            ("https://links.example.com/?link=https://a.example&apn=com.example.ANDROID", .unknownPackage("com.example.ANDROID")),
            ("https://links.example.com/?link=https://a.example&ibi=com.evil", .unknownBundle("com.evil")),
            ("https://links.example.com/?link=https://a.example&ibi=com.example.ios&ipbi=com.evil", .unknownBundle("com.evil")),
            ("https://links.example.com/?link=https://a.example&ibi=com.example.ios&ius=evil", .unknownScheme("evil")),
            ("https://links.example.com/?link=https://a.example&ibi=com.example.ios&isi=987", .malformed(.isi)),
            ("https://links.example.com/?link=https://a.example&ibi=com.example.pad&isi=123456789", .malformed(.isi)),
            ("https://links.example.com/?link=https://a.example&apn=com.example.android&amv=x", .malformed(.amv)),
            ("https://links.example.com/?link=https://a.example&apn=com.example.android&amv=-1", .malformed(.amv)),
        ] as [(String, AppLink.FormatError)])
    func `an app link is refused with the reason`(url: String, reason: AppLink.FormatError) {
        #expect(throws: reason) { try AppLink(WebURL(url), on: domains, apps: apps) }
        #expect(reason.explanation.hasSuffix("."))
    }

    /// R14: `onward dev` accepts every app, but no text that would change an `intent:` URL.
    @Test(arguments: ["apn", "ibi", "ibi=com.example.ios&ipbi"])
    func `an app link names an app that may exist, even where every app is accepted`(parameter: String) throws {
        func link(_ id: String) throws -> AppLink {
            let text = "https://links.example.com/?link=https://a.example&\(parameter)=" + WebURL.percentEncoded(id)
            return try AppLink(WebURL(text), on: domains, apps: .any)
        }
        _ = try link("com.example.other")
        for id in ["", "com.example;S.browser_fallback_url=https://evil.example", "com.example#Intent", "com.example\nx;y"] {
            #expect(throws: AppLink.FormatError.self) { try link(id) }
        }
    }

    /// Each parameter alone and all pairs, which must not disturb each other.
    @Test func `an app link keeps every parameter, alone and in pairs`() throws {
        let full = try full().url.queryItems.map { (name: $0.name, value: $0.value) }
        let needed: [String: [String]] = [
            "amv": ["apn"], "afl": ["apn"], "isi": ["ibi"], "ius": ["ibi"], "imv": ["ibi"], "ifl": ["ibi"], "ipbi": ["ibi"],
            "ipfl": ["ibi"],
        ]
        for first in full {
            for second in full {
                let names = Set([first, second].flatMap { [$0.name] + needed[$0.name, default: []] } + ["link"])
                let items = full.filter { names.contains($0.name) }
                for path in ["/", "/__/auth/links"] {
                    let url = try WebURL("https://links.example.com" + path).appending(query: items.reversed())
                    let link = try AppLink(url, on: domains, apps: apps)
                    #expect(link.url.queryItems.map(\.name) == items.map(\.name))
                    #expect(link.url.queryItems.map(\.value) == items.map(\.value))
                    #expect(try AppLink(link.url, on: domains, apps: apps) == link)
                }
            }
        }
    }

    @Test(arguments: ["efr=0", "efr=true", "d=0", "d=", "si=javascript:alert(1)", "si=x"])
    func `an app link ignores what is not a flag or an image`(item: String) throws {
        let link = try AppLink(
            WebURL("https://links.example.com/__/auth/links?link=https://a.example&" + item), on: domains, apps: apps)
        #expect(link == AppLink(linkDomain: domains[0], link: try WebURL("https://a.example")))
    }

    /// R16: a link that carries a code goes through no store, custom scheme or short link.
    @Test(arguments: [
        ("https://a.example/?oobCode=1", true), ("https://a.example/?x=https%3A%2F%2Fb.example%2F%3FOOBCODE%3D1", true),
        ("https://a.example/#oobCode=1", true), ("https://a.example/?code=1", false), ("https://a.example/?%6FobCode=1", true),
        ("https://a.example/?%6f%6Fb%43ode", true), ("https://a.example/?x=%256F%256f%2562Code", true),
        ("https://a.example/%6FobCode/", true), ("https://a.example/#%6FobCode", true), ("https://a.example/?x=%00%6FobCode", true),
        ("https://a.example/?oobCode%CC%81=1", true), ("https://a.example/?%CC%81oobCode=1", true),
        ("https://a.example/?x=%" + String(repeating: "25", count: 20) + "6FobCode", true),
        ("https://a.example/?oob+Code=1", false), ("https://a.example/?oob=Code", false), ("https://a.example/?x=100%2525", false),
    ])
    func `an app link knows whether it carries a code`(payload: String, carries: Bool) throws {
        #expect(try AppLink(linkDomain: domains[0], link: WebURL(payload)).carriesCode == carries)
    }

    @Test func `an app link may lead to the action page of its own domain`() throws {
        let link = AppLink(linkDomain: domains[0], link: try WebURL("https://links.example.com/__/auth/action?mode=signIn"))
        #expect(try AppLink(link.url, on: domains, apps: apps) == link)
    }
}

@Suite struct `A link domain` {
    @Test(arguments: [
        ("links.example.com", "https://links.example.com/__/auth/links"),
        ("LINKS.example.com:443", "https://links.example.com/__/auth/links"),
        ("localhost:9000", "http://localhost:9000/__/auth/links"), ("127.0.0.1", "http://127.0.0.1/__/auth/links"),
        ("[::1]:80", "http://[::1]/__/auth/links"),
    ])
    func `a link domain uses http for loopback hosts only`(authority: String, url: String) throws {
        #expect(try LinkDomain(authority).linksURL.serialized == url)
    }

    @Test(arguments: [
        "", "https://links.example.com", "links.example.com/", "links.example.com?x", "links.example.com/\u{301}", "a@b", "*.example.com",
        "links example.com",
    ])
    func `a link domain is refused unless it is host or host:port`(text: String) {
        #expect(throws: WebURL.ParseError.self) { try LinkDomain(text) }
    }
}
