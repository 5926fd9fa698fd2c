import Accounts
import AppLinks
import Base
import HTTPTypes
import Testing
import World
@testable import Web

@Suite struct `The route table` {
    /// Two routes for one request would leave it to their order which of them responds.
    @Test func `has one route for each host, path and method`() {
        var seen: Set<String> = []
        for route in RouteTable.routes {
            #expect(seen.insert("\(route.scope) \(route.path) \(route.methods)").inserted, "\(route.path)")
        }
    }

    @Test func `leads every path that it lists to its routes`() {
        for route in RouteTable.routes {
            let path = route.path.replacing("{project}", with: "shop").replacing("{id}", with: "m1")
                .replacing("{path}", with: "aBcD").replacing("{shortLink}", with: "https%3A%2F%2Flinks.example%2FaBcD")
            #expect(RouteTable.match(path, onLinkDomain: true)?.routes.contains { $0 === route } == true, "\(path)")
        }
    }

    /// Otherwise a link could be created that is never opened.
    @Test func `has no path that a short link may have`() {
        for route in RouteTable.routes where route.path != LinkDomainPages.shortLinkTemplate {
            let path = route.path.replacing("{project}", with: "shop").replacing("{id}", with: "m1").replacing("{shortLink}", with: "x")
            #expect(ShortLinkPath(path) == nil, "\(path)")
        }
        for path in ["/aBcD", "/share/aBcD"] {
            #expect(RouteTable.match(path) == nil && RouteTable.match(path, onLinkDomain: true)?.routes.first?.label == .shortLink)
        }
        #expect(RouteTable.match("/v1/unknown", onLinkDomain: true) == nil)
    }

    /// Before a body is read, its limit and the credential that it needs are known.
    @Test(arguments: [
        (HTTPRequest.Method.get, "/healthz", Route.RequiredCredential.none, 64 << 10), (.get, "/metrics", .admin, 64 << 10),
        (.post, "/__/auth/action", .none, 64 << 10), (.post, "/v1/accounts:signUp", .apiKeyOrAdmin, 64 << 10),
        (.post, "/v1/projects/shop/accounts:signUp", .admin, 64 << 10), (.get, "/v1/publicKeys", .none, 64 << 10),
        (.post, "/v1/projects/shop/accounts:batchCreate", .admin, 16 << 20),
        (.post, "/www.googleapis.com/identitytoolkit/v3/relyingparty/uploadAccount", .admin, 16 << 20),
        (.patch, "/v2/projects/shop/config", .admin, 1 << 20),
        (.post, "/v1/projects/shop/mail-feedback/sns", .mailProvider, 64 << 10),
        (.post, "/v1/projects/shop/mail-feedback/sendgrid", .mailProvider, 1 << 20),
    ])
    func `tells the credential and the largest body of a request`(
        method: HTTPRequest.Method, path: String, credential: Route.RequiredCredential, maxBodyBytes: Int
    ) throws {
        let route = try #require(RouteTable.match(path)?.route(for: method))
        #expect(route.credential == credential)
        #expect(route.maxBodyBytes == maxBodyBytes)
    }

    /// Every method for admins refuses the API key of a client before it reads anything else.
    @Test(arguments: RouteTable.routes.filter { $0.credential == .admin && $0.isAPI && !$0.isDevelopmentOnly }.map(\.path))
    func `is closed to an API key where a method is for admins`(path: String) async throws {
        let api = try await API([.production])
        for route in RouteTable.match(path.replacing("{project}", with: api.world.project.id.rawValue))?.routes ?? [] {
            guard case .call(let method) = route.handler, method.requiresAdmin, case .only(let verb) = route.methods else { continue }
            let answer = await api.respond(
                verb, path.replacing("{project}", with: api.world.project.id.rawValue) + "?key=\(API.key)",
                headers: [.contentType: "application/json"], body: verb == .get ? [] : Array("{}".utf8))
            #expect(try JSON(answer.body).errorCode?.hasPrefix("INSUFFICIENT_PERMISSION") == true, "\(path)")
        }
    }

    /// O7: only admins read metrics, and labels come from closed sets.
    @Test func `has labels that metrics can show`() {
        for route in RouteTable.routes { #expect(route.label.name.wholeMatch(of: #/[A-Za-z]+/#) != nil, "\(route.path)") }
    }
}
