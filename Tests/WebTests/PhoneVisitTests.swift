import Accounts
import AppLinks
import Base
import HTTPTypes
import Testing
import World
@testable import Web

/// Visits to a provider that Firebase's SDK on a phone begins in a browser (I19).
@Suite struct `A phone's visit to a provider` {
    private static let app = "1:42:ios:ab12"
    private static let scheme = "app-1-42-ios-ab12"
    /// The session id of the app. The page gets its SHA-256.
    private static let session = "ABCDEFGHIJ"
    private static let hash = "261305762671a58cae5b74990bcfc236c2336fb04a0fbac626166d9491d2884c"

    private func stage(limits: (World) -> Limits? = { _ in nil }) async throws -> ProviderStage {
        try await ProviderStage(limits: limits) { project in
            project.apps = try RegisteredApps(
                apple: [
                    AppleApp(bundleID: "com.example.shop", teamID: "ABCDE12345", customSchemes: [Self.scheme, "com.example.apps.42-x"]),
                    AppleApp(bundleID: "com.example.other", teamID: "ABCDE12345"),
                ])
        }
    }

    /// Opens the page as the SDK of Apple's systems does.
    private func open(
        _ stage: ProviderStage, at path: String = "/__/auth/handler", _ changes: [String: String?] = [:]
    ) async -> Response {
        var items: [String: String] = [
            "apiKey": "shop-key", "authType": "signInWithRedirect", "ibi": "com.example.shop", "sessionId": Self.hash,
            "v": "iOS/FirebaseSDK/12.0.0/FirebaseCore-iOS", "eventId": "QWERTZUIOP", "providerId": "oidc.here", "appId": Self.app,
            "scopes": "address,phone", "customParameters": #"{"prompt":"login"}"#, "hl": "de",
        ]
        for (name, value) in changes { items[name] = value }
        let query = items.sorted { $0.key < $1.key }.map { "\($0.key)=\(WebURL.percentEncoded($0.value))" }.joined(separator: "&")
        return await stage.api.respond(.get, path + "?" + query)
    }

    /// The inner URL of a link to the app, as the SDK reads it, if the SDK takes the link.
    private func callback(
        _ response: Response, scheme: String = scheme, type: String = "signInWithRedirect"
    ) throws -> [String: String] {
        #expect(response.status == .seeOther && response.headers[.cacheControl] == "no-store")
        let link = try #require(response.headers[.location])
        let start = "\(scheme)://firebaseauth/link?deep_link_id="
        try #require(link.hasPrefix(start), "\(link)")
        let inner = try WebURL(try #require(WebURL.formItems(in: "a=" + link.dropFirst(start.count)).first?.value))
        #expect(inner.origin == "https://auth.example" && inner.path == "/__/auth/callback")
        let items = Dictionary(uniqueKeysWithValues: inner.queryItems.map { ($0.name, $0.value) })
        #expect(items["eventId"] == "QWERTZUIOP" && items["authType"] == type)
        return items
    }

    private func failure(
        _ response: Response, scheme: String = scheme, type: String = "signInWithRedirect"
    ) throws -> (code: String?, message: String?) {
        let items = try callback(response, scheme: scheme, type: type)
        #expect(items["link"] == nil)
        let error = try JSON(Array(try #require(items["firebaseError"]).utf8))
        return (error["code"]?.string, error["message"]?.string)
    }

    /// The answer of the provider, which its user brings to this server.
    private func answer(_ stage: ProviderStage, _ opened: Response, email: String = "new@example.com") throws -> String {
        let page = try #require(opened.headers[.location])
        #expect(opened.status == .seeOther && page.hasPrefix(stage.provider.base.origin + "/page?"), "\(page)")
        return String(try stage.answer(to: page, email: email).split(separator: "#")[1])
    }

    private func bring(_ answer: String, _ stage: ProviderStage, isPosted: Bool = true) async -> Response {
        let path = "/__/auth/handler/shop/oidc.here"
        guard isPosted else { return await stage.api.respond(.get, path + "?" + answer) }
        let fields: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .origin: "https://provider.example", .secFetchSite: "cross-site",
        ]
        return await stage.api.respond(.post, path, headers: fields, body: Array(answer.utf8))
    }

    @Test func `begins at the provider's page, with the app's own wishes`() async throws {
        let stage = try await stage()
        let page = try WebURL(try #require(await open(stage).headers[.location]))
        let items = page.queryItems
        for item in [
            ("redirect_uri", "https://auth.example/__/auth/handler/shop/oidc.here"), ("scope", "openid email profile address phone"),
            ("prompt", "login"), ("response_mode", "form_post"), ("client_id", "shop"),
        ] {
            #expect(items.contains { $0 == item }, "\(item) is not in \(items)")
        }
    }

    @Test(arguments: [true, false])
    func `ends in the app, which signs in with its session id`(_ isPosted: Bool) async throws {
        let stage = try await stage()
        let sent = try answer(stage, await open(stage))
        let link = try #require(try callback(await bring(sent, stage, isPosted: isPosted))["link"])
        let post: [(String, JSON)] = [("postBody", "providerId=oidc.here")]
        for other in ["ABCDEFGHIK", Self.hash, nil] {
            #expect(await stage.finish(link, session: other, post).json["idToken"] == nil)
        }
        let done = await stage.finish(link, session: Self.session, post)
        #expect(done.status == 200 && done.json["isNewUser"] == .bool(true) && done.json["email"] == "new@example.com")
    }

    @Test func `ends in the scheme of a client id, if that is what the app has registered`() async throws {
        let stage = try await stage()
        let opened = await open(stage, ["appId": nil, "clientId": "42-x.apps.example.com"])
        #expect(try callback(await bring(try answer(stage, opened), stage), scheme: "com.example.apps.42-x")["link"] != nil)
    }

    @Test func `tells the app that the user does not agree`() async throws {
        let stage = try await stage()
        let page = try WebURL(try #require(await open(stage).headers[.location]))
        let state = try #require(page.queryItems.first { $0.name == "state" }?.value)
        let link = try #require(try callback(await bring("state=\(state)&error=access_denied", stage))["link"])
        #expect(await stage.finish(link, session: Self.session).json.errorCode == "USER_CANCELLED")
    }

    /// An app that is not registered could be another one that takes the links of this one.
    @Test(arguments: [
        (["ibi": "com.example.other"], "No Apple app of the project has the bundle id com.example.other and the scheme \(scheme)"),
        (["appId": "1:43:ios:ab12"], "the scheme app-1-43-ios-ab12"), (["appId": "x:javascript"], "the scheme app-x-javascript"),
        (["clientId": "javascript"], "The SDK of a phone sends"), (["clientId": "https"], "The SDK of a phone sends"),
        (["appId": "<script>"], "The SDK of a phone sends"), (["ibi": "<b>x.y</b>"], "The SDK of a phone sends"),
        (["eventId": ""], "The SDK of a phone sends"), (["appId": nil], "The SDK of a phone sends"),
        (["authType": nil], "The SDK of a phone sends"), (["apiKey": "no-key"], "No project of this server has the apiKey"),
        (["apn": "com.example.shop"], "onward dev only"),
    ])
    func `leads nowhere without a registered app`(_ changes: [String: String?], _ advice: String) async throws {
        let response = await open(try await stage(), changes)
        #expect(response.status == .badRequest && response.headers[.location] == nil)
        #expect(String(decoding: response.body, as: UTF8.self).contains(advice), "\(String(decoding: response.body, as: UTF8.self))")
    }

    @Test func `leads nowhere with an answer for an app that is not registered any more`() async throws {
        let (stage, other) = (try await stage(), try await ProviderStage())
        let app = WaitingApp(
            .apple(bundleID: "com.example.shop", scheme: Self.scheme), eventID: "QWERTZUIOP", authType: "signInWithRedirect")
        for (each, expected) in [(stage, HTTPResponse.Status.seeOther), (other, .badRequest)] {
            let world = each.api.world
            let visit = ProviderVisit(
                provider: "oidc.here", continueURI: "https://auth.example/__/auth/handler/shop/oidc.here", returnsTo: .app(app),
                random: world.random.bytes)
            let state = SealedVisit(visit, in: world.project.id, at: world.clock.now())
                .state(for: VisitSession(id: Self.session), by: world.secrets)
            #expect(await bring("state=\(state)&code=x", each).status == expected)
        }
    }

    @Test(arguments: [
        (["providerId": "oidc.unknown"], "auth/operation-not-allowed", "OPERATION_NOT_ALLOWED"),
        (["providerId": nil], "auth/internal-error", "MISSING_PROVIDER_ID"),
        (["sessionId": "ABCDEFGHIJ"], "auth/internal-error", "sessionId has to be the SHA-256"),
        (["sessionId": nil], "auth/internal-error", "sessionId has to be the SHA-256"),
        (["tid": "tenant-1"], "auth/internal-error", "Tenants"),
    ])
    func `tells the app what is wrong`(_ changes: [String: String?], _ code: String, _ message: String) async throws {
        let told = try failure(await open(try await stage(), changes))
        #expect(told.code == code && told.message?.contains(message) == true, "\(told)")
    }

    @Test func `tells the app that the provider does not answer`() async throws {
        let stage = try await ProviderStage(change: { project in
            project.apps = try RegisteredApps(
                apple: [AppleApp(bundleID: "com.example.shop", teamID: "ABCDE12345", customSchemes: [Self.scheme])])
            // No program listens there.
            project.providers["oidc.here"] = IdentityProvider(id: "oidc.here", clientIDs: ["shop"], url: "http://127.0.0.1:1")
        })
        #expect(try failure(await open(stage)).code == "auth/network-request-failed")
    }

    @Test func `is counted, so that a stranger cannot have the provider asked without end`() async throws {
        let stage = try await stage(limits: { $0.limits(of: 1) })
        #expect(try answer(stage, await open(stage)) != "")
        let told = try failure(await open(stage))
        #expect(told.code == "auth/too-many-requests" && told.message?.contains("try again in") == true, "\(told)")
    }

    /// Before it sends a text message, Apple's SDK asks for a page that tells people from robots.
    @Test func `tells an app at once that there is no check for sign-in by phone`() async throws {
        let told = try failure(
            await open(try await stage(), ["authType": "verifyApp", "providerId": nil, "sessionId": nil]), type: "verifyApp")
        #expect(told.code == "auth/operation-not-allowed")
        #expect(told.message?.contains("Sign-in by phone needs Google's check of the app") == true)
    }

    @Test func `is possible at the public origin, whose host Apple's SDK has to find in the list`() async throws {
        let stage = try await stage()
        let listed = try JSON(await stage.api.respond(.get, "/v1/projects?key=shop-key").body)
        #expect(listed["authorizedDomains"]?.items?.contains("auth.example") == true, "\(listed.text)")
    }

    @Suite struct `In development` {
        private let phone = `A phone's visit to a provider`()

        @Test func `goes by the page that plays a provider`() async throws {
            let stage = try await ProviderStage([], change: { $0.apps = .any })
            let opened = await phone.open(stage, at: "/emulator/auth/handler", ["providerId": "oidc.played"])
            let page = try #require(opened.headers[.location])
            #expect(page.hasPrefix("https://auth.example/emulator/provider?state="))
            let shown = await stage.api.respond(.get, String(page.dropFirst("https://auth.example".count)))
            #expect(shown.headers[.contentSecurityPolicy]?.contains("form-action 'self' \(scheme):") == true)
        }

        /// The form is that of the emulator's page; Android's SDK is closed.
        @Test func `ends in an Android app`() async throws {
            let stage = try await ProviderStage([], change: { $0.apps = .any })
            let opened = await phone.open(
                stage, at: "/emulator/auth/handler",
                ["ibi": nil, "appId": nil, "apn": "com.example.shop", "sessionId": "of an unknown form"])
            let link = try #require(await phone.bring(try phone.answer(stage, opened), stage).headers[.location])
            let start = "intent://firebase.auth/#Intent;scheme=genericidp;package=com.example.shop;S.authType=signInWithRedirect;"
            #expect(link.hasPrefix(start + "S.eventId=QWERTZUIOP;S.link="), "\(link)")
            let missing = WebURL.percentEncoded("https://auth.example/emulator/auth/handler?notInstalled=com.example.shop")
            #expect(link.hasSuffix(";B.encryptionEnabled=false;S.browser_fallback_url=\(missing);end;"))
            let encoded = try #require(link.split(separator: ";").first { $0.hasPrefix("S.link=") }?.dropFirst("S.link=".count))
            let answered = try #require(WebURL.formItems(in: "a=" + encoded).first?.value)
            #expect(await stage.finish(answered, session: "any").status == 200)
        }

        @Test(arguments: [
            ("apiKey=shop-key&appName=x&authType=signInViaPopup&providerId=google.com", "popupRedirectResolver: onwardResolver("),
            ("notInstalled=com.example.shop", "The device has no app"),
            ("apiKey=k&apn=%3Bpackage%3Dx&eventId=1&authType=signInWithRedirect&providerId=google.com", "apn has to be the package name"),
        ])
        func `says what the app lacks`(_ query: String, _ advice: String) async throws {
            let response = try await ProviderStage([], change: { $0.apps = .any }).api.respond(.get, "/emulator/auth/handler?" + query)
            #expect(response.status == .badRequest && response.headers[.location] == nil)
            #expect(String(decoding: response.body, as: UTF8.self).contains(advice))
        }
    }

    @Test func `is not begun in production at the emulator's path`() async throws {
        #expect(await open(try await stage(), at: "/emulator/auth/handler").status == .notFound)
    }
}
