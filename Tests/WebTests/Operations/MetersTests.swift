import Accounts
import AppLinks
import Base
import HTTPTypes
import Metrics
import MetricsTestKit
import Testing
import World
@testable import Web

@Suite struct `The metrics of requests and codes` {
    private let metrics = TestMetrics()

    private var meters: Meters { Meters(metrics, codes: CodeMeters(metrics)) { Array("# metrics\n".utf8) } }

    private func requests(_ route: String, _ status: String) -> Int64 {
        metrics.counterTotal(label: "onward_http_requests_total", dimensions: [("route", route), ("status", status)])
    }

    private func codes(_ event: String, _ action: Action) -> Int64 {
        metrics.counterTotal(label: "onward_codes_\(event)_total", dimensions: [("action", action.rawValue)])
    }

    private func refused(_ action: String, _ reason: Refusal) -> Int64 {
        metrics.counterTotal(label: "onward_codes_refused_total", dimensions: [("action", action), ("reason", reason.rawValue)])
    }

    /// L6: a link survives its mail, and what mail programs and hands do to it.
    @Test(arguments: [
        ("action", "/__/auth/action?mode=verifyEmail&apiKey=shop-key&oobCode=", "auth.example"),
        ("app", "/?link=https://app.example/", "links.example"), ("short", "/share/aBcD", "links.example"),
    ])
    func `links that were changed on their way are counted by kind`(kind: String, link: String, host: String) async throws {
        let visitor = try await Visitor(World(), meters: meters)
        let world = visitor.world
        let proposal = try world.project.propose(shortLinkTo: "https://links.example/?link=https://app.example/", at: world.clock.now())
        _ = try await world.accounts.shortLinks.create(proposal, at: try #require(ShortLinkPath("/share/aBcD")))
        let sent = link + (kind == "action" ? try await world.issue(.verifyEmail).text : "")
        func mended() -> Int64 { metrics.counterTotal(label: "onward_links_mended_total", dimensions: [("link", kind)]) }
        _ = await visitor.ask(.get, sent, host: host)
        #expect(mended() == 0)
        _ = await visitor.ask(.get, sent + (kind == "app" ? "%20" : "."), host: host)
        #expect(mended() == 1 && metrics.counterTotal(label: "onward_links_mended_total") == 1)
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "/healthz", "healthz", "2xx"), (.head, "/healthz?x", "healthz", "2xx"),
        (.post, "/healthz", "unknown", "4xx"),
        (.get, "/readyz", "readyz", "2xx"), (.get, "/openapi.json", "openapi", "2xx"), (.get, "/metrics", "metrics", "4xx"),
        (.get, "/__/auth/action", "action", "4xx"), (.post, "/__/auth/action", "press", "4xx"), (.post, "/__/auth/resend", "resend", "4xx"),
        (.get, "/favicon.ico", "asset", "2xx"), (.get, "/__/auth/assets/old/nowhere.css", "asset", "4xx"),
        (.post, "/v1/accounts:signUp", "signUp", "4xx"), (.post, "/identitytoolkit.googleapis.com/v1/accounts:signUp", "signUp", "4xx"),
        (.post, "/v1/projects/any-project/accounts:lookup", "lookup", "4xx"), (.get, "/v2/projects/shop/config", "getConfig", "4xx"),
        (.patch, "/v2/projects/shop/config", "updateConfig", "4xx"), (.get, "/.well-known/jwks.json", "published", "2xx"),
        (.get, "/shop/.well-known/openid-configuration", "published", "4xx"),
        (.post, "/v1/accounts:signInWithGameCenter", "notOffered", "4xx"),
        (.get, "/nowhere", "unknown", "4xx"), (.get, "/", "root", "4xx"), (.get, "*", "unknown", "4xx"),
        (.post, "/v1/accounts:signIn", "unknown", "4xx"), (.delete, "/__/auth/action", "unknown", "4xx"),
    ])
    func `the metrics count requests by route and status`(_ method: HTTPRequest.Method, _ path: String, _ route: String, _ status: String)
        async throws
    {
        let visitor = try await Visitor(World(), meters: meters)
        _ = await visitor.ask(method, path)
        #expect(requests(route, status) == 1)
        #expect(metrics.counterTotal(label: "onward_http_requests_total") == 1)
        #expect(metrics.timers(label: "onward_http_request_duration_seconds").map(\.values.count).reduce(0, +) == 1)
    }

    @Test(arguments: [
        (200, "2xx"), (204, "2xx"), (303, "3xx"), (304, "3xx"), (400, "4xx"), (421, "4xx"), (428, "4xx"), (429, "429"), (430, "4xx"),
        (500, "5xx"), (501, "5xx"), (502, "5xx"), (503, "503"),
    ])
    func `the metrics count 429 and 503 apart from other statuses`(_ status: Int, _ label: String) {
        meters.count(HTTPResponse.Status(code: status), of: RouteLabel("healthz", .health), after: .zero)
        #expect(requests("healthz", label) == 1)
        #expect(metrics.counterTotal(label: "onward_http_requests_total") == 1)
    }

    /// O7: no request adds a series.
    @Test func `the metrics have no series for made-up paths`() async throws {
        let visitor = try await Visitor(World(), meters: meters)
        let known = metrics.counters.count
        for number in 0..<200 {
            _ = await visitor.ask(.get, "/made-up-\(number)")
            _ = await visitor.ask(.post, "/v1/projects/p\(number)/accounts:lookup")
            _ = await visitor.ask(try #require(HTTPRequest.Method("M\(number)")), "/v1/m\(number)", host: "h\(number).example")
        }
        #expect(metrics.counters.count == known)
        #expect(metrics.counterTotal(label: "onward_http_requests_total") == 600)
    }

    /// V10: how often each reason to doubt a press occurs, and how it ended.
    @Test func `the metrics count questions after presses, and their answers`() async throws {
        let visitor = try await Visitor(World { $0.confirmBy = .automatic }, meters: meters)
        let code = try await visitor.world.issue(.verifyEmail)
        let number = code.confirmationNumber(by: visitor.world.secrets)
        let page = await visitor.open(code, .verifyEmail)
        for answer in [nil, "", number == "0000" ? "1111" : "0000", number, number] {
            _ = try await visitor.press(page, typing: answer.map { [("number", $0)] } ?? [])
        }
        func count(_ label: String, _ dimensions: [(String, String)]) -> Int64 {
            metrics.counterTotal(label: "onward_press_\(label)_total", dimensions: [("question", "number")] + dimensions)
        }
        #expect(count("questions", [("reason", "fastPress")]) == 1 && count("questions", [("reason", "askedBefore")]) == 1)
        #expect(count("answers", [("outcome", "wrong")]) == 1 && count("answers", [("outcome", "right")]) == 1)
        #expect(metrics.counterTotal(label: "onward_press_questions_total") == 2)
        #expect(metrics.counterTotal(label: "onward_press_answers_total") == 2)
    }

    @Test func `the metrics count mailed links that are opened sooner than a person does`() async throws {
        let visitor = try await Visitor(World(), meters: meters)
        let code = try await visitor.world.issue(.verifyEmail)
        func early() -> Int64 { metrics.counterTotal(label: "onward_links_opened_early_total", dimensions: [("action", "verifyEmail")]) }
        visitor.world.clock.advance(by: .seconds(9))
        _ = await visitor.open(code, .verifyEmail)
        #expect(early() == 1)
        visitor.world.clock.advance(by: .seconds(1))
        _ = await visitor.open(code, .verifyEmail)
        #expect(early() == 1)
    }

    /// O7: no label contains text of a request.
    @Test func `the metrics name routes, actions and reasons in plain words`() async throws {
        let visitor = try await Visitor(World(), meters: meters)
        _ = await visitor.ask(.get, "/__/auth/action?mode=canary&oobCode=canary&apiKey=shop-key")
        let code = String(repeating: "c", count: 43)
        _ = await visitor.ask(.get, "/__/auth/action?mode=verifyEmail&oobCode=\(code)&apiKey=shop-key&lang=canary")
        for counter in metrics.counters {
            for (_, value) in counter.dimensions { #expect(value.wholeMatch(of: #/[A-Za-z0-9_]+/#) != nil && !value.contains("canary")) }
        }
        #expect(refused("unknown", .invalidOobCode) == 1)
    }

    /// A program gets the refusal that the page of a person explains.
    @Test func `the metrics count a refused password of a program`() async throws {
        let visitor = try await Visitor(World(), meters: meters)
        let code = try await visitor.world.issue(.resetPassword)
        let json: [HTTPField.Name: String] = [.accept: "application/json", .secFetchSite: "same-origin"]
        let page = await visitor.open(code, .resetPassword)
        #expect(try await visitor.press(page, typing: [("newPassword", "short")]).status == 422)
        #expect(refused("resetPassword", .weakPassword) == 0)
        let answer = try await visitor.press(page, typing: [("newPassword", "short")], headers: json)
        #expect(answer.status == 400 && answer.text.contains("WEAK_PASSWORD"))
        #expect(refused("resetPassword", .weakPassword) == 1)
        #expect(try await visitor.press(page, typing: [("newPassword", "a quiet long phrase")], headers: json).status == 200)
    }

    @Test func `the metrics count the codes of links on pages`() async throws {
        let visitor = try await Visitor(World(), meters: meters)
        let code = try await visitor.world.issue(.verifyEmail)
        let page = await visitor.open(code, .verifyEmail)
        #expect(codes("applied", .verifyEmail) == 0)
        _ = try await visitor.press(page)
        #expect(codes("applied", .verifyEmail) == 1)
        _ = await visitor.open(code, .verifyEmail)
        #expect(codes("applied", .verifyEmail) == 1 && refused("verifyEmail", .invalidOobCode) == 1)
        let late = try #require(try await visitor.world.send(.resetPassword))
        visitor.world.clock.advance(by: .days(90))
        _ = await visitor.open(late, .resetPassword)
        #expect(refused("resetPassword", .expiredOobCode) == 1)
        let request = CodeRequest(.signIn, for: .address(.ada), with: ApprovedSettings(in: visitor.world.project))
        _ = try await visitor.site.identityToolkit.accounts.send(request)
        #expect(codes("issued", .signIn) == 1)
    }

    /// C13: the series for an alert on guessing, from pages and from the API.
    @Test func `the metrics count attempts that the limit of wrong codes refuses`() async throws {
        let world = try await World()
        let visitor = try await Visitor(world, limits: world.limits(of: 1), meters: meters)
        for _ in 0..<3 { _ = await visitor.open(OobCode(random: world.random.bytes), .verifyEmail) }
        #expect(refused("unknown", .invalidOobCode) == 1 && refused("unknown", .tooManyAttempts) == 2)
        _ = await visitor.ask(
            .post, "/v1/accounts:resetPassword?key=shop-key", body: #"{"oobCode":"\#(OobCode(random: world.random.bytes).text)"}"#,
            headers: [.contentType: "application/json"])
        #expect(refused("unknown", .tooManyAttempts) == 3)
    }

    /// However the faster request was noticed.
    @Test(arguments: [Action.verifyEmail, .resetPassword]) func `the metrics count each press once`(_ action: Action) async throws {
        let visitor = try await Visitor(World(), meters: meters)
        let code = try await visitor.world.issue(action)
        let page = await visitor.open(code, action)
        try await withThrowingTaskGroup(of: Void.self) { presses in
            for _ in 0..<5 { presses.addTask { _ = try await visitor.press(page, typing: [("newPassword", "a quiet long phrase")]) } }
            try await presses.waitForAll()
        }
        #expect(codes("applied", action) == 1)
        #expect(refused(action.rawValue, .invalidOobCode) == 4)
    }

    @Test func `the metrics count the codes that the API applies`() async throws {
        let visitor = try await Visitor(World(), meters: meters)
        let code = try await visitor.world.issue(.resetPassword)
        func reset(_ password: String) async -> Int {
            await visitor.ask(
                .post, "/v1/accounts:resetPassword?key=shop-key", body: #"{"oobCode":"\#(code.text)","newPassword":"\#(password)"}"#,
                headers: [.contentType: "application/json"]
            ).status
        }
        #expect(await reset("x") == 400)
        #expect(refused("resetPassword", .weakPassword) == 1)
        #expect(await reset("a quiet long phrase") == 200)
        #expect(codes("applied", .resetPassword) == 1)
        #expect(await reset("a quiet long phrase") == 400)
        #expect(refused("resetPassword", .invalidOobCode) == 1)
    }

    /// It has no way to take.
    @Test func `the metrics do not count a link as opened early that was not mailed`() async throws {
        let visitor = try await Visitor(World(), meters: meters)
        let account = try await visitor.world.account("ada@app.example")
        var request = CodeRequest(.verifyEmail, for: .account(account), with: ApprovedSettings(in: visitor.world.project))
        request.mails = false
        let code = try #require(try await visitor.world.accounts.send(request)?.code)
        #expect(await visitor.open(code, .verifyEmail).status == 200)
        #expect(metrics.counterTotal(label: "onward_links_opened_early_total") == 0)
    }
}

/// O7: only admins read metrics, and labels come from closed sets.
@Suite struct `The metrics endpoint` {
    private func ask(
        _ variations: Set<API.Variation>, _ listener: ListenerRole, _ fields: HTTPFields = [:], by method: HTTPRequest.Method = .get
    )
        async throws
        -> (response: HTTPResponse, text: String)
    {
        let meters = Meters(NOOPMetricsHandler.instance, codes: CodeMeters(NOOPMetricsHandler.instance)) { Array("# metrics\n".utf8) }
        let api = try await API(variations, meters: meters)
        let host = listener == .admin ? "127.0.0.1:9099" : "auth.example"
        let head = HTTPRequest(method: method, scheme: "http", authority: host, path: "/metrics", headerFields: fields)
        let (response, body) = await api.site.respond(to: head, [], from: "192.0.2.7", through: listener)
        return (response, String(decoding: body, as: UTF8.self))
    }

    @Test(arguments: [(true, ListenerRole.admin, ""), (true, .front, "Bearer admin-key"), (false, .front, "")])
    func `the metrics endpoint serves admins`(isProduction: Bool, listener: ListenerRole, bearer: String) async throws {
        let reply = try await ask(isProduction ? [.production] : [], listener, bearer.isEmpty ? [:] : [.authorization: bearer])
        #expect(reply.response.status == .ok && reply.text == "# metrics\n")
        #expect(reply.response.headerFields[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(reply.response.headerFields[.cacheControl] == "no-store")
    }

    @Test(arguments: ["", "Bearer", "Bearer owner", "Bearer ya29.x", "Bearer x", "Basic admin-key", "Bearer shop-key"])
    func `the metrics endpoint refuses everyone else on the public address`(_ bearer: String) async throws {
        let reply = try await ask([.production], .front, bearer.isEmpty ? [:] : [.authorization: bearer])
        #expect(reply.response.status == .unauthorized && !reply.text.contains("# metrics"))
        #expect(reply.response.headerFields[.wwwAuthenticate] == "Bearer")
    }

    @Test func `the metrics endpoint refuses browsers at the admin listener`() async throws {
        #expect(try await ask([.production], .admin, [.origin: "https://evil.example"]).response.status == .forbidden)
    }

    @Test func `the metrics endpoint takes GET and HEAD only`() async throws {
        #expect(try await ask([.production], .admin, by: .post).response.status == .methodNotAllowed)
    }
}
