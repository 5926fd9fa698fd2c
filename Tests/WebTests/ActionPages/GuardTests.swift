import Accounts
import AppLinks
import Base
import HTTPTypes
import Testing
import World
@testable import Web

@Suite struct `A form` {
    /// X1, X11: a form with one field more is not even decoded.
    @Test(arguments: [(63, true), (64, false), (1_000_000, false)])
    func `has sixty-four fields at most`(separators: Int, isTaken: Bool) {
        let head = HTTPRequest(
            method: .post, scheme: nil, authority: nil, path: "/", headerFields: [.contentType: "application/x-www-form-urlencoded"])
        let body = Array(Array(repeating: "a=1", count: separators + 1).joined(separator: "&").utf8)
        let request = Request(head: head, bodyLength: body.count, peer: "192.0.2.1", id: "", listener: .front).reading(body)
        #expect(request.form?.count == (isTaken ? 64 : nil))
    }

    /// X1: each part of a request has a limit, exact to one.
    @Test(arguments: [(0, 303), (1, 413)]) func `has a body of at most 64 KB`(excess: Int, status: Int) async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        let token = try #require(Form(await visitor.open(code, .verifyEmail).text)?.fields.first { $0.0 == "token" }?.1)
        let body = "mode=verifyEmail&apiKey=shop-key&oobCode=\(code.text)&token=\(token)&more="
        let padding = String(repeating: "x", count: (64 << 10) - body.utf8.count + excess)
        let reply = await visitor.ask(.post, "/__/auth/action", body: body + padding)
        #expect(reply.status == status)
    }

    /// P1: a form is only accepted from a page of ours that was shown for this link lately.
    @Test(arguments: ["missing", "forged", "old", "of another link", "of another mode", "cross-site", "of another origin"])
    func `is refused when it is`(_ flaw: String) async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        let other = try #require(try await visitor.world.send(.verifyEmail))
        let page = await visitor.open(code, .verifyEmail)
        let token = try #require(Form(page.text)?.fields.first { $0.0 == "token" }?.1)
        let foreign = try #require(Form(await visitor.open(other, .verifyEmail).text)?.fields.first { $0.0 == "token" }?.1)
        var sent: String? = token
        var headers: [HTTPField.Name: String] = [.secFetchSite: "same-origin", .origin: "null"]
        var mode = "verifyEmail"
        switch flaw {
        case "missing": sent = nil
        case "forged": sent = String(token.dropLast(4)) + "AAAA"
        case "old": visitor.world.clock.advance(by: .hours(1))
        case "of another link": sent = foreign
        case "of another mode": mode = "recoverEmail"
        case "cross-site": headers[.secFetchSite] = "cross-site"
        default: headers = [.origin: "https://evil.example"]
        }
        let body = "mode=\(mode)&apiKey=shop-key&oobCode=\(code.text)" + (sent.map { "&token=\($0)" } ?? "")
        let reply = await visitor.ask(.post, "/__/auth/action", body: body, headers: headers)
        #expect(reply.status == 403)
        #expect(reply.title == (flaw == "old" ? "This page was open for too long" : "That did not work"))
        guard case .live = try await visitor.world.inspect(code) else { throw Spent() }
    }

    /// P1: forms sent as text/plain, and JSON from a page of another site.
    @Test(arguments: ["text/plain", "application/json", "multipart/form-data; boundary=x"])
    func `is refused as`(_ type: String) async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        let token = try #require(Form(await visitor.open(code, .verifyEmail).text)?.fields.first { $0.0 == "token" }?.1)
        let body = "mode=verifyEmail&apiKey=shop-key&oobCode=\(code.text)&token=\(token)"
        #expect(await visitor.ask(.post, "/__/auth/action", body: body, headers: [.contentType: type]).status == 415)
        guard case .live = try await visitor.world.inspect(code) else { throw Spent() }
    }

    /// P1: browsers without fetch metadata send `Origin: null` from our own page.
    @Test func `is accepted without fetch metadata`() async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        let reply = try await visitor.press(await visitor.open(code, .verifyEmail), headers: [.origin: "null"])
        #expect(reply.status == 303)
    }
}

@Suite struct `Every response` {
    private static let paths = [
        "/", "/__/auth/action", "/__/auth/done", "/__/auth/resend", "/healthz", "/readyz", "/nowhere", "/__/auth/action?mode=verifyEmail",
        "//evil.example", "/\\evil.example", "/__/auth/links?link=https://evil.example/", "/inbox",
    ]

    /// P2-P5, P14; and R15: no path of ours becomes a redirect to another host.
    @Test(arguments: paths, [HTTPRequest.Method.get, .head, .post, .put, .delete])
    func `is strict`(_ path: String, _ method: HTTPRequest.Method) async throws {
        let visitor = try await Visitor()
        let reply = await visitor.ask(method, path)
        let headers = reply.response.headerFields
        #expect(headers[.xContentTypeOptions] == "nosniff")
        #expect(headers[HTTPField.Name("Referrer-Policy")!] == "no-referrer")
        #expect(headers[HTTPField.Name("X-Frame-Options")!] == "DENY")
        #expect(headers[HTTPField.Name("Cross-Origin-Opener-Policy")!] == "same-origin")
        let policy = headers[.contentSecurityPolicy] ?? ""
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(headers[.cacheControl] == "no-store")
        #expect(reply.text.isEmpty || headers[.contentType]?.contains("charset=utf-8") == true)
        #expect(reply.location == nil)
    }

    /// L2: a request for a host that is not configured is refused with 421. K5: a request for a
    /// name without a certificate is 421.
    @Test(arguments: ["", "evil.example", "auth.example.evil.example", "auth.example:8443", "127.0.0.1", "auth.example."])
    func `to a host that is not ours is 421`(_ host: String) async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        let reply = await visitor.ask(.get, visitor.path(code, .verifyEmail), host: host)
        #expect(reply.status == 421)
        #expect(!reply.text.contains("ada"))
    }

    @Test func `to the API of a host that is not ours is 421 in JSON`() async throws {
        let visitor = try await Visitor()
        let reply = await visitor.ask(.get, "/v1/projects?key=x", host: "evil.example")
        #expect(reply.status == 421 && reply.response.headerFields[.contentType]?.hasPrefix("application/json") == true)
        #expect(reply.text.contains("not responsible for that host name"))
    }

    @Test func `ignores the letter case of the host`() async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        #expect(await visitor.ask(.get, visitor.path(code, .verifyEmail), host: "Auth.Example:443").status == 200)
    }

    /// Z5: load balancers use the address as host name.
    @Test func `of the health checks is the same for any host`() async throws {
        let visitor = try await Visitor()
        #expect(await visitor.ask(.get, "/healthz", host: "10.0.0.7:8080").status == 200)
        #expect(await visitor.ask(.get, "/readyz", host: "10.0.0.7:8080").status == 200)
    }
}

@Suite struct `A link domain` {
    private func follow(_ query: String, host: String = "links.example") async throws -> Visitor.Reply {
        try await Visitor().ask(.get, "/__/auth/links?\(query)", host: host, headers: [.userAgent: "Mozilla/5.0 (X11) Firefox/145.0"])
    }

    @Test func `redirects a browser to the web page of the link`() async throws {
        #expect(try await follow("link=https%3A%2F%2Fapp.example%2Fa%3Fb").location == "https://app.example/a?b")
        let action = try await follow(
            "link=https%3A%2F%2Fauth.example%2F__%2Fauth%2Faction%3Fmode%3DsignIn%26oobCode%3Dx&ibi=com.example.shop")
        #expect(action.location == "https://auth.example/__/auth/action?mode=signIn&oobCode=x")
    }

    /// R1: a link to continue leads only to a scheme and host that the project authorises. R14: app
    /// links use only registered package names, bundle ids and link domains.
    @Test(arguments: [
        "link=https%3A%2F%2Fevil.example%2F", "link=javascript%3Aalert(1)", "link=https%3A%2F%2Fapp.example%2F&apn=com.evil",
        "link=https%3A%2F%2Fapp.example%2F&link=https%3A%2F%2Fapp.example%2Fb", "link=", "", "link=https%3A%2F%2Fauth.example%2F",
        "link=https%3A%2F%2Fapp.example%2F&ofl=https%3A%2F%2Fevil.example%2F",
        "link=https%3A%2F%2Fauth.example%40evil.example%2F__%2Fauth%2Faction",
    ])
    func `redirects nowhere else`(_ query: String) async throws {
        let reply = try await follow(query)
        #expect(reply.status == 400)
        #expect(reply.location == nil)
    }

    @Test func `serves the association files of its apps`() async throws {
        let visitor = try await Visitor()
        for path in ["/.well-known/apple-app-site-association", "/apple-app-site-association", "/.well-known/assetlinks.json"] {
            let reply = await visitor.ask(.get, path, host: "links.example")
            #expect(reply.status == 200)
            #expect(reply.response.headerFields[.contentType] == "application/json")
            #expect(reply.response.headerFields[.eTag] != nil && reply.location == nil)
            if path.contains("apple") { #expect(reply.text.contains("ABCDE12345.com.example.shop") && reply.text.contains("components")) }
        }
    }

    /// The public origin, where passwords are typed, shares them with the apps and opens no links.
    @Test func `leaves the passwords of the public origin to its apps`() async throws {
        let visitor = try await Visitor()
        for path in ["/.well-known/apple-app-site-association", "/apple-app-site-association"] {
            let reply = await visitor.ask(.get, path)
            #expect(reply.status == 200 && reply.text == #"{"webcredentials":{"apps":["ABCDE12345.com.example.shop"]}}"#)
        }
        let without = try await Visitor { $0.apps = .none }
        #expect(await without.ask(.get, "/.well-known/assetlinks.json").status == 404)
    }

    @Test func `serves only its own pages`() async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        #expect(await visitor.ask(.get, visitor.path(code, .verifyEmail), host: "links.example").status == 404)
    }
}
