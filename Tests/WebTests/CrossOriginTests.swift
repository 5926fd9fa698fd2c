import HTTPTypes
import Testing
import World
@testable import Web

/// Pages of websites that a developer or an admin visits (V8).
@Suite struct `A page of another origin` {
    static let foreign = [
        "https://evil.example", "https://app.example.evil.example", "https://localhost.evil.example", "http://app.example",
        "https://app.example:8443", "https://evilapp.example", "null", "file://", "chrome-extension://abc", "",
        "https://127.0.0.1.evil.example", "com.example.shop://welcome", "http://192.168.1.66", "http://evil.local",
        "http://host.docker.internal",
    ]
    static let trusted = [
        "http://localhost:3000", "http://127.0.0.1:5173", "http://[::1]:4200", "https://localhost", "https://app.example",
        "https://www.app.example", "https://exact.example",
    ]

    /// A request that is an admin's or shows codes in development, where it needs no secret.
    enum Privileged: CaseIterable {
        case lookup, codes, deletion, settings, inbox

        var method: HTTPRequest.Method {
            switch self {
            case .lookup: .post
            case .codes, .inbox: .get
            case .deletion: .delete
            case .settings: .patch
            }
        }

        var path: String {
            switch self {
            case .lookup: "/v1/projects/shop/accounts:lookup"
            case .codes: "/emulator/v1/projects/shop/oobCodes"
            case .deletion: "/emulator/v1/projects/shop/accounts"
            case .settings: "/emulator/v1/projects/shop/config"
            case .inbox: "/inbox/messages.json"
            }
        }

        var fields: HTTPFields { self == .lookup ? [.authorization: "Bearer owner"] : [:] }
    }

    private func ask(
        _ api: API, _ method: HTTPRequest.Method, _ path: String, from origin: String, _ fields: HTTPFields = [:],
        body: String = #"{"localId":["ada"]}"#
    ) async -> HTTPResponse {
        var head = HTTPRequest(method: method, scheme: "https", authority: "auth.example", path: path, headerFields: fields)
        head.headerFields[.origin] = origin
        head.headerFields[.contentType] = "application/json"
        return await api.site.respond(to: head, Array(body.utf8), from: "192.0.2.7", through: .front).0
    }

    @Test(arguments: foreign) func `gets no answer of an admin and no code in development`(origin: String) async throws {
        let api = try await API()
        for request in Privileged.allCases {
            let response = await ask(api, request.method, request.path, from: origin, request.fields, body: #"{"localId":["ada"]}"#)
            #expect(response.status == .forbidden && response.headerFields[.accessControlAllowOrigin] == nil, "\(request)")
        }
        #expect(try await api.stored("ada") != nil)
    }

    /// A browser asks before it sends a credential or a method other than GET and POST.
    @Test(arguments: foreign) func `may not send an admin's credential`(origin: String) async throws {
        let api = try await API()
        for request in Privileged.allCases where request != .inbox {
            let response = await ask(
                api, .options, request.path, from: origin,
                [
                    .accessControlRequestMethod: request.method.rawValue,
                    .accessControlRequestHeaders: "content-type, Authorization,x-client-version",
                    HTTPField.Name("Access-Control-Request-Private-Network")!: "true",
                ])
            let allowed = response.headerFields[.accessControlAllowHeaders] ?? ""
            #expect(!allowed.lowercased().contains("authorization"), "\(request)")
            #expect(request == .lookup || response.headerFields[.accessControlAllowOrigin] == nil, "\(request)")
            if request == .lookup, !origin.isEmpty { #expect(allowed == "content-type,x-client-version") }
        }
    }

    /// Clients' calls are as open as in production.
    @Test(arguments: foreign.filter { !$0.isEmpty } + trusted) func `may call what clients call`(origin: String) async throws {
        let response = await ask(try await API(), .post, "/v1/accounts:signUp?key=any-key", from: origin, body: "{}")
        #expect(response.status == .ok && response.headerFields[.accessControlAllowOrigin] == origin)
    }

    @Test(arguments: trusted) func `is trusted on this machine and on authorised domains`(origin: String) async throws {
        for request in Privileged.allCases {
            let api = try await API()
            let body = request == .settings ? "{}" : #"{"localId":["ada"]}"#
            let response = await ask(api, request.method, request.path, from: origin, request.fields, body: body)
            #expect(response.status == .ok && response.headerFields[.accessControlAllowOrigin] == origin, "\(request)")
            guard request != .inbox else { continue }
            let asked: HTTPFields = [.accessControlRequestMethod: request.method.rawValue, .accessControlRequestHeaders: "authorization"]
            let preflight = await ask(api, .options, request.path, from: origin, asked)
            #expect(preflight.headerFields[.accessControlAllowHeaders] == "authorization", "\(request)")
        }
    }

    @Test(arguments: ["https://evil.example", "null"]) func `is trusted if the developer says so`(origin: String) async throws {
        for request in Privileged.allCases {
            let body = request == .settings ? "{}" : #"{"localId":["ada"]}"#
            let response = await ask(
                try await API([.trustsEveryOrigin]), request.method, request.path, from: origin, request.fields, body: body)
            #expect(response.status == .ok && response.headerFields[.accessControlAllowOrigin] == origin, "\(request)")
        }
    }

    /// Test tools in browsers ask there whether the emulator is up, and what it can do.
    @Test(arguments: ["/", "/emulator/openapi.json"]) func `may ask whether the development server is up`(path: String) async throws {
        let api = try await API()
        let asked: HTTPFields = [.accessControlRequestMethod: "GET", .accessControlRequestHeaders: "authorization,x-tool"]
        let preflight = await ask(api, .options, path, from: "https://evil.example", asked)
        #expect(preflight.status == .noContent && preflight.headerFields[.accessControlAllowOrigin] == "https://evil.example")
        #expect(preflight.headerFields[.accessControlAllowHeaders] == "x-tool")
        let answer = await ask(api, .get, path, from: "https://evil.example", [.accept: "application/json"])
        #expect(answer.status == .ok && ["*", "https://evil.example"].contains(answer.headerFields[.accessControlAllowOrigin]))
        // The start page is only for people.
        let page = await ask(api, .get, "/", from: "https://evil.example", [.accept: "text/html"])
        #expect(page.status == .ok && page.headerFields[.accessControlAllowOrigin] == nil)
        #expect(await ask(try API([.production]), .options, path, from: "https://evil.example", asked).status == .notFound)
    }

    /// In production an admin's credential is a secret that no page of another site has.
    @Test func `gets no way into a private network in production`() async throws {
        let api = try await API([.production])
        let preflight = await ask(
            api, .options, "/v1/accounts:signUp", from: "https://evil.example",
            [
                .accessControlRequestMethod: "POST", .accessControlRequestHeaders: "authorization",
                HTTPField.Name("Access-Control-Request-Private-Network")!: "true",
            ])
        #expect(preflight.headerFields[HTTPField.Name("Access-Control-Allow-Private-Network")!] == nil)
        #expect(preflight.headerFields[.accessControlAllowOrigin] == "https://evil.example")
        let owner = await ask(
            api, .post, "/v1/projects/shop/accounts:lookup", from: "https://evil.example", [.authorization: "Bearer owner"])
        #expect(owner.status == .unauthorized)
    }
}
