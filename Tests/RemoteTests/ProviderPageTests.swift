import Accounts
import Base
import Foundation
import Network
import Testing
import World
@testable import Remote

/// I12: sign-in by the page of a provider, played by a server on this machine.
@Suite struct `The page of a provider` {
    private static let shop = ProjectID(rawValue: "shop")
    private static let handler = "https://app.example/__/auth/handler?a=b"

    private func visit(_ number: Int = 1) -> ProviderVisit {
        ProviderVisit(
            provider: "oidc.acme", continueURI: Self.handler, rawNonce: "nonce-\(number)", codeVerifier: "verifier-\(number)")
    }

    private func items(_ page: String) throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try WebURL(page).queryItems.map { ($0.name, $0.value) })
    }

    private func page(_ provider: PageProvider, _ visit: ProviderVisit, secret: String? = PageProvider.secret) async throws -> String {
        try await provider.verifier().page(ProviderPageRequest(visit, state: "state"), at: provider.settings(secret), in: Self.shop)
    }

    @Test func `the page of a provider is asked for a code, with a nonce and a challenge`() async throws {
        let provider = try PageProvider()
        var request = ProviderPageRequest(visit(), state: "the state")
        (request.scopes, request.loginHint) = (["email", "calendar"], "ada@app.example")
        request.parameters = [("prompt", "login"), ("redirect_uri", "https://evil.example"), ("nonce", "0")]
        let page = try await provider.verifier().page(request, at: provider.settings(), in: Self.shop)
        #expect(page.hasPrefix("\(provider.url)/page?brand=acme&"))
        var found = try items(page)
        #expect(found.removeValue(forKey: "nonce")?.count == 64 && found.removeValue(forKey: "code_challenge")?.count == 43)
        #expect(
            found == [
                "brand": "acme", "response_type": "code", "client_id": "shop-web", "redirect_uri": Self.handler,
                "scope": "openid email profile calendar", "state": "the state", "prompt": "login", "login_hint": "ada@app.example",
                "code_challenge_method": "S256",
            ])
        // Neither secret is in the URL.
        #expect(!page.contains("verifier-1") && !page.contains("nonce-1"))
    }

    @Test func `the page of a provider signs its user in by a code`() async throws {
        let provider = try PageProvider()
        let answer = try provider.signIn(at: try await page(provider, visit()))
        let (identity, credential) = try await provider.verifier().verify(answer, of: visit(), provider.settings(), in: Self.shop)
        #expect(identity.provider == "oidc.acme" && identity.rawID == "user-1" && identity.email == .ada)
        #expect(credential.idToken != nil && credential.accessToken == "at-1")
        #expect(provider.tokenRequests.count == 1)
    }

    @Test func `the page of a provider gets the client secret as a password where it does not take it in a form`() async throws {
        let provider = try PageProvider()
        provider.takesPasswords()
        let answer = try provider.signIn(at: try await page(provider, visit()))
        _ = try await provider.verifier().verify(answer, of: visit(), provider.settings(), in: Self.shop)
        #expect(provider.tokenRequests.allSatisfy { !$0.contains("client_secret") })
    }

    @Test func `the page of a provider signs its user in by an ID token where there is no secret`() async throws {
        let provider = try PageProvider()
        let page = try await page(provider, visit(), secret: nil)
        #expect(try items(page)["response_type"] == "id_token" && items(page)["code_challenge"] == nil)
        let answer = try provider.signIn(at: page)
        let (identity, _) = try await provider.verifier().verify(answer, of: visit(), provider.settings(nil), in: Self.shop)
        #expect(identity.rawID == "user-1")
        #expect(provider.tokenRequests.isEmpty)
    }

    /// A code or token that was stolen or injected.
    @Test func `the page of a provider signs nobody in by the answer of another visit`() async throws {
        let provider = try PageProvider()
        let verifier = provider.verifier()
        let code = try provider.signIn(at: try await page(provider, visit(1)))
        #expect(
            await failure { () async throws(ActionError) in
                try await verifier.verify(code, of: visit(2), provider.settings(), in: Self.shop).0
            }?.refusal == .invalidIDPResponse)
        let token = try provider.signIn(at: try await page(provider, visit(1), secret: nil))
        #expect(
            await failure { () async throws(ActionError) in
                try await verifier.verify(token, of: visit(2), provider.settings(nil), in: Self.shop).0
            }?.refusal == .missingOrInvalidNonce)
    }

    @Test func `the page of a provider signs its user in once by a code`() async throws {
        let provider = try PageProvider()
        let verifier = provider.verifier()
        let answer = try provider.signIn(at: try await page(provider, visit()))
        _ = try await verifier.verify(answer, of: visit(), provider.settings(), in: Self.shop)
        #expect(
            await failure { () async throws(ActionError) in
                try await verifier.verify(answer, of: visit(), provider.settings(), in: Self.shop).0
            }?.refusal == .invalidIDPResponse)
        #expect(provider.log.take() == [.refusedByProvider])
    }

    /// Each claim of a lying provider, and each fault of its token endpoint.
    @Test(arguments: [
        (["nonce": #""0""#], CredentialRefusal.wrongNonce), (["nonce": "null"], .wrongNonce),
        (["iss": #""https://evil.example""#], .wrongIssuer),
        (["aud": #""other""#], .wrongAudience), (["exp": "1"], .expired),
    ])
    func `the page of a provider is not believed if it lies`(_ claims: [String: String], _ reason: CredentialRefusal) async throws {
        let provider = try PageProvider()
        provider.lie(claims)
        let answer = try provider.signIn(at: try await page(provider, visit()))
        #expect(
            await failure { () async throws(ActionError) in
                try await provider.verifier().verify(answer, of: visit(), provider.settings(), in: Self.shop).0
            }?.refusal != nil)
        #expect(provider.log.take() == [reason])
    }

    /// RFC 9207: the answer of a provider that the user was not sent to.
    @Test func `the page of a provider is the one that answers`() async throws {
        let provider = try PageProvider()
        var answer = try provider.signIn(at: try await page(provider, visit()))
        answer.issuer = "https://evil.example"
        let mixedUp = answer
        #expect(
            await failure { () async throws(ActionError) in
                try await provider.verifier().verify(mixedUp, of: visit(), provider.settings(), in: Self.shop).0
            }?.refusal == .invalidIDPResponse)
        #expect(provider.tokenRequests.isEmpty)
    }

    @Test(arguments: [
        LoopbackServer.Act.answer(503, ""), .answer(200, "<html>"), .cut, .answer(401, #"{"error":"invalid_client"}"#),
        .answer(400, #"{"error":"unauthorized_client"}"#),
    ])
    func `the page of a provider refuses nobody while its token endpoint is out of order`(_ act: LoopbackServer.Act) async throws {
        let provider = try PageProvider()
        provider.fail(act)
        let answer = try provider.signIn(at: try await page(provider, visit()))
        let error = await failure { () async throws(ActionError) in
            try await provider.verifier().verify(answer, of: visit(), provider.settings(), in: Self.shop).0
        }
        guard case .unavailable(let down)? = error else { throw CocoaError(.featureUnsupported) }
        #expect(down.part == .provider && !down.cause.contains(PageProvider.secret))
    }

    @Test func `the page of a provider is not waited for longer than the deadline`() async throws {
        let provider = try PageProvider()
        let answer = try provider.signIn(at: try await page(provider, visit()))
        provider.fail(.hang)
        // Without a deadline this would never end.
        let error = await failure { () async throws(ActionError) in
            try await provider.verifier(deadline: .seconds(3)).verify(answer, of: visit(), provider.settings(), in: Self.shop).0
        }
        guard case .unavailable? = error else { throw CocoaError(.featureUnsupported) }
    }

    /// A discovery document cannot make the server send the secret in the clear, or elsewhere than
    /// it says.
    @Test func `the page of a provider gets no secret at a URL that is not secure`() async throws {
        let provider = try PageProvider()
        provider.setTokenEndpoint("http://evil.example/token")
        let answer = try provider.signIn(at: try await page(provider, visit()))
        let error = await failure { () async throws(ActionError) in
            try await provider.verifier().verify(answer, of: visit(), provider.settings(), in: Self.shop).0
        }
        guard case .unavailable(let down)? = error else { throw CocoaError(.featureUnsupported) }
        #expect(down.cause.hasSuffix("the discovery document has no token_endpoint at an https URL"))
    }
}
