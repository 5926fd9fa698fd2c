import Accounts
import AppLinks
import Base
import HTTPTypes
import Logging
import Store
import Testing
import World
@testable import Web

@Suite struct `A short link that is opened` {
    private static let agents = `An app link that opened in a browser`.agents

    private func visitor(
        _ query: String = "&apn=com.example.shop&ibi=com.example.shop",
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) async throws -> (Visitor, ShortLink) {
        let visitor = try await Visitor(World(), logger: logger)
        let world = visitor.world
        let link = "https://links.example/?link=https://app.example/x" + query
        let proposal = try world.project.propose(shortLinkTo: link, at: world.clock.now())
        return (visitor, try await world.accounts.shortLinks.create(proposal, at: try #require(ShortLinkPath("/share/aBcD"))))
    }

    private func open(_ visitor: Visitor, _ path: String, on device: String = "desktop", host: String = "links.example") async throws
        -> Visitor.Reply
    {
        await visitor.ask(.get, path, host: host, headers: [.userAgent: try #require(Self.agents[device])])
    }

    @Test func `leads each device where its long link does`() async throws {
        let (visitor, _) = try await visitor()
        #expect(try await open(visitor, "/share/aBcD").location == "https://app.example/x")
        let android = try await open(visitor, "/share/aBcD", on: "android")
        #expect(android.status == 200 && android.text.contains("intent://links.example/__/auth/links?link=https%3A%2F%2Fapp.example%2Fx"))
        #expect(try await open(visitor, "/share/aBcD?d=1").text.contains("it goes to link"))
    }

    @Test(arguments: ["/share/abcd", "/share", "/aBcD", "/share//aBcD", "/share/aBc%44", "/other"])
    func `differs from every other path`(path: String) async throws {
        let (visitor, _) = try await visitor()
        let reply = try await open(visitor, path)
        #expect(reply.status == 404 && reply.location == nil && reply.text.contains("<h1>"))
    }

    /// L6: a link survives its mail, and what mail programs and hands do to it.
    @Test(arguments: ["/share/aBcD/", "/share/aBcD.", "/share/aBcD%20", "/share/aBcD%0D%0A", "/share/aBcD)"])
    func `a short link opens with text that was added to it`(path: String) async throws {
        let (visitor, _) = try await visitor()
        #expect(try await open(visitor, path).location == "https://app.example/x")
    }

    @Test func `a short link may end in a full stop`() async throws {
        let (visitor, _) = try await visitor()
        let proposal = try visitor.world.project.propose(
            shortLinkTo: "https://links.example/?link=https://app.example/dot", at: visitor.world.clock.now())
        _ = try await visitor.world.accounts.shortLinks.create(proposal, at: try #require(ShortLinkPath("/share/aBcD.")))
        #expect(try await open(visitor, "/share/aBcD.").location == "https://app.example/dot")
        #expect(try await open(visitor, "/share/aBcD").location == "https://app.example/x")
        #expect(try await open(visitor, "/share/aBcD..").location == "https://app.example/x")
    }

    @Test func `works on its own host only, and for reading only`() async throws {
        let (visitor, _) = try await visitor()
        #expect(try await open(visitor, "/share/aBcD", host: "auth.example").status == 404)
        #expect(try await open(visitor, "/share/aBcD", host: "evil.example").status == 421)
        #expect(await visitor.ask(.post, "/share/aBcD", host: "links.example").status == 405)
    }

    @Test func `ends when it is disabled, or its app or its domain is removed`() async throws {
        let (visitor, link) = try await visitor()
        #expect(try await open(visitor, "/share/aBcD").status == 303)
        _ = try await visitor.world.store.disable(link, at: visitor.world.clock.now())
        // Its redirect is remembered for a second.
        try await eventually("the link ends") { try await open(visitor, "/share/aBcD").status == 404 }
        _ = try await visitor.world.store.disable(link, at: nil)
        #expect(try await open(visitor, "/share/aBcD").status == 303)
    }

    @Test func `leads where it leads, however often and on whatever device it was opened before`() async throws {
        let (visitor, _) = try await visitor("&apn=com.example.shop")
        for _ in 1...3 {
            #expect(try await open(visitor, "/share/aBcD").location == "https://app.example/x")
            #expect(try await open(visitor, "/share/aBcD", on: "android").status == 200)
            #expect(try await open(visitor, "/share/aBcD", on: "program").status == 200)
            #expect(try await open(visitor, "/share/aBcD?utm_source=a").location == "https://app.example/x?utm_source=a")
            #expect(try await open(visitor, "/share/aBcD?d=1").status == 200)
            #expect(try await open(visitor, "/share/aBcD", host: "auth.example").status == 404)
        }
    }

    /// R1, R17: nothing but analytics comes from the URL that is opened.
    @Test func `is no open redirect`() async throws {
        let (visitor, _) = try await visitor()
        let hostile =
            "link=https://evil.example/&ofl=https://evil.example/&afl=https://evil.example/&apn=com.evil&utm_source=mail&st=Forged"
        #expect(try await open(visitor, "/share/aBcD?" + hostile).location == "https://app.example/x?utm_source=mail")
        for device in Self.agents.keys { #expect(try await !open(visitor, "/share/aBcD?" + hostile, on: device).text.contains("evil")) }
    }

    @Test func `shows the preview that was stored, and no other`() async throws {
        let (visitor, _) = try await visitor("&st=Sale&sd=Today&si=https://cdn.example/i.png")
        let page = try await open(visitor, "/share/aBcD?st=Forged&si=https://evil.example/i.png", on: "program").text
        #expect(page.contains(#"<meta property="og:title" content="Sale">"#) && page.contains(#"content="https://cdn.example/i.png">"#))
        #expect(!page.contains("Forged") && !page.contains("evil"))
    }

    @Test(arguments: [("svg", "image/svg+xml", "<svg "), ("png", "image/png", "\u{fffd}PNG")])
    func `has a QR code`(format: String, type: String, start: String) async throws {
        let (visitor, _) = try await visitor()
        let reply = try await open(visitor, "/share/aBcD?qr=\(format)&utm_source=x")
        #expect(reply.status == 200 && reply.response.headerFields[.contentType] == type && reply.text.hasPrefix(start))
        #expect(reply.response.headerFields[.cacheControl] == "public, max-age=31536000, immutable")
        #expect(try await open(visitor, "/share/none?qr=\(format)").status == 404)
        #expect(try await open(visitor, "/share/aBcD?qr=gif").status == 303)
    }

    /// O1: the holder of a path has the link.
    @Test func `is not named in the log`() async throws {
        let lines = Lines()
        let (visitor, _) = try await visitor(logger: lines.logger)
        _ = try await open(visitor, "/share/aBcD")
        _ = await visitor.ask(.post, "/share/aBcD", host: "links.example")
        #expect(lines.text.contains("(short link)") && !lines.text.contains("aBcD"))
    }

    /// R18: visits are counted by day and sort of device, without anything about the visitor.
    @Test func `is counted by platform, and not for programs`() async throws {
        let world = try await World()
        let counter = ShortLinkCounter()
        let views = try Visitor.views.get()
        let projects = Projects([world.project])
        let site = Site(
            mode: .production(Site.Production(audit: Audit(store: world.store) { _, _ in }) { _ in nil }),
            origin: try WebURL("https://auth.example"), projects: world.current(projects), accounts: try await world.signedAccounts(),
            views: views, brands: try Brands(projects, views: views), credentials: NoProviders(),
            helperPages: NoHelperPages(), textMessages: NoTextMessages(),
            secrets: world.secrets,
            countVisit: { counter.count($0) }, ready: {}, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let proposal = try world.project.propose(
            shortLinkTo: "https://links.example/?link=https://app.example/x&apn=com.example.shop", at: world.clock.now())
        let link = try await world.accounts.shortLinks.create(proposal, at: try #require(ShortLinkPath("/a")))
        for (method, path, device) in [
            (HTTPRequest.Method.get, "/a", "android"), (.get, "/a", "desktop"), (.get, "/a", "desktop"), (.get, "/a", "program"),
            (.head, "/a", "desktop"), (.get, "/a?d=1", "desktop"), (.get, "/a?qr=svg", "desktop"), (.get, "/b", "desktop"),
        ] {
            var request = HTTPRequest(method: method, scheme: "https", authority: "links.example", path: path)
            request.headerFields[.userAgent] = Self.agents[device]
            _ = await site.respond(to: request, [], from: "192.0.2.7", through: .front)
        }
        func visit(_ platform: ShortLinkVisit.DeviceKind, _ event: ShortLinkVisit.Event) -> ShortLinkVisit {
            ShortLinkVisit(link: link.id, day: ShortLinkVisit.day(of: world.clock.now()), platform: platform, event: event)
        }
        #expect(counter.take() == [visit(.android, .click): 1, visit(.desktop, .click): 2, visit(.desktop, .redirect): 2])
    }
}
