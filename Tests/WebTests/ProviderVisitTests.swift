import Accounts
import Base
import Synchronization
import Testing
import World
@testable import Web

private let handlerPage = "https://app.example/__/auth/handler"

/// I12: a visit to a provider's page, from `createAuthUri` to `signInWithIdp`.
@Suite struct `A visit to a provider` {
    /// An API whose project has a provider on this machine, and that provider.
    private struct Stage {
        let api: API
        let provider: LoopbackServer

        init(_ variations: Set<API.Variation> = [.production]) async throws {
            let keys = Signer.backEnd.jwk(id: "key-1")
            let own = Box()
            let server = try LoopbackServer { request in
                let url = own.base
                if !request.contains("/.well-known/openid-configuration ") { return .answer(200, #"{"keys":[\#(keys)]}"#) }
                return .answer(200, #"{"issuer":"\#(url)","jwks_uri":"\#(url)/keys","authorization_endpoint":"\#(url)/page"}"#)
            }
            own.set(server.base.origin)
            provider = server
            api = try await API(
                variations,
                change: { project in
                    project.providers["oidc.here"] = IdentityProvider(id: "oidc.here", clientIDs: ["shop"], url: server.base.origin)
                })
        }

        func start(session: String = "session-1", page: String = handlerPage) async -> (status: Int, json: JSON) {
            await api.call(
                "accounts:createAuthUri",
                .object(["providerId": "oidc.here", "continueUri": .string(page), "sessionId": .string(session)]))
        }

        /// The page with the parameters that the provider adds for a user who signed in.
        func answer(to authURI: String, subject: String = "u-1", email: String = "ada@example.com") throws -> String {
            let items = Dictionary(uniqueKeysWithValues: try WebURL(authURI).queryItems.map { ($0.name, $0.value) })
            let now = api.world.clock.now().seconds
            let url = provider.base.origin
            let claims =
                #"{"iss":"\#(url)","aud":"shop","sub":"\#(subject)","iat":\#(now),"exp":\#(now + 3600),"nonce":"\#(items["nonce"] ?? "")","email":"\#(email)"}"#
            let token = try Signer.backEnd.token(claims, header: #"{"alg":"RS256","kid":"key-1"}"#)
            return "\(handlerPage)#state=\(items["state"] ?? "")&id_token=\(token)"
        }

        func finish(_ requestURI: String, session: String? = "session-1", _ more: [(String, JSON)] = []) async -> (status: Int, json: JSON)
        {
            var members: [JSON.Member] = [JSON.Member(name: "requestUri", value: .string(requestURI))]
            if let session { members.append(JSON.Member(name: "sessionId", value: .string(session))) }
            members += more.map { JSON.Member(name: $0.0, value: $0.1) }
            return await api.call("accounts:signInWithIdp", .object(members))
        }
    }

    private func authURI(_ answer: (status: Int, json: JSON)) throws -> String {
        #expect(answer.status == 200)
        return try #require(answer.json["authUri"]?.string)
    }

    @Test func `signs in`() async throws {
        let stage = try await Stage()
        let start = await stage.start()
        #expect(start.json["sessionId"] == "session-1" && start.json["providerId"] == "oidc.here")
        let answer = try stage.answer(to: authURI(start), email: "new@example.com")
        let done = await stage.finish(answer)
        #expect(done.status == 200 && done.json["isNewUser"] == .bool(true) && done.json["idToken"] != nil)
        #expect(done.json["providerId"] == "oidc.here" && done.json["federatedId"] == "u-1")
    }

    /// The code or token was made for one client; another one must not be signed in by it.
    @Test(arguments: ["another session", "no session", "another page", "too late", "a damaged state", "another project's state"])
    func `signs nobody in by the answer to someone else`(_ fault: String) async throws {
        let stage = try await Stage()
        var answer = try stage.answer(to: authURI(await stage.start()), email: "new@example.com")
        var session: String? = "session-1"
        switch fault {
        case "another session": session = "session-2"
        case "no session": session = nil
        case "another page": answer = answer.replacing("/__/auth/handler", with: "/other")
        case "too late": stage.api.world.clock.advance(by: SealedVisit.lifetime)
        case "a damaged state": answer = answer.replacing("state=", with: "state=A")
        default:
            let visit = ProviderVisit(provider: "oidc.here", continueURI: handlerPage, random: stage.api.world.random.bytes)
            let sealed = SealedVisit(visit, in: ProjectID(rawValue: "other"), at: stage.api.world.clock.now())
            answer = "\(handlerPage)#state=\(sealed.state(for: "session-1", by: stage.api.world.secrets))&id_token=x"
        }
        let done = await stage.finish(answer, session: session)
        #expect(done.status == 400 && done.json["idToken"] == nil)
        #expect(
            try await stage.api.world.signedAccounts().profiles(
                [.linked(provider: "oidc.here", wireID: "u-1")], in: stage.api.world.project.id
            )
            .isEmpty)
    }

    @Test func `tells what the provider reports, and nothing that it invents`() async throws {
        let stage = try await Stage()
        for (error, message) in [
            ("access_denied", "USER_CANCELLED : The user did not let the app sign in"),
            ("user_cancelled_authorize", "USER_CANCELLED : The user did not let the app sign in"),
            ("server_error", "INVALID_IDP_RESPONSE : The provider reports server_error"),
            ("<script>", "INVALID_IDP_RESPONSE : The provider reports an error"),
        ] {
            let state = try #require(try WebURL(authURI(await stage.start())).queryItems.first { $0.name == "state" }?.value)
            let done = await stage.finish("\(handlerPage)?error=\(WebURL.percentEncoded(error))&state=\(state)")
            #expect(done.json["error"]?["message"]?.string == message)
        }
    }

    @Test func `is not read from a URL that parsers read differently`() async throws {
        let stage = try await Stage()
        let answer = try stage.answer(to: authURI(await stage.start()), email: "new@example.com")
        #expect(await stage.finish(answer + "&q=50%").json.errorCode == "INVALID_REQUEST_URI")
        #expect(await stage.finish(answer).status == 200)
    }

    /// The client whose address has another account signs in to it, and links the provider then.
    @Test func `gives a token that links its user later`() async throws {
        let stage = try await Stage()
        let conflict = await stage.finish(try stage.answer(to: authURI(await stage.start())))
        #expect(conflict.json["needConfirmation"] == .bool(true) && conflict.json["idToken"] == nil)
        let token = try #require(conflict.json["pendingToken"])
        let held = try await stage.api.tokens(of: "ada")
        let linked = await stage.finish(
            handlerPage, session: nil, [("pendingToken", token), ("idToken", .string(held.idToken))])
        #expect(linked.status == 200 && linked.json["localId"] == "ada" && linked.json["federatedId"] == "u-1")
        let again = await stage.finish(handlerPage, session: nil, [("pendingToken", token)])
        #expect(again.status == 200 && again.json["localId"] == "ada")
        stage.api.world.clock.advance(by: .seconds(300))
        #expect(await stage.finish(handlerPage, session: nil, [("pendingToken", token)]).json.errorCode == "INVALID_PENDING_TOKEN")
    }

    @Test func `leads to no page that is not the project's`() async throws {
        let stage = try await Stage()
        for (page, refusal) in [
            ("https://evil.example/", "UNAUTHORIZED_DOMAIN"), ("https://app.example/#x", "INVALID_CONTINUE_URI"),
            ("com.example.shop:/x", "INVALID_CONTINUE_URI"),
        ] {
            #expect(await stage.start(page: page).json.errorCode == refusal)
        }
    }
}

/// A text that is known after its reader was made.
private final class Box: Sendable {
    private let text = Mutex("")
    var base: String { text.withLock { $0 } }
    func set(_ new: String) { text.withLock { $0 = new } }
}
