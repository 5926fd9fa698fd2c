import Accounts
import Synchronization
import Testing
import World
@testable import Remote

/// I7: when a provider is asked for its keys, and what is used while it does not answer.
@Suite struct `The keys of a provider` {
    private let provider: TestProvider
    private let verifier: ProviderVerifier

    init() throws {
        provider = try TestProvider()
        verifier = provider.verifier()
    }

    private static let requestsOfAFetch = 2

    private func signIn(_ signer: Signer = .backEnd, key: String = "key-1") async -> ActionError? {
        await failure { () async throws(ActionError) in
            let token = (try? provider.token(by: signer, header: #"{"alg":"RS256","kid":"\#(key)"}"#)) ?? ""
            return try await verifier.verify(idToken: token, provider.settings())
        }
    }

    @Test func `are fetched once for as long as they may be cached`() async throws {
        for _ in 0..<3 { #expect(await signIn() == nil) }
        #expect(provider.requestCount == Self.requestsOfAFetch)
        provider.clock.advance(by: .seconds(3_599))
        #expect(await signIn() == nil)
        #expect(provider.requestCount == Self.requestsOfAFetch)
        provider.clock.advance(by: .seconds(1))
        #expect(await signIn() == nil)
        #expect(provider.requestCount == 2 * Self.requestsOfAFetch)
    }

    @Test func `are fetched again for a key that is new`() async throws {
        #expect(await signIn() == nil)
        provider.rotate(to: .attacker, id: "key-2")
        provider.clock.advance(by: OpenIDIssuers.refreshInterval)
        #expect(await signIn(.attacker, key: "key-2") == nil)
        #expect(await signIn()?.refusal == .invalidIDPResponse, "the withdrawn key")
    }

    /// Providers with one key may give each the same id, or none.
    @Test func `are fetched again for a key that was replaced under its id`() async throws {
        #expect(await signIn() == nil)
        provider.rotate(to: .attacker, id: "key-1")
        #expect(await signIn(.attacker)?.refusal == .invalidIDPResponse, "they were fetched a moment ago")
        provider.clock.advance(by: OpenIDIssuers.refreshInterval)
        #expect(await signIn(.attacker) == nil)
        #expect(await signIn()?.refusal == .invalidIDPResponse, "the withdrawn key")
    }

    /// A stranger's tokens with wrong signatures, too, cause two requests in half a minute.
    @Test func `are not fetched for each wrong signature`() async throws {
        #expect(await signIn() == nil)
        provider.clock.advance(by: OpenIDIssuers.refreshInterval)
        for _ in 0..<20 { #expect(await signIn(.attacker)?.refusal == .invalidIDPResponse) }
        #expect(provider.requestCount == 2 * Self.requestsOfAFetch)
        #expect(await signIn() == nil)
    }

    /// A stranger's tokens with invented key ids cause two requests in half a minute.
    @Test func `are not fetched for each key that is invented`() async throws {
        #expect(await signIn() == nil)
        provider.clock.advance(by: OpenIDIssuers.refreshInterval)
        for number in 0..<20 { #expect(await signIn(key: "invented-\(number)")?.refusal == .invalidIDPResponse) }
        #expect(provider.requestCount == 2 * Self.requestsOfAFetch)
        #expect(await signIn() == nil)
    }

    @Test(arguments: [TestProvider.Trouble.down, .cut, .garbage])
    func `are used for a day longer while the provider is in trouble`(_ trouble: TestProvider.Trouble) async throws {
        #expect(await signIn() == nil)
        provider.set(trouble)
        provider.clock.advance(by: .seconds(3_600))
        #expect(await signIn() == nil)
        provider.clock.advance(by: OpenIDIssuers.staleLifetime - .seconds(1))
        #expect(await signIn() == nil)
        provider.clock.advance(by: .seconds(1))
        guard case .unavailable(let down)? = await signIn() else { throw TooLong() }
        #expect(down.part == .provider)
        provider.set(.none)
        provider.clock.advance(by: OpenIDIssuers.retryInterval)
        #expect(await signIn() == nil)
    }

    private struct TooLong: Error {}

    @Test func `are not asked for at each sign-in while the provider is down`() async throws {
        provider.set(.down)
        for _ in 0..<10 { #expect(await signIn()?.refusal == nil) }
        #expect(provider.requestCount == 1)
    }

    /// I2: nothing is believed of a document that names another issuer, or keys elsewhere than at
    /// https.
    @Test func `are not taken from the document of another issuer`() async throws {
        provider.setIssuer("https://accounts.evil.example")
        guard case .unavailable? = await signIn() else { throw TooLong() }
    }

    /// I13: a connection that was made for the configuration file's provider is not used either.
    @Test func `are not fetched at a private address for a provider that an admin set`() async throws {
        #expect(await signIn() == nil)
        let asked = provider.requestCount
        let token = try provider.token()
        let error = await failure { () async throws(ActionError) in
            try await verifier.verify(idToken: token, provider.settings { $0.onlyPublic = true })
        }
        guard case .unavailable(let down)? = error else { throw TooLong() }
        #expect(down.cause.hasSuffix(": the address is not public"))
        #expect(provider.requestCount == asked)
    }

    /// Callers at the same time wait for one fetch.
    @Test func `are fetched once for many who sign in at once`() async throws {
        let asked = Mutex(0)
        let fetched = try await issuer()
        let issuers = OpenIDIssuers { (_, _) throws(ProviderError) in
            asked.withLock { $0 += 1 }
            return fetched
        }
        let now = provider.clock.now()
        await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask { _ = try? await issuers.issuer(ProviderServer(url: "https://acme.example"), holding: "key-1", at: now) }
            }
        }
        #expect(asked.withLock { $0 } == 1)
    }

    private func issuer() async throws -> OpenIDIssuer {
        let keys = try #require(ProviderKeys(jwks: Array(#"{"keys":[\#(Signer.backEnd.jwk(id: "key-1"))]}"#.utf8)))
        return OpenIDIssuer(name: "https://acme.example", keys: keys, fetchedAt: provider.clock.now(), lifetime: .seconds(300))
    }

    /// The bounds of `Cache-Control`.
    @Test(
        arguments: [
            (nil, 300), ("", 300), ("no-store", 300), ("max-age=0", 300), ("public, max-age=3600", 3_600),
            ("Max-Age=7200, must-revalidate", 7_200),
            ("max-age=999999999999999", 86_400), ("max-age=-1", 300), ("max-age=1e9", 300), ("s-maxage=7200", 300),
        ] as [(String?, Int)])
    func `are cached within bounds`(_ cacheControl: String?, _ seconds: Int) {
        #expect(OpenIDIssuer.lifetime(cacheControl) == .seconds(seconds))
    }
}
