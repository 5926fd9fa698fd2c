import Accounts
import Base
import HTTPTypes
import Testing
import World
@testable import Web

/// The page that providers send users back to, on their way to the page of the app (I19).
@Suite struct `The page that providers send users back to` {
    /// The provider's own address.
    private static let handler = "https://auth.example/__/auth/handler/shop/oidc.here"
    private static let appPage = "https://app.example/start"

    /// The parameters of the provider's answer to a visit that began on a page of the app.
    private func answer(_ stage: ProviderStage, page: String = appPage) async throws -> String {
        let uri = try ProviderStage.authURI(await stage.start(page: page, as: "returnUri"))
        let items = try WebURL(uri).queryItems
        #expect(items.contains { $0 == ("redirect_uri", Self.handler) })
        // A token in a fragment would not reach the server.
        #expect(items.contains { $0 == ("response_mode", "form_post") })
        return String(try stage.answer(to: uri, email: "new@example.com").split(separator: "#")[1])
    }

    private func open(_ query: String, _ stage: ProviderStage, at path: String = "/__/auth/handler/shop/oidc.here") async -> Response {
        await stage.api.respond(.get, path + (query.isEmpty ? "" : "?" + query))
    }

    private func post(_ form: String, _ stage: ProviderStage) async -> Response {
        let fields: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .origin: "https://provider.example", .secFetchSite: "cross-site",
        ]
        return await stage.api.respond(.post, "/__/auth/handler/shop/oidc.here", headers: fields, body: Array(form.utf8))
    }

    @Test(arguments: [true, false])
    func `leads on to the page of the app, where the answer signs in`(_ isPosted: Bool) async throws {
        let stage = try await ProviderStage()
        let sent = try await answer(stage)
        let response = isPosted ? await post(sent, stage) : await open(sent, stage)
        #expect(response.status == .seeOther && response.headers[.cacheControl] == "no-store")
        let location = try #require(response.headers[.location])
        #expect(location == "\(Self.appPage)#\(sent)")
        let done = await stage.finish("\(Self.handler)?\(sent)")
        #expect(done.status == 200 && done.json["isNewUser"] == .bool(true))
    }

    @Test func `repeats every parameter as it was`() async throws {
        let stage = try await ProviderStage()
        let sent = try await answer(stage) + "&user=" + WebURL.percentEncoded(#"{"name":"A & B=ü #"}"#)
        #expect(await post(sent, stage).headers[.location] == "\(Self.appPage)#\(sent)")
    }

    /// The answer of one session is worth nothing in another (login CSRF, code injection).
    @Test func `signs nobody in, whoever opens it`() async throws {
        let stage = try await ProviderStage()
        let sent = try await answer(stage)
        #expect(await open(sent, stage).status == .seeOther)
        for session in ["session-2", nil] {
            #expect(await stage.finish("\(Self.handler)?\(sent)", session: session).json["idToken"] == nil)
        }
        // An answer that was led on cannot be handed in as one to a page of the app.
        #expect(await stage.finish("\(Self.appPage)#\(sent)").json.errorCode == "INVALID_IDP_RESPONSE")
    }

    /// A provider may lead its visitors on to another one, which sends them back to its address
    /// with the first one's state (a mixed-up provider).
    @Test(arguments: ["/__/auth/handler", "/__/auth/handler/shop/oidc.other", "/__/auth/handler/other/oidc.here"])
    func `leads nowhere with the state of another provider or project`(_ path: String) async throws {
        let stage = try await ProviderStage()
        let sent = try await answer(stage)
        #expect(await open(sent, stage, at: path).status == .badRequest)
        #expect(await open(sent, stage).status == .seeOther)
    }

    @Test(arguments: [
        "an old state", "a damaged state", "a state of another server", "a state without a page of the app", "two states",
        "too many parameters",
    ])
    func `leads nowhere with`(_ fault: String) async throws {
        let stage = try await ProviderStage()
        var sent = try await answer(stage)
        switch fault {
        case "an old state": stage.api.world.clock.advance(by: SealedVisit.lifetime)
        case "a damaged state": sent = sent.replacing("state=onward.", with: "state=onward.A")
        case "a state of another server":
            let visit = ProviderVisit(
                provider: "oidc.here", continueURI: Self.handler, returnsTo: .page(Self.appPage), random: stage.api.world.random.bytes)
            let sealed = SealedVisit(visit, in: stage.api.world.project.id, at: stage.api.world.clock.now())
            sent = "state=" + sealed.state(for: VisitSession(id: "session-1"), by: Secrets(root: [UInt8](repeating: 8, count: 32)))
        case "a state without a page of the app":
            sent = String(try stage.answer(to: ProviderStage.authURI(await stage.start())).split(separator: "#")[1])
        case "two states": sent += "&state=x"
        default: sent += String(repeating: "&a=b", count: 64)
        }
        for response in [await open(sent, stage), await post(sent, stage)] {
            #expect(response.status == .badRequest && response.headers[.location] == nil)
            #expect(String(decoding: response.body, as: UTF8.self).contains("That did not work"))
        }
    }

    /// The domain may have been taken away while the user was at the provider.
    @Test func `leads users to no page of an app that the project no longer allows`() async throws {
        let stage = try await ProviderStage([])
        let sent = try await answer(stage)
        let change: JSON = .object(["authorizedDomains": .array(["other.example"])])
        let admin: HTTPFields = [.contentType: "application/json", .authorization: "Bearer owner"]
        #expect(await stage.api.respond(.patch, "/v2/projects/shop/config", headers: admin, body: change.bytes).status == .ok)
        let response = await open(sent, stage)
        #expect(response.status == .badRequest && response.headers[.location] == nil)
        #expect(String(decoding: response.body, as: UTF8.self).contains("app.example"))
    }

    @Test(arguments: [
        ("", "Providers send users here after createAuthUri"),
        (
            "apiKey=shop-key&appName=x&authType=signInViaPopup&redirectUrl=https%3A%2F%2Fevil.example&v=12.18.0&providerId=google.com",
            "onwardResolver(browserPopupRedirectResolver) of /onward.js"
        ),
    ])
    func `says what the app lacks`(_ query: String, _ advice: String) async throws {
        let stage = try await ProviderStage()
        let response = await open(query, stage)
        #expect(response.status == .badRequest && response.headers[.location] == nil)
        #expect(String(decoding: response.body, as: UTF8.self).contains(advice))
        let json = await stage.api.respond(.get, "/__/auth/handler/shop/oidc.here?" + query, headers: [.accept: "application/json"])
        #expect(json.status == .badRequest && String(decoding: json.body, as: UTF8.self).contains(advice))
    }

    @Test(arguments: [
        ("https://evil.example/", "UNAUTHORIZED_DOMAIN"), ("https://app.example/#x", "INVALID_CONTINUE_URI"),
        ("https://app.example/out?url=https://evil.example/", "INVALID_CONTINUE_URI"),
        ("https://app.example/" + String(repeating: "a", count: 1_000), "INVALID_CONTINUE_URI"),
        ("javascript:alert(1)", "INVALID_CONTINUE_URI"),
    ])
    func `is offered to createAuthUri for pages of the project only`(_ page: String, _ refusal: String) async throws {
        #expect(try await ProviderStage().start(page: page, as: "returnUri").json.errorCode == refusal)
    }
}
