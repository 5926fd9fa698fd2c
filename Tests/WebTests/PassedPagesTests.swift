import Accounts
import Base
import Foundation
import HTTPTypes
import Logging
import Network
import Remote
import Testing
import World
@testable import Web

/// Firebase's pages for its SDK in browsers, which a front door passes on (Y12).
@Suite struct `Firebase's helper pages` {
    private static let paths = [
        "/__/auth/handler", "/__/auth/handler.js", "/__/auth/experiments.js", "/__/auth/iframe", "/__/auth/iframe.js",
        "/__/firebase/init.json",
    ]

    /// A front door before a server that has such pages.
    private func door(_ script: @escaping @Sendable (String) -> LoopbackServer.Act) async throws -> (api: API, server: LoopbackServer) {
        let server = try LoopbackServer(script)
        let quiet = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
        let api = try await API([.production], helperPages: FirebaseHelpers(logger: quiet)) { project in
            let base = try WebURL("https://identitytoolkit.googleapis.com")
            project.upstream = UpstreamProject(base: base, domains: .file, helpers: server.base)
        }
        return (api, server)
    }

    @Test func `come as they are, with the policies of Firebase`() async throws {
        let fields = """
            Content-Security-Policy: script-src 'nonce-x'\r\nETag: "7"\r\nCache-Control: max-age=3600\r\nSet-Cookie: a=b\r\n\
            Strict-Transport-Security: max-age=1\r\nConnection: keep-alive\r\nClear-Site-Data: "*"\r\nService-Worker-Allowed: /\r\n
            """
        let (api, server) = try await door { _ in .answer(200, "the page", field: fields) }
        for path in Self.paths {
            let sent: HTTPFields = [.userAgent: "A browser", .acceptLanguage: "de", .cookie: "secret=1", .authorization: "Bearer x"]
            let response = await api.respond(.get, path + "?apiKey=k&v=12%2E0&x=a+b", headers: sent)
            #expect(response.status == .ok && response.body == Array("the page".utf8), "\(path)")
            #expect(
                response.headers == [
                    .contentType: "application/json", .contentSecurityPolicy: "script-src 'nonce-x'", .eTag: "\"7\"",
                    .cacheControl: "max-age=3600",
                ], "\(response.headers)")
            let asked = try #require(server.now.requests.last)
            #expect(asked.hasPrefix("GET \(path)?apiKey=k&v=12%2E0&x=a+b HTTP/1.1\r\nHost: \(server.base.origin.dropFirst(7))\r\n"))
            #expect(asked.contains("User-Agent: A browser\r\n") && asked.contains("Accept-Language: de\r\n"))
            #expect(!asked.lowercased().contains("cookie") && !asked.lowercased().contains("authorization"))
        }
    }

    @Test func `take what a provider posts`() async throws {
        let (api, server) = try await door { _ in .answer(200, "done") }
        let response = await api.respond(
            .post, "/__/auth/handler", headers: [.contentType: "application/x-www-form-urlencoded"], body: Array("state=a&code=b".utf8))
        #expect(response.status == .ok && response.body == Array("done".utf8))
        let asked = try #require(server.now.requests.first)
        #expect(asked.hasPrefix("POST /__/auth/handler HTTP/1.1\r\n") && asked.hasSuffix("\r\n\r\nstate=a&code=b"))
        #expect(asked.contains("Content-Type: application/x-www-form-urlencoded\r\n"))
        #expect(await api.respond(.post, "/__/auth/iframe").status == .methodNotAllowed)
    }

    /// A proxy that followed or kept anything would be one for others.
    @Test(arguments: [304, 302, 404, 500])
    func `keep their status, and lead nowhere else`(_ status: Int) async throws {
        let (api, server) = try await door { _ in .answer(status, status == 304 ? "" : "x", field: "Location: http://127.0.0.1:1/x\r\n") }
        for _ in 0..<7 {
            let response = await api.respond(.get, "/__/auth/handler.js", headers: [.ifNoneMatch: "\"7\""])
            #expect(response.status.code == status && response.headers[.location] == "http://127.0.0.1:1/x")
        }
        #expect(server.now.requests.count == 7 && server.now.requests.allSatisfy { $0.contains("If-None-Match: \"7\"\r\n") })
    }

    @Test func `are answered 503 with Onward's own policies if the upstream sends nothing or does not end`() async throws {
        for act in [LoopbackServer.Act.cut, .cutInside, .endless("HTTP/1.1 200 OK\r\n\r\n", "endless ")] {
            let (api, _) = try await door { _ in act }
            let response = await api.respond(.get, "/__/auth/iframe", headers: [.accept: "text/html"])
            #expect(response.status == .serviceUnavailable && response.headers[.xFrameOptions] == "DENY")
        }
    }

    @Test func `are no others than these`() async throws {
        let (api, server) = try await door { _ in .answer(200, "x") }
        // Firebase's page behind these spends the code when it is opened.
        for path in ["/__/auth/links", "/__/auth/links.js", "/__/auth/handler/shop/oidc.here", "/__/auth/callback", "/__/auth/handler.js/"]
        {
            #expect(await api.respond(.get, path).status != .ok, "\(path)")
        }
        // It would outlast the setting.
        let worker: HTTPFields = [HTTPField.Name("Service-Worker")!: "script"]
        #expect(await api.respond(.get, "/__/auth/iframe.js", headers: worker).status == .notFound)
        #expect(server.now.requests.isEmpty)
        let page = await api.respond(.get, "/__/auth/action?mode=verifyEmail&oobCode=x&apiKey=shop-key")
        #expect(page.headers[.xFrameOptions] == "DENY" && page.headers[.crossOriginOpenerPolicy] == "same-origin")
    }

    @Test func `are not there if no project has them`() async throws {
        let api = try await API([.production])
        for path in Self.paths where path != "/__/auth/handler" { #expect(await api.respond(.get, path).status == .notFound, "\(path)") }
        #expect(await api.respond(.get, "/__/auth/handler").status == .badRequest)
    }
}
