import Accounts
import Base
import Testing
import World
@testable import Web

/// I12: a visit to a provider's page, from `createAuthUri` to `signInWithIdp`.
@Suite struct `A visit to a provider` {
    @Test func `signs in`() async throws {
        let stage = try await ProviderStage()
        let start = await stage.start()
        #expect(start.json["sessionId"] == "session-1" && start.json["providerId"] == "oidc.here")
        let answer = try stage.answer(to: ProviderStage.authURI(start), email: "new@example.com")
        let done = await stage.finish(answer)
        #expect(done.status == 200 && done.json["isNewUser"] == .bool(true) && done.json["idToken"] != nil)
        #expect(done.json["providerId"] == "oidc.here" && done.json["federatedId"] == "u-1")
    }

    /// The code or token was made for one client; another one must not be signed in by it.
    @Test(arguments: ["another session", "no session", "another page", "too late", "a damaged state", "another project's state"])
    func `signs nobody in by the answer to someone else`(_ fault: String) async throws {
        let stage = try await ProviderStage()
        var answer = try stage.answer(to: ProviderStage.authURI(await stage.start()), email: "new@example.com")
        var session: String? = "session-1"
        switch fault {
        case "another session": session = "session-2"
        case "no session": session = nil
        case "another page": answer = answer.replacing("/__/auth/handler", with: "/other")
        case "too late": stage.api.world.clock.advance(by: SealedVisit.lifetime)
        case "a damaged state": answer = answer.replacing("state=", with: "state=A")
        default:
            let visit = ProviderVisit(provider: "oidc.here", continueURI: ProviderStage.page, random: stage.api.world.random.bytes)
            let sealed = SealedVisit(visit, in: ProjectID(rawValue: "other"), at: stage.api.world.clock.now())
            answer =
                "\(ProviderStage.page)#state=\(sealed.state(for: VisitSession(id: "session-1"), by: stage.api.world.secrets))&id_token=x"
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
        let stage = try await ProviderStage()
        for (error, message) in [
            ("access_denied", "USER_CANCELLED : The user did not let the app sign in"),
            ("user_cancelled_authorize", "USER_CANCELLED : The user did not let the app sign in"),
            ("server_error", "INVALID_IDP_RESPONSE : The provider reports server_error"),
            ("<script>", "INVALID_IDP_RESPONSE : The provider reports an error"),
        ] {
            let state = try #require(try WebURL(ProviderStage.authURI(await stage.start())).queryItems.first { $0.name == "state" }?.value)
            let done = await stage.finish("\(ProviderStage.page)?error=\(WebURL.percentEncoded(error))&state=\(state)")
            #expect(done.json["error"]?["message"]?.string == message)
        }
    }

    @Test func `is not read from a URL that parsers read differently`() async throws {
        let stage = try await ProviderStage()
        let answer = try stage.answer(to: ProviderStage.authURI(await stage.start()), email: "new@example.com")
        #expect(await stage.finish(answer + "&q=50%").json.errorCode == "INVALID_REQUEST_URI")
        #expect(await stage.finish(answer).status == 200)
    }

    /// The client whose address has another account signs in to it, and links the provider then.
    @Test func `gives a token that links its user later`() async throws {
        let stage = try await ProviderStage()
        let conflict = await stage.finish(try stage.answer(to: ProviderStage.authURI(await stage.start())))
        #expect(conflict.json["needConfirmation"] == .bool(true) && conflict.json["idToken"] == nil)
        let token = try #require(conflict.json["pendingToken"])
        let held = try await stage.api.tokens(of: "ada")
        let linked = await stage.finish(
            ProviderStage.page, session: nil, [("pendingToken", token), ("idToken", .string(held.idToken))])
        #expect(linked.status == 200 && linked.json["localId"] == "ada" && linked.json["federatedId"] == "u-1")
        let again = await stage.finish(ProviderStage.page, session: nil, [("pendingToken", token)])
        #expect(again.status == 200 && again.json["localId"] == "ada")
        stage.api.world.clock.advance(by: .seconds(300))
        #expect(await stage.finish(ProviderStage.page, session: nil, [("pendingToken", token)]).json.errorCode == "INVALID_PENDING_TOKEN")
    }

    @Test func `leads to no page that is not the project's`() async throws {
        let stage = try await ProviderStage()
        for (page, refusal) in [
            ("https://evil.example/", "UNAUTHORIZED_DOMAIN"), ("https://app.example/#x", "INVALID_CONTINUE_URI"),
            ("com.example.shop:/x", "INVALID_CONTINUE_URI"),
        ] {
            #expect(await stage.start(page: page).json.errorCode == refusal)
        }
    }
}
