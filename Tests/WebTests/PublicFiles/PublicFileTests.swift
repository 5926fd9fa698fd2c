import Accounts
import Base
import Foundation
import HTTPTypes
import Testing
import Views
import World
@testable import Web

@Suite struct `A public file` {
    /// The path of each kind of file, its host, and its `Cache-Control`.
    static let kinds: [(path: @Sendable (Site) -> String, host: String, cacheControl: String)] = [
        ({ $0.operations.brands.standard.assets[0].path }, "auth.example", "public, max-age=31536000, immutable"),
        ({ $0.operations.brands.standard.assets[1].path }, "links.example", "public, max-age=31536000, immutable"),
        ({ $0.operations.brands.standard.icon.path }, "auth.example", "public, max-age=31536000, immutable"),
        ({ _ in "/favicon.ico" }, "auth.example", "public, max-age=3600"),
        ({ _ in "/openapi.json" }, "any.example", "public, max-age=300"),
        ({ _ in "/.well-known/apple-app-site-association" }, "links.example", "public, max-age=3600"),
        ({ _ in "/.well-known/assetlinks.json" }, "links.example", "public, max-age=3600"),
    ]

    private func ask(
        _ site: Site, _ kind: Int, _ fields: HTTPFields = [:], by method: HTTPRequest.Method = .get
    ) async -> (response: HTTPResponse, body: [UInt8]) {
        let (path, host, _) = Self.kinds[kind]
        let head = HTTPRequest(method: method, scheme: "https", authority: host, path: path(site), headerFields: fields)
        return await site.respond(to: head, [], from: "192.0.2.7", through: .front)
    }

    /// H15: only the server frames a response, and `Accept-Encoding` chooses a compressed one.
    @Test(arguments: kinds.indices) func `a public file is compressed if that makes it smaller and the client accepts it`(_ kind: Int)
        async throws
    {
        let site = try await Visitor().site
        let (whole, plain) = await ask(site, kind)
        #expect(whole.status == .ok && whole.headerFields[.contentEncoding] == nil)
        let (response, body) = await ask(site, kind, [.acceptEncoding: "br, gzip"])
        if plain.count > 1_024 {
            #expect(try inflated(body) == plain)
            #expect(body.count < plain.count / 2)
            #expect(response.headerFields[.contentEncoding] == "gzip" && response.headerFields[.eTag] != whole.headerFields[.eTag])
            #expect(response.headerFields[.vary] == "Accept-Encoding" && whole.headerFields[.vary] == "Accept-Encoding")
        } else {
            #expect(body == plain && response == whole && whole.headerFields[.vary] == nil)
        }
    }

    @Test(arguments: kinds.indices, ["", "gzip"]) func `a public file has a freshness and an entity tag`(
        _ kind: Int, _ codings: String
    ) async throws {
        let site = try await Visitor().site
        let (response, body) = await ask(site, kind, [.acceptEncoding: codings])
        #expect(response.headerFields[.cacheControl] == Self.kinds[kind].cacheControl)
        #expect(response.headerFields[.eTag] == EntityTag(of: body).text)
        #expect(response.headerFields[.xContentTypeOptions] == "nosniff")
        let policy = try #require(response.headerFields[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'"))
        // Firefox drops the colours of a logo otherwise.
        #expect(policy.contains("style-src") == (response.headerFields[.contentType]?.hasPrefix("image/svg") == true))
    }

    @Test(arguments: kinds.indices, ["", "gzip"]) func `a public file is not sent to a client that has it`(_ kind: Int, _ codings: String)
        async throws
    {
        let site = try await Visitor().site
        let whole = await ask(site, kind, [.acceptEncoding: codings]).response
        let tag = try #require(whole.headerFields[.eTag])
        for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            for method in [HTTPRequest.Method.get, .head] {
                let (response, body) = await ask(site, kind, [.acceptEncoding: codings, .ifNoneMatch: known], by: method)
                #expect(response.status == .notModified && body.isEmpty)
                for name in [HTTPField.Name.eTag, .cacheControl, .vary] {
                    #expect(response.headerFields[name] == whole.headerFields[name], "\(name)")
                }
                #expect(response.headerFields[.contentType] == nil && response.headerFields[.contentEncoding] == nil)
            }
        }
        #expect(await ask(site, kind, [.acceptEncoding: codings, .ifNoneMatch: "\"other\""]).response == whole)
    }

    /// A copy in one coding is not a copy in the other.
    @Test func `a public file is sent to a client that has it in another coding`() async throws {
        let site = try await Visitor().site
        let tag = try #require(await ask(site, 0, [.acceptEncoding: "gzip"]).response.headerFields[.eTag])
        #expect(await ask(site, 0, [.ifNoneMatch: tag]).response.status == .ok)
    }

    @Test func `a public file is sent only if it matches If-Match`() async throws {
        let site = try await Visitor().site
        let tag = try #require(await ask(site, 0).response.headerFields[.eTag])
        #expect(await ask(site, 0, [.ifMatch: tag]).response.status == .ok)
        for other in ["\"other\"", "W/\(tag)"] {
            let response = await ask(site, 0, [.ifMatch: other, .ifNoneMatch: tag]).response
            #expect(response.status == .preconditionFailed && response.headerFields[.cacheControl] == "no-store")
        }
    }

    /// Z8: a page may be from an older or newer process.
    @Test(arguments: ["auth.example", "links.example"])
    func `a public file is served to pages of another version, with a short freshness`(_ host: String) async throws {
        let site = try await Visitor { $0.appearance.accent = "#7a1f5c" }.site
        func ask(_ path: String, _ fields: HTTPFields = [:]) async -> (response: HTTPResponse, body: [UInt8]) {
            let head = HTTPRequest(method: .get, scheme: "https", authority: host, path: Asset.root + path, headerFields: fields)
            return await site.respond(to: head, [], from: "192.0.2.7", through: .front)
        }
        for asset in site.operations.brands.brand(of: try #require(site.identityToolkit.projects.value.all.first)).assets {
            let (response, body) = await ask("1abc/\(asset.name)")
            #expect(response.status == .ok && body == asset.body, "\(asset.name)")
            #expect(response.headerFields[.contentType] == asset.contentType)
            let known = await ask("1abc/\(asset.name)", [.ifNoneMatch: try #require(response.headerFields[.eTag])]).response
            #expect(known.status == .notModified)
            for response in [response, known] { #expect(response.headerFields[.cacheControl] == "public, max-age=60") }
        }
        for path in [
            "1abc/other.css", "1abc/onward.css/", "1abc//onward.css", "onward.css", "/onward.css/x", "1abc/", "1abc/../onward.css",
        ] {
            #expect(await ask(path).response.status == .notFound, "\(path)")
        }
    }

    /// The project of the page is unknown: if there is only one project, it is that one.
    @Test(arguments: [1, 2]) func `a public file of another version has the brand of the only project, or the standard one`(_ count: Int)
        async throws
    {
        let site = try await Visitor { $0.appearance.accent = "#7a1f5c" }.site
        let shop = try #require(site.identityToolkit.projects.value.all.first)
        let brands = try Brands(
            Projects([shop, shop.renamed(ProjectID(rawValue: "blog"))].prefix(count).map(\.self)), views: site.actionPages.renderer.views)
        let style = try #require(brands.file(at: "\(Asset.root)1abc/onward.css"))
        let request = Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"), bodyLength: 0, peer: "", id: "", listener: .front)
        let asset = (count == 1 ? brands.brand(of: shop) : brands.standard).assets[0]
        #expect(style.response(to: request).body == asset.body)
        #expect(brands.brand(of: shop).assets[0].body != brands.standard.assets[0].body)
    }

    /// H13: the response writer leaves the body out.
    @Test(arguments: kinds.indices, ["", "gzip"]) func `a public file has the same head for HEAD as for GET`(_ kind: Int, _ codings: String)
        async throws
    {
        let site = try await Visitor().site
        let (whole, head) = (
            await ask(site, kind, [.acceptEncoding: codings]), await ask(site, kind, [.acceptEncoding: codings], by: .head)
        )
        #expect(head.response == whole.response && head.body == whole.body)
    }

    /// H14: a method that a path does not take is 405 with `Allow`.
    @Test(arguments: kinds.indices) func `a public file takes GET and HEAD only`(_ kind: Int) async throws {
        let response = await ask(try await Visitor().site, kind, by: .post).response
        #expect(response.status == .methodNotAllowed && response.headerFields[.allow] == "GET, HEAD")
    }

    @Test(arguments: ["image/png", "image/webp", "application/octet-stream"]) func `a public file is not compressed if it is not text`(
        _ type: String
    ) {
        let request = Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: [.acceptEncoding: "gzip"]), bodyLength: 0,
            peer: "", id: "", listener: .front)
        let file = PublicFile(type, [UInt8](repeating: 7, count: 10_000), fresh: .forever)
        #expect(file.response(to: request).body.count == 10_000)
    }
}

@Suite struct `A response with a secret` {
    /// X6: BREACH needs a secret, text of the attacker and compression; such responses are never
    /// compressed.
    @Test(arguments: Action.allCases) func `a response with a secret is not compressed on a page`(_ action: Action) async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(action.isUndo ? .verifyAndChangeEmail : .verifyEmail)
        var settings = ActionCodeSettings()
        settings.url = "https://app.example/"
        let live = action == .verifyEmail ? code : try #require(try await visitor.world.send(action, settings: settings))
        var pages = [await visitor.open(live, action, headers: [.acceptEncoding: "gzip"])]
        pages.append(
            try await visitor.press(
                pages[0], typing: [("newPassword", "a quiet long phrase")],
                headers: [.secFetchSite: "same-origin", .acceptEncoding: "gzip"]))
        if let location = pages[1].location, location.hasPrefix("/") {
            pages.append(await visitor.ask(.get, location, headers: [.acceptEncoding: "gzip"]))
        }
        pages.append(await visitor.open(live, action, headers: [.acceptEncoding: "gzip"]))
        for page in pages {
            #expect(page.response.headerFields[.contentEncoding] == nil && page.response.headerFields[.vary] == nil)
            #expect(page.text.isEmpty || page.text.hasPrefix("<!doctype html>"))
            #expect(page.response.headerFields[.eTag] == nil)
        }
    }

    /// X6: a right guess of the token makes a page no shorter than a wrong one.
    @Test func `a response with a secret has the same length whatever an attacker guesses`() async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        let page = await visitor.open(code, .verifyEmail)
        let token = try #require(Form(page.text)?.fields.first { $0.0 == "token" }?.1)
        let guesses = [code.text, String(code.text.reversed()), String(token.prefix(43)), String(repeating: "x", count: 43)]
        var lengths: Set<Int> = []
        for guess in guesses {
            let extra = "&continueUrl=https%3A%2F%2Fapp.example%2F\(guess)"
            lengths.insert(await visitor.open(code, .verifyEmail, extra: extra, headers: [.acceptEncoding: "gzip"]).text.utf8.count)
        }
        #expect(lengths.count == 1)
    }

    /// X6, over every recorded exchange of the API.
    @Test func `a response with a secret is not compressed by the API`() async throws {
        let api = try await API([.production])
        for path in [
            "/v1/accounts:signInWithPassword?key=shop-key", "/v1/accounts:signUp?key=shop-key", "/v1/accounts:lookup?key=shop-key",
        ] {
            let head = HTTPRequest(
                method: .post, scheme: "https", authority: "auth.example", path: path,
                headerFields: [.acceptEncoding: "gzip", .contentType: "application/json"])
            let body =
                #"{"email":"ada@example.com","password":"\#(API.password)","displayName":"\#(String(repeating: "guess", count: 400))"}"#
            let (response, bytes) = await api.site.respond(to: head, Array(body.utf8), from: "192.0.2.7", through: .front)
            #expect(response.headerFields[.contentEncoding] == nil)
            #expect(try JSON(bytes) != .null)
        }
    }
}

@Suite struct `A compressed body` {
    private static let bomb: [UInt8] = Gzip.compressed([UInt8](repeating: 0, count: 1_000_000)) ?? []

    private func answer(_ coding: String, _ path: String, through listener: ListenerRole = .front) async throws -> (
        response: HTTPResponse, body: [UInt8]
    ) {
        let api = try await API([.production])
        let head = HTTPRequest(
            method: .post, scheme: "https", authority: listener == .front ? "auth.example" : "127.0.0.1", path: path,
            headerFields: [.contentEncoding: coding, .contentType: "application/json"])
        return await api.site.respond(to: head, Self.bomb, from: "192.0.2.7", through: listener)
    }

    /// X5: a compressed request body is refused with 415.
    @Test(
        arguments: ["gzip", "GZIP", "deflate", "br", "zstd", "gzip, gzip", "identity, gzip", "compress", "x", ""],
        ["/v1/accounts:signUp?key=shop-key", "/__/auth/action", "/__/auth/resend", "/nowhere"])
    func `a compressed body is refused with the coding that is accepted`(_ coding: String, _ path: String) async throws {
        let (response, body) = try await answer(coding, path)
        #expect(response.status == .unsupportedMediaType)
        #expect(response.headerFields[.acceptEncoding] == "identity")
        #expect(String(decoding: body, as: UTF8.self).contains("without a Content-Encoding"))
    }

    @Test func `a compressed body is refused at the admin listener`() async throws {
        #expect(try await answer("gzip", "/v1/accounts:signUp", through: .admin).response.status == .unsupportedMediaType)
    }

    /// X5: a compressed request body is refused with 415.
    @Test(arguments: ["identity", "Identity", " identity "]) func `a compressed body is accepted in the identity coding`(_ coding: String)
        async throws
    {
        #expect(try await answer(coding, "/v1/accounts:signUp?key=shop-key").response.status == .badRequest)
    }

    @Test func `a compressed body is accepted if it is empty`() async throws {
        #expect(try await Visitor().ask(.get, "/healthz", headers: [.contentEncoding: "gzip"]).status == 200)
    }
}
