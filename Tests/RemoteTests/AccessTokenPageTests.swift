import Accounts
import Base
import Cryptography
import Foundation
import Logging
import Network
import Synchronization
import Testing
import World
@testable import Remote

/// I12, I15: sign-in by the pages of Facebook and GitHub, played by a server on this machine.
@Suite struct `The page of a provider of access tokens` {
    private static let shop = ProjectID(rawValue: "shop")
    private static let handler = "https://app.example/__/auth/handler"
    private static let secret = "app secret"

    /// A provider that gives `token` for `code`, and its user.
    private struct Stage {
        let id: String
        let server: LoopbackServer
        let log = Reasons()

        init(_ id: String, app: String = "app-1", answer: LoopbackServer.Act? = nil) throws {
            self.id = id
            server = try LoopbackServer { request in
                let target = request.split(separator: " ").dropFirst().first.map { $0.prefix { $0 != "?" } } ?? ""
                switch target {
                case "/oauth/access_token", "/login/oauth/access_token": return answer ?? .answer(200, #"{"access_token":"token"}"#)
                case "/debug_token":
                    return .answer(200, #"{"data":{"app_id":"\#(app)","type":"USER","is_valid":true,"user_id":"77","expires_at":0}}"#)
                case "/me": return .answer(200, #"{"id":"77","name":"Ada L"}"#)
                case "/applications/app-1/token": return app == "app-1" ? .answer(200, #"{"user":{"id":77}}"#) : .answer(404, "{}")
                case "/user": return .answer(200, #"{"login":"ada","id":77}"#)
                default: return .answer(404, "{}")
                }
            }
        }

        var settings: IdentityProvider? {
            IdentityProvider(id: id, clientIDs: ["app-1"], clientSecret: secret, url: server.base.origin)
        }

        var visit: ProviderVisit {
            ProviderVisit(provider: id, continueURI: handler, rawNonce: "the-nonce", codeVerifier: "the-verifier")
        }

        func verifier() -> ProviderVerifier {
            let logger = Logger(label: "test") { [log] _ in log.handler }
            let clock = TestClock()
            return ProviderVerifier(
                clients: ProviderClients(uptime: clock.uptime, logger: logger), secrets: TestProvider.secrets, now: clock.now,
                logger: logger)
        }

        func finish(_ code: String? = "the code") async throws(ActionError) -> (VerifiedIdentity, ProviderCredential) {
            var answer = ProviderAnswer()
            answer.code = code
            return try await verifier().verify(answer, of: visit, settings, in: shop)
        }
    }

    @Test(arguments: [
        ("facebook.com", "/dialog/oauth", "public_profile email"), ("github.com", "/login/oauth/authorize", "read:user user:email"),
    ])
    func `the page of a provider of access tokens is asked for a code, with a challenge`(_ id: String, _ path: String, _ scope: String)
        async throws
    {
        let stage = try Stage(id)
        var request = ProviderPageRequest(stage.visit, state: "the state")
        request.parameters = [("redirect_uri", "https://evil.example"), ("code_challenge", "x"), ("allow_signup", "false")]
        let page = try await stage.verifier().page(request, at: stage.settings, in: Self.shop)
        #expect(page.hasPrefix(stage.server.base.origin + path + "?"))
        let items = Dictionary(uniqueKeysWithValues: try WebURL(page).queryItems.map { ($0.name, $0.value) })
        #expect(
            items == [
                "response_type": "code", "client_id": "app-1", "redirect_uri": Self.handler, "scope": scope, "state": "the state",
                "code_challenge": Base64URL.encode(HashFunction.sha256.hash(Array("the-verifier".utf8))),
                "code_challenge_method": "S256", "allow_signup": "false",
            ])
        #expect(stage.server.now.connections == 0)
    }

    @Test(arguments: ["facebook.com", "github.com"]) func `the page of a provider of access tokens signs its user in by a code`(
        _ id: String
    ) async throws {
        let stage = try Stage(id)
        let (identity, credential) = try await stage.finish()
        #expect(identity.provider == id && identity.rawID == "77")
        #expect(credential.accessToken == "token" && credential.idToken == nil && credential.pendingToken != nil)
        let request = try #require(stage.server.now.requests.first)
        #expect(request.hasPrefix("POST ") && request.contains("Accept: application/json\r\n"))
        for part in [
            "code=the%20code", "code_verifier=the-verifier", "client_secret=app%20secret", "redirect_uri=https%3A%2F%2Fapp.example",
        ] {
            #expect(request.contains(part))
        }
    }

    /// A token that another app got is refused even if the provider gave it for a code.
    @Test(arguments: ["facebook.com", "github.com"]) func `the page of a provider of access tokens signs nobody in by another app's token`(
        _ id: String
    ) async throws {
        let stage = try Stage(id, app: "app-of-evil")
        #expect(await failure { () async throws(ActionError) in try await stage.finish().0 }?.refusal == .invalidIDPResponse)
        #expect(stage.log.take() == [.wrongAudience])
    }

    @Test(arguments: [
        ("facebook.com", 400, #"{"error":{"message":"This authorization code has been used.","type":"OAuthException","code":100}}"#),
        ("github.com", 200, #"{"error":"bad_verification_code"}"#),
    ]) func `the page of a provider of access tokens signs nobody in by a code that the provider refuses`(
        _ id: String, _ status: Int, _ body: String
    ) async throws {
        let stage = try Stage(id, answer: .answer(status, body))
        #expect(await failure { () async throws(ActionError) in try await stage.finish().0 }?.refusal == .invalidIDPResponse)
        #expect(stage.log.take() == [.refusedByProvider])
        #expect(await failure { () async throws(ActionError) in try await stage.finish(nil).0 }?.refusal == .invalidIDPResponse)
        #expect(stage.log.take() == [.noCredential])
    }

    @Test func `the page of a provider of access tokens says that the registration is wrong`() async throws {
        let stage = try Stage("github.com", answer: .answer(200, #"{"error":"incorrect_client_credentials"}"#))
        guard case .unavailable(let down)? = await failure({ () async throws(ActionError) in try await stage.finish().0 }) else {
            throw CocoaError(.featureUnsupported)
        }
        #expect(down.cause.hasSuffix("it refuses the client id or the client secret"))
    }

    @Test(
        arguments: [
            ("facebook.com", nil, "https://www.facebook.com/dialog/oauth", "https://graph.facebook.com/oauth/access_token"),
            (
                "facebook.com", "https://graph.facebook.com/v23.0", "https://www.facebook.com/v23.0/dialog/oauth",
                "https://graph.facebook.com/v23.0/oauth/access_token"
            ),
            ("github.com", nil, "https://github.com/login/oauth/authorize", "https://github.com/login/oauth/access_token"),
            (
                "github.com", "https://git.acme.example/api/v3", "https://git.acme.example/login/oauth/authorize",
                "https://git.acme.example/login/oauth/access_token"
            ),
        ] as [(String, String?, String, String)])
    func `the page of a provider of access tokens is where the provider has it`(
        _ id: String, _ url: String?, _ page: String, _ token: String
    ) throws {
        let provider = try #require(IdentityProvider(id: id, clientIDs: ["a"], clientSecret: "s", url: url))
        let endpoints = try #require(CodeEndpoints(of: provider))
        #expect(endpoints.page?.serialized == page && endpoints.token?.serialized == token)
    }
}
