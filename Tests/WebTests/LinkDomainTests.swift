import Accounts
import AppLinks
import Base
import Foundation
import HTTPTypes
import Logging
import Testing
import Vectors
import World
@testable import Web

/// The page and the redirects behind app links, for each sort of device.
@Suite struct `An app link that opened in a browser` {
    static let agents = [
        "iphone":
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
        "mac": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
        "android": "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
        "desktop": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0",
        "program": "Slackbot-LinkExpanding 1.0",
    ]
    static let apps = "apn=com.example.shop&ibi=com.example.shop"

    private func visitor(logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) async throws -> Visitor {
        let world = try await World { $0.linkDomains.append(try LinkDomain("links.example.net")) }
        return try await Visitor(world, logger: logger)
    }

    private func open(_ query: String, on device: String, language: String = "en", path: String = "/__/auth/links") async throws
        -> Visitor.Reply
    {
        try await visitor().ask(
            .get, "\(path)?\(query)", host: "links.example",
            headers: [.userAgent: try #require(Self.agents[device]), .acceptLanguage: language])
    }

    private func targets(_ html: String) -> [String] {
        html.matches(of: #/<a (?:class="button[^"]*" )?href="([^"]*)"/#).map { String($0.1.replacing("&amp;", with: "&")) }
    }

    @Test(arguments: ["/", "/__/auth/links"]) func `offers the app, its store and the web on a phone`(path: String) async throws {
        let android = try await open("link=https://app.example/x&" + Self.apps, on: "android", path: path)
        #expect(android.status == 200 && android.text.contains("<h1>Continue in <bdi>Shop</bdi></h1>"))
        let ways = targets(android.text)
        #expect(ways.count == 3)
        #expect(
            ways.first?.hasPrefix("intent://links.example/__/auth/links?link=https%3A%2F%2Fapp.example%2Fx&apn=com.example.shop") == true)
        #expect(
            ways.dropFirst().first?.hasPrefix("https://play.google.com/store/apps/details?id=com.example.shop&referrer=link%3D") == true)
        #expect(ways.last == "https://app.example/x")

        let iPhone = try await open("link=https://app.example/x&" + Self.apps, on: "iphone", path: path)
        #expect(
            targets(iPhone.text) == [
                "https://links.example.net/__/auth/links?link=https%3A%2F%2Fapp.example%2Fx&apn=com.example.shop&ibi=com.example.shop&efr=1",
                "com.example.shop://google/link?deep_link_id=https%3A%2F%2Fapp.example%2Fx", "https://apps.apple.com/app/id123",
                "https://app.example/x",
            ])
        #expect(!iPhone.text.contains("data-url"))
    }

    @Test func `redirects desktops, and phones without an app`() async throws {
        #expect(try await open("link=https://app.example/x&" + Self.apps, on: "desktop").location == "https://app.example/x")
        #expect(try await open("link=https://app.example/x&ofl=https://app.example/pc", on: "desktop").location == "https://app.example/pc")
        for device in ["android", "iphone", "mac"] {
            #expect(try await open("link=https://app.example/x", on: device).location == "https://app.example/x")
        }
    }

    /// L7: programs of campaigns write parameters that are not well-formed.
    @Test(arguments: ["utm_campaign=50%", "unknown=%zz&utm_campaign=50%25"]) func `needs no parameter but its URLs to be well-formed`(
        more: String
    ) async throws {
        for path in ["/", "/__/auth/links"] {
            let reply = try await open("link=https%3A%2F%2Fapp.example%2Fsale&" + more, on: "desktop", path: path)
            #expect(reply.location == "https://app.example/sale?utm_campaign=50%25")
            #expect(try await open("link=https%3A%2F%2Fapp.example%2F50%&" + more, on: "desktop", path: path).status == 400)
        }
    }

    /// L6: a link survives its mail, and what mail programs and hands do to it.
    @Test(arguments: ["/", "/__/auth/links"]) func `survives a mail program that escapes ampersands`(path: String) async throws {
        let reply = try await open("apn=com.example.shop&amp;link=https%3A%2F%2Fapp.example%2Fx", on: "desktop", path: path)
        #expect(reply.location == "https://app.example/x")
    }

    /// Macs and iPads send the same fields; the page's script takes Macs to the web.
    @Test func `lets a script tell a Mac from an iPad`() async throws {
        let reply = try await open("link=https://app.example/x&ofl=https://app.example/mac&" + Self.apps, on: "mac")
        #expect(reply.status == 200 && reply.text.contains(#"<template id="desktop" data-url="https://app.example/mac"></template>"#))
    }

    @Test func `gets a page of its own for programs, without the words of the link`() async throws {
        let reply = try await open(
            "link=https://app.example/x&st=Forged&sd=Free+money&si=https://app.example/i.png&" + Self.apps, on: "program")
        #expect(reply.status == 200 && reply.location == nil)
        #expect(reply.text.contains(#"<meta property="og:title" content="Continue in Shop">"#))
        #expect(reply.text.contains(#"<meta property="og:site_name" content="Shop">"#))
        #expect(!reply.text.contains("Forged") || !reply.text.contains(#"content="Forged"#))
        #expect(targets(reply.text) == ["https://app.example/x"])
        #expect(try await !open("link=https://app.example/x&" + Self.apps, on: "android").text.contains("og:"))
    }

    /// Programs that obey `robots.txt` would show no preview. The page asks not to be indexed.
    @Test func `may be fetched for a preview`() async throws {
        let visitor = try await visitor()
        let rules = await visitor.ask(.get, "/robots.txt", host: "links.example").text
        #expect(rules == "User-agent: *\nAllow: /__/auth/links\nDisallow: /__/\n")
        let page = try await open("link=https://app.example/x&" + Self.apps, on: "program")
        #expect(page.text.contains(#"<meta name="robots" content="noindex">"#))
        for host in ["auth.example", "any.example"] {
            let others = await visitor.ask(.get, "/robots.txt", host: host).text
            #expect(others == "User-agent: *\nAllow: /.well-known/\nDisallow: /\n")
        }
    }

    /// A link with a code leads to its page; its language is the mail's.
    @Test(arguments: ["android", "iphone", "desktop", "mac", "program"])
    func `never takes a code through a store`(device: String) async throws {
        let visitor = try await visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        let action = "https://auth.example" + visitor.path(code, .verifyEmail, extra: "&lang=de")
        let agent = try #require(Self.agents[device])
        let reply = await visitor.ask(
            .get, "/__/auth/links?link=\(WebURL.percentEncoded(action))&\(Self.apps)&efr=0", host: "links.example",
            headers: [.userAgent: agent])
        for store in ["play.google.com", "apps.apple.com", "com.example.shop://"] { #expect(!reply.text.contains(store)) }
        #expect((reply.location ?? targets(reply.text).last) == action)
        if reply.status == 200 { #expect(reply.text.contains(#"<html lang="de""#)) }
    }

    /// C6: links are only looked at, whatever opens them.
    @Test func `uses no code, whatever program opens it`() async throws {
        let visitor = try await visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        let link =
            "/__/auth/links?link=" + WebURL.percentEncoded("https://auth.example" + visitor.path(code, .verifyEmail)) + "&" + Self.apps
        struct Named: Decodable { let ua: String? }
        let listed = Vectors.arePresent ? try Vectors.cases("ua/scanners-previews-inapp.json", under: "from_lists", as: Named.self) : []
        for agent in Array(Self.agents.values) + listed.compactMap(\.ua) + [""] {
            for method in [HTTPRequest.Method.get, .head, .options] {
                _ = await visitor.ask(method, link, host: "links.example", headers: [.userAgent: agent.filter(\.isASCII)])
            }
        }
        guard case .live = try await visitor.world.inspect(code) else { throw Spent() }
    }

    @Test(arguments: [
        ("link=https://evil.example/a", "It leads to <bdi dir=\"ltr\">evil.example</bdi>, which <bdi>Shop</bdi> has not approved"),
        ("link=https://app.example/&afl=https://evil.example/&apn=com.example.shop", "It leads to <bdi dir=\"ltr\">evil.example</bdi>"),
        (
            "link=https://app.example/&apn=com.evil.app",
            "It names the app <bdi dir=\"ltr\">com.evil.app</bdi>, which is not one of <bdi>Shop</bdi>."
        ),
        ("link=https://app.example/&apn=call+now", "It names an app or a place that is not approved"),
        ("link=https://app.example/&link=https://app.example/b", "It names an app or a place that is not approved"),
        ("apn=com.example.shop", "Mail programs sometimes cut long links"),
        ("link=javascript:alert(1)", "Mail programs sometimes cut long links"),
    ])
    func `is refused by a page that says why`(query: String, sentence: String) async throws {
        for device in ["android", "iphone", "desktop", "program"] {
            let reply = try await open(query, on: device)
            #expect(reply.status == 400 && reply.location == nil)
            #expect(reply.text.contains(sentence), "\(reply.text)")
            #expect(!reply.text.contains("com.evil\"") && !reply.text.contains("href=\"https://evil") && !reply.text.contains("call now"))
        }
    }

    @Test func `is refused with an explanation in the log, without the link`() async throws {
        let lines = Lines()
        let visitor = try await visitor(logger: lines.logger)
        _ = await visitor.ask(.get, "/?link=https://evil.example/?oobCode=S3cret&apn=com.example.shop", host: "links.example")
        _ = await visitor.ask(.get, "/?link=https://app.example/&apn=S3cret", host: "links.example")
        _ = await visitor.ask(.get, "/?link=https://app.example/&ibi=com.example.shop&ius=S3cret:", host: "links.example")
        #expect(!lines.text.contains("S3cret"))
        let line = try #require(lines.text.split(separator: "\n").first { $0.contains("app link refused") })
        #expect(line.contains("The parameter link is refused. No authorised domain covers evil.example"))
        #expect(line.contains("would") && line.contains("project=shop"))
    }

    @Test func `explains itself with d=1`() async throws {
        let reply = try await open("link=https://app.example/x&d=1&" + Self.apps, on: "android")
        #expect(reply.status == 200 && reply.location == nil)
        let headings = reply.text.matches(of: #/<h2>(.*?)<\/h2>/#).map { String($0.1) }
        #expect(headings.first?.hasPrefix("Android (this device)") == true)
        let devices = headings.flatMap { $0.split(separator: " · ") }.map { $0.replacing(" (this device)", with: "")[...] }.map(String.init)
        #expect(devices.count == LinkDevice.examples.count && Set(devices) == Set(LinkDevice.examples.map(\.device.title)))
        // Devices with the same decision are told once.
        #expect(headings.count < devices.count)
        #expect(targets(reply.text).isEmpty && !reply.text.contains("<script"))
        let refused = try await open("link=https://evil.example/&d=1", on: "android")
        #expect(refused.status == 400 && refused.text.contains("No authorised domain covers evil.example"))
    }

    /// P3: nothing but that page may load a manifest.
    @Test func `tells Chrome of the versions that are too old`() async throws {
        let world = try await World {
            $0.apps = try RegisteredApps(android: [
                AndroidApp(packageName: "com.example.shop", sha256Fingerprints: [], versionCodes: [#"1 "0"#: 10, "2.0": 20])
            ])
        }
        let visitor = try await Visitor(world)
        func open(_ query: String, host: String = "links.example", path: String = "/__/auth/links") async throws -> Visitor.Reply {
            await visitor.ask(.get, path + query, host: host, headers: [.userAgent: try #require(Self.agents["android"])])
        }
        let page = try await open("?link=https://app.example/x&apn=com.example.shop&amv=20")
        #expect(page.text.contains(#"<link rel="manifest" href="/__/auth/apps.webmanifest">"#))
        #expect(page.text.contains(#"data-app="com.example.shop" data-versions="[&quot;1 \&quot;0&quot;]""#))
        #expect(page.response.headerFields[.contentSecurityPolicy]?.contains("manifest-src 'self';") == true)
        let other = try await open("?link=https://app.example/x&apn=com.example.shop&amv=10")
        #expect(!other.text.contains("manifest") && !other.text.contains("outdated"))
        #expect(other.response.headerFields[.contentSecurityPolicy]?.contains("manifest") == false)

        let manifest = try await open("", path: "/__/auth/apps.webmanifest")
        #expect(manifest.text == #"{"related_applications":[{"platform":"play","id":"com.example.shop"}]}"#)
        #expect(manifest.response.headerFields[.contentType] == "application/manifest+json")
        #expect(try await open("", host: "auth.example", path: "/__/auth/apps.webmanifest").status == 404)
    }

    @Test func `is shown in another language without losing a parameter`() async throws {
        let reply = try await open("link=https://app.example/x?a%26b&utm_source=m&x=1&lang=ar&" + Self.apps, on: "android", language: "de")
        #expect(reply.text.contains(#"<html lang="ar" dir="rtl""#) && reply.text.contains(#"action="/__/auth/links""#))
        for field in ["link", "apn", "ibi", "utm_source"] { #expect(reply.text.contains("name=\"\(field)\"")) }
        #expect(!reply.text.contains(#"name="x""#))
    }
}
