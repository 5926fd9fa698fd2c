import Accounts
import Base
import Cryptography
import Logging
import Synchronization
import Testing
import World
@testable import Remote

/// I8: Facebook and GitHub, played by a server on this machine.
@Suite struct `An access token of a provider` {
    private static let secret = "app-secret"

    /// A server, the requests that it saw, and a verifier that asks it.
    private struct Stage {
        let server: LoopbackServer
        let log = Reasons()
        let clock = TestClock()

        func verify(_ id: String, _ token: String?, verifiesEmail: Bool? = nil) async throws(ActionError) -> VerifiedIdentity {
            let logger = Logger(label: "test") { [log] _ in log.handler }
            let verifier = ProviderVerifier(
                clients: ProviderClients(uptime: clock.uptime, logger: logger), secrets: TestProvider.secrets, now: clock.now,
                logger: logger)
            var credential = ProviderCredential(provider: id)
            credential.accessToken = token
            var settings = IdentityProvider(id: id, clientIDs: ["app-1"], clientSecret: secret, url: server.base.origin)
            settings?.verifiesEmail = verifiesEmail
            return try await verifier.verify(credential, settings, in: ProjectID(rawValue: "shop"))
        }
    }

    /// - Parameter answers: the responses by the start of the request's target.
    private func stage(_ answers: [String: LoopbackServer.Act]) throws -> Stage {
        Stage(
            server: try LoopbackServer { request in
                let target = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                return answers.first { target.prefix { $0 != "?" } == $0.key }?.value ?? .answer(404, "{}")
            })
    }

    private static let debugToken = #"{"data":{"app_id":"app-1","type":"USER","is_valid":true,"user_id":"77","expires_at":1800003600}}"#
    private static let me = #"{"id":"77","name":"Ada L","email":"ada@app.example","picture":{"data":{"url":"https://f.example/p"}}}"#

    @Test func `of Facebook proves its user, with the secret of the app`() async throws {
        let stage = try stage(["/debug_token": .answer(200, Self.debugToken), "/me": .answer(200, Self.me)])
        let identity = try await stage.verify("facebook.com", "EAAB|x&y")
        // I18: the id is that of this app only.
        #expect(identity.rawID == "77" && identity.audience == "app-1" && identity.email == .ada && !identity.isEmailVerified)
        #expect(identity.profile.fullName == "Ada L" && identity.profile.photoURL == "https://f.example/p")
        let requests = stage.server.now.requests
        #expect(requests[0].contains("input_token=EAAB%7Cx%26y&access_token=app-1%7Capp-secret"))
        let proof = HMACKey(SecretBytes(Array(Self.secret.utf8)), .sha256).authenticate(Array("EAAB|x&y".utf8))
        #expect(requests[1].contains("appsecret_proof=\(proof.hexadecimal)&"))
    }

    @Test(arguments: [
        (debugToken.replacing("app-1", with: "app-of-evil"), CredentialRefusal.wrongAudience),
        (debugToken.replacing("true", with: "false"), .refusedByProvider), (#"{"data":{}}"#, .refusedByProvider),
        ("{}", .refusedByProvider),
        (debugToken.replacing("USER", with: "PAGE"), .malformedClaims), (debugToken.replacing("1800003600", with: "1800000000"), .expired),
    ])
    func `of Facebook is refused unless it is a user's and for this app`(_ answer: String, _ reason: CredentialRefusal) async throws {
        let stage = try stage(["/debug_token": .answer(200, answer), "/me": .answer(200, Self.me)])
        let error = await failure { () async throws(ActionError) in try await stage.verify("facebook.com", "EAAB") }
        #expect(error?.refusal == .invalidIDPResponse && stage.log.take() == [reason])
        #expect(stage.server.now.requests.count == 1)
    }

    private static let check = #"{"id":1,"user":{"login":"ada","id":4077},"scopes":["user:email"]}"#
    private static let user = #"{"login":"ada","id":4077,"name":null,"avatar_url":"https://g.example/a"}"#
    private static let emails = #"[{"email":"old@app.example","verified":true},{"email":"ada@app.example","primary":true,"verified":true}]"#
    private static let gitHub: [String: LoopbackServer.Act] = [
        "/applications/app-1/token": .answer(200, check), "/user": .answer(200, user), "/user/emails": .answer(200, emails),
    ]

    @Test func `of GitHub proves its user, if this app got it`() async throws {
        let stage = try stage(Self.gitHub)
        let identity = try await stage.verify("github.com", "gho_1")
        #expect(identity.rawID == "4077" && identity.email == .ada && !identity.isEmailVerified)
        #expect(identity.profile.fullName == "ada" && identity.profile.screenName == "ada")
        let requests = stage.server.now.requests
        #expect(requests[0].hasPrefix("POST ") && requests[0].contains("Authorization: Basic YXBwLTE6YXBwLXNlY3JldA=="))
        #expect(requests[0].hasSuffix(#"{"access_token":"gho_1"}"#))
        #expect(requests.dropFirst().allSatisfy { $0.contains("Authorization: Bearer gho_1\r\n") })
        #expect(try await stage.verify("github.com", "gho_1", verifiesEmail: true).isEmailVerified)
    }

    @Test func `of GitHub is refused if another app got it`() async throws {
        let stage = try stage(Self.gitHub.merging(["/applications/app-1/token": .answer(404, "{}")]) { $1 })
        let error = await failure { () async throws(ActionError) in try await stage.verify("github.com", "gho_1") }
        #expect(error?.refusal == .invalidIDPResponse && stage.log.take() == [.wrongAudience])
    }

    @Test func `of GitHub is refused if it is of two users`() async throws {
        let stage = try stage(Self.gitHub.merging(["/user": .answer(200, Self.user.replacing("4077", with: "4078"))]) { $1 })
        let error = await failure { () async throws(ActionError) in try await stage.verify("github.com", "gho_1") }
        #expect(error?.refusal == .invalidIDPResponse)
    }

    @Test func `of GitHub may keep the addresses to itself`() async throws {
        let stage = try stage(Self.gitHub.merging(["/user/emails": .answer(403, "{}")]) { $1 })
        #expect(try await stage.verify("github.com", "gho_1", verifiesEmail: true).email == nil)
    }

    /// I8: nothing that a client sends becomes a separate header or request.
    @Test(arguments: ["", "a b", "a\r\nX: y", "a\0b", "gh\u{e9}", String(repeating: "a", count: 5_000)])
    func `that could break a request is not sent`(_ token: String) async throws {
        let stage = try stage([:])
        for id in ["facebook.com", "github.com"] {
            let error = await failure { () async throws(ActionError) in try await stage.verify(id, token) }
            #expect(error?.refusal == .invalidIDPResponse)
        }
        #expect(stage.server.now.connections == 0)
    }

    @Test(arguments: ["facebook.com", "github.com"], [LoopbackServer.Act.cut, .answer(503, "{}"), .answer(200, "<html>")])
    func `is not judged while the provider is in trouble`(_ id: String, _ act: LoopbackServer.Act) async throws {
        let stage = Stage(server: try LoopbackServer { _ in act })
        let error = await failure { () async throws(ActionError) in try await stage.verify(id, "token") }
        guard case .unavailable(let down)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(down.part == .provider && !down.cause.contains("token="))
    }
}
