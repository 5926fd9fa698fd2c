import Accounts
import Base
import Testing

@Suite struct `The authorised domains` {
    private let domains: AuthorizedDomains

    init() throws {
        domains = try AuthorizedDomains(
            [
                "app.allowed.example", "=only.example", "ports.example:8443", "any.example:*", "localhost", "127.0.0.2:9000", "[::1]",
                "192.0.2.1",
                "bücher.example", "=intranet", "MiXed.example",
            ],
            schemes: ["com.example.app"], plainHTTP: ["plain.example", "=intranet:8080"])
    }

    /// R1: a link to continue leads only to a scheme and host that the project authorises.
    @Test(arguments: [
        "https://app.allowed.example", "https://APP.allowed.example:443/x?y#z", "https://a.b.app.allowed.example",
        "https://only.example/", "https://ports.example:8443", "https://sub.ports.example:8443", "https://any.example",
        "https://any.example:1",
        "http://localhost", "http://localhost:3000/x", "https://localhost:3000", "http://127.0.0.2:9000", "http://[::1]:5173/",
        "https://192.0.2.1",
        "https://bücher.example", "https://xn--bcher-kva.example", "https://shop.bücher.example", "https://intranet",
        "http://intranet:8080",
        "https://mixed.example", "http://plain.example", "http://a.plain.example:80", "com.example.app://welcome/x?y",
        "com.example.app:///",
        "COM.example.app://x", "https://app.allowed.example/https://evil.example", "https://app.allowed.example?@evil.example",
        "https://app.allowed.example//evil.example",
    ])
    func `allow URLs that an entry covers`(url: String) throws {
        #expect(try domains.authorize(url).url == WebURL(url))
    }

    /// Phones, emulators and containers of a developer.
    @Test(arguments: [
        ("http://192.168.1.5:3000", true), ("http://10.0.2.2:3000", true), ("http://172.17.0.1", true), ("http://app.localhost:3000", true),
        ("http://host.docker.internal:3000", true), ("http://ada.local:3000", true), ("https://[fd00::1]:3000", true),
        ("http://172.32.0.1", false), ("http://8.8.8.8", false), ("http://app.localhost.example", false), ("http://xlocal", false),
    ])
    func `private hosts are authorised in development only`(url: String, isPrivate: Bool) throws {
        #expect((try? domains.authorize(url)) == nil)
        var lax = domains
        lax.acceptsPrivateHosts = true
        #expect(((try? lax.authorize(url)) != nil) == isPrivate)
    }

    /// R1, R3, R6-R8: The suggested entry allows the URL once it is in the list that the
    /// explanation names.
    @Test(
        arguments: [
            (
                "https://app.allowed.example.evil.example",
                .notListed(host: "app.allowed.example.evil.example", entryThatWouldAllow: "app.allowed.example.evil.example")
            ),
            ("https://xapp.allowed.example", .notListed(host: "xapp.allowed.example", entryThatWouldAllow: "xapp.allowed.example")),
            ("https://allowed.example", .notListed(host: "allowed.example", entryThatWouldAllow: "allowed.example")),
            ("https://www.only.example", .notListed(host: "www.only.example", entryThatWouldAllow: "www.only.example")),
            ("https://app.allowed.example:8443", .notListed(host: "app.allowed.example", entryThatWouldAllow: "app.allowed.example:8443")),
            ("https://app.allowed.example:80", .notListed(host: "app.allowed.example", entryThatWouldAllow: "app.allowed.example:80")),
            ("https://ports.example", .notListed(host: "ports.example", entryThatWouldAllow: "ports.example")),
            ("https://ports.example:8444", .notListed(host: "ports.example", entryThatWouldAllow: "ports.example:8444")),
            ("https://127.0.0.1", .notListed(host: "127.0.0.1", entryThatWouldAllow: "127.0.0.1")),
            ("http://127.0.0.1:3000", .notListed(host: "127.0.0.1", entryThatWouldAllow: "127.0.0.1")),
            ("http://127.0.0.2:9001", .notListed(host: "127.0.0.2", entryThatWouldAllow: "127.0.0.2")),
            ("http://app.localhost", .scheme("http", entryThatWouldAllow: "app.localhost")),
            ("https://192.0.2.1:8443", .notListed(host: "192.0.2.1", entryThatWouldAllow: "192.0.2.1:8443")),
            ("https://[::2]", .notListed(host: "[::2]", entryThatWouldAllow: "[::2]")),
            ("https://a.intranet", .notListed(host: "a.intranet", entryThatWouldAllow: "a.intranet")),
            ("https://printer", .notListed(host: "printer", entryThatWouldAllow: "=printer")),
            ("https://github.io", .notListed(host: "github.io", entryThatWouldAllow: nil)),
            ("http://app.allowed.example", .scheme("http", entryThatWouldAllow: "app.allowed.example")),
            ("http://intranet", .scheme("http", entryThatWouldAllow: "=intranet")),
            ("https://plain.example", .notListed(host: "plain.example", entryThatWouldAllow: "plain.example")),
            ("http://evil.example", .scheme("http", entryThatWouldAllow: "evil.example")),
            ("org.example.other://x", .scheme("org.example.other", entryThatWouldAllow: nil)),
            ("javascript://app.allowed.example/%0aalert(1)", .unreadable(.forbiddenScheme)),
            (#"https://evil.example\@app.allowed.example"#, .unreadable(.backslash)),
            ("https://app.allowed.example@evil.example", .unreadable(.userInfo)),
            ("https://app.allowed.example.", .unreadable(.trailingDot)),
            ("https://0x7f.2", .unreadable(.numericHost)),
            ("//app.allowed.example", .unreadable(.missingScheme)),
        ] as [(String, AuthorizedDomains.NotAuthorized)])
    func `refuse other URLs, with the reason and the entry that would allow them`(url: String, reason: AuthorizedDomains.NotAuthorized)
        throws
    {
        #expect(throws: reason) { try domains.authorize(url) }
        #expect(domains.explain(url) == .refused(reason))
        switch reason {
        case .notListed(let host, let entry?):
            #expect(reason.explanation.contains(host) && reason.explanation.contains(entry))
            _ = try AuthorizedDomains([entry]).authorize(url)
            #expect(domains.explain(url).addition.map { $0 == ("authorizedDomains", entry) } == true)
        case .scheme(_, let entry?):
            _ = try AuthorizedDomains([], plainHTTP: [entry]).authorize(url)
            #expect(domains.explain(url).addition.map { $0 == ("plainHTTPDomains", entry) } == true)
        case .scheme(let scheme, nil):
            _ = try AuthorizedDomains([], schemes: [scheme]).authorize(url)
        case .unreadable(let error):
            #expect(reason.explanation == error.explanation)
        case .notListed:
            #expect(domains.explain(url).addition == nil)
        }
    }

    @Test(arguments: [
        ("https://www.app.allowed.example/a", "app.allowed.example"), ("https://only.example", "=only.example"),
        ("https://any.example:5", "any.example:*"),
        ("http://plain.example", "plain.example"), ("com.example.app://x", "com.example.app://"),
    ])
    func `name the rule that allows a URL`(url: String, rule: String) throws {
        #expect(domains.explain(url) == .allowed(try domains.authorize(url), by: rule))
        #expect(domains.explain(url).sentence.contains("\"\(rule)\""))
    }

    /// R13: entries of authorised domains are checked at start.
    @Test(
        arguments: [
            ("https://example.com", .scheme, "example.com"), ("http://example.com:8080/path", .scheme, "example.com:8080"),
            ("example.com/path", .path, "example.com"),
            ("example.com/", .path, "example.com"), ("example.com?x", .path, "example.com"), ("*.example.com", .wildcard, "example.com"),
            (".example.com", .wildcard, "example.com"), ("*", .wildcard, nil), ("app-*.example.com", .wildcard, nil),
            ("*example.com:80", .wildcard, nil),
            ("10.0.0.0/8", .range, nil), ("[2001:db8::]/32", .range, nil), ("10.0.0.*", .wildcard, nil),
            ("user@example.com", .userInfo, "example.com"),
            ("::1", .bareIPv6, "[::1]"), ("2001:db8::1", .bareIPv6, "[2001:db8::1]"), ("example.com:", .port, nil),
            ("example.com:0", .port, nil),
            ("example.com:http", .port, nil), ("example.com:+80", .port, nil), ("example.com:65536", .port, nil), ("[::1]:x", .port, nil),
            ("com", .publicSuffix, nil),
            ("co.uk", .publicSuffix, nil),
            ("=co.uk", .publicSuffix, nil), ("github.io", .publicSuffix, nil), ("web.app:443", .publicSuffix, nil),
            ("kawasaki.jp", .publicSuffix, nil),
            ("公司.cn", .publicSuffix, nil), ("intranet", .topLevel, "=intranet"), ("intranet:8080", .topLevel, "=intranet:8080"),
            ("", .unreadable(.missingHost), nil), ("=", .unreadable(.missingHost), nil), ("example.com.", .unreadable(.trailingDot), nil),
            ("exa mple.com", .unreadable(.whitespace), nil), ("example..com", .unreadable(.emptyLabel), nil),
            ("0x7f.1", .unreadable(.numericHost), nil),
            ("example.com/\u{301}", .unreadable(.hostCharacter), nil), ("example.com#\u{301}", .unreadable(.hostCharacter), nil),
            ("example.com:443\u{301}", .port, nil), ("==example.com", .unreadable(.hostCharacter), nil),
            (#"example.com\"#, .unreadable(.backslash), nil),
        ] as [(String, AuthorizedDomains.BadEntry.Reason, String?)])
    func `refuse an entry that is ambiguous or too wide`(entry: String, reason: AuthorizedDomains.BadEntry.Reason, instead: String?) {
        for make in [{ try AuthorizedDomains([entry]) }, { try AuthorizedDomains([], plainHTTP: [entry]) }] {
            let error = #expect(throws: AuthorizedDomains.BadEntry.self) { try make() }
            #expect(error?.entry == entry && error?.reason == reason)
            #expect(error?.instead == instead)
            #expect(error?.explanation.contains("\"\(entry)\"") == true && error?.explanation.hasSuffix(".") == true)
        }
    }

    /// R8: The configuration cannot allow these schemes either.
    @Test(arguments: [
        "javascript", "data", "intent", "file", "https", "http", "", "my app", "app:", "app://", "1app", "äpp", "MyApp", "app://x/",
    ])
    func `refuse a custom scheme that leads elsewhere than into an app`(scheme: String) {
        #expect(throws: AuthorizedDomains.BadEntry.self) { try AuthorizedDomains([], schemes: [scheme]) }
    }

    /// R8: also in development.
    @Test func `allow the scheme of every app, and no other URL, if they are told to`() throws {
        var domains = self.domains
        domains.acceptsEveryAppScheme = true
        #expect(try domains.authorize("myapp://welcome?a=b").serialized == "myapp://welcome?a=b")
        for url in ["javascript:alert(1)", "javascript://x", "intent://x", "https://evil.example", "http://app.allowed.example"] {
            #expect(throws: AuthorizedDomains.NotAuthorized.self) { try domains.authorize(url) }
        }
    }

    @Test func `allow nothing if the list is empty`() throws {
        let none = try AuthorizedDomains([])
        for url in ["https://example.com", "http://localhost", "myapp://x"] {
            #expect(throws: AuthorizedDomains.NotAuthorized.self) { try none.authorize(url) }
        }
    }

    /// R9: a continue URL is authorised again when it is used. R2: other readers find the same host
    /// in the URL that Onward emits.
    @Test func `keep the host when parameters are added`() throws {
        let url = try domains.authorize("https://app.allowed.example/a?mode=x#f").appending(query: [("mode", "@evil.example")])
        #expect(url.serialized == "https://app.allowed.example/a?mode=%40evil.example#f")
    }
}
