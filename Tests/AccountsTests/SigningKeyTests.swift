import Accounts
import Base
import Foundation
import Store
import Testing
import World

/// Two servers on one database, and the clock.
private struct Pair {
    let world: World
    let here, there: SigningKeys
    let account: Account

    init() async throws {
        world = try await World()
        here = try await world.signingKeys()
        there = try await world.signingKeys()
        account = try await world.account("ada@app.example")
    }

    func issue(by keys: SigningKeys) async throws -> String {
        try await world.accounts(signedWith: keys).openSession(for: try #require(try await world.stored(account.id)), by: .password).idToken
    }

    func isAccepted(_ token: String, by keys: SigningKeys) async -> Bool {
        (try? await world.accounts(signedWith: keys).account(behind: token, in: world.project.id)) != nil
    }

    func kid(_ token: String) throws -> String {
        struct Header: Decodable { let kid: String }
        let bytes = try #require(Base64URL.decode(String(token.split(separator: ".")[0])))
        return try JSONDecoder().decode(Header.self, from: Data(bytes)).kid
    }

    func published(by keys: SigningKeys) async throws -> Set<String> {
        struct Set_: Decodable {
            struct Key: Decodable { let kid: String }
            let keys: [Key]
        }
        return Set(try JSONDecoder().decode(Set_.self, from: Data(try await keys.ring().jwks())).keys.map(\.kid))
    }
}

@Suite struct `Signing keys over time` {
    /// The secret is checked when the database is opened, so it is not to blame.
    @Test func `that are damaged are called so, with what to do`() async throws {
        let pair = try await Pair()
        let key = try #require(try await pair.world.store.signingKeys().first)
        var sealed = key.sealedPrivateKey
        sealed[sealed.count / 2] ^= 1
        let damaged = StoredSigningKey(id: key.id, createdAt: key.createdAt, signsFrom: key.signsFrom, sealedPrivateKey: sealed)
        try await pair.world.store.changeSigningKeys { _ in KeyChange(adding: damaged, removing: [key.id]) }
        pair.world.clock.advance(by: .minutes(2))
        let error = await #expect(throws: ActionError.self) { try await pair.here.ring() }
        #expect(
            error?.cause.contains("The signing key \(key.id) in the database is damaged; the secret is right. Restore a backup") == true)
    }

    /// T5: a key is published a day before it signs, and until everything that it signed has
    /// expired.
    @Test func `are published a day before they sign, and removed fifteen days after`() async throws {
        let pair = try await Pair()
        let first = try pair.kid(try await pair.issue(by: pair.here))
        pair.world.clock.advance(by: .days(29) + (.zero - .milliseconds(1)))
        try await pair.here.maintain()
        #expect(try await pair.published(by: pair.here) == [first])

        pair.world.clock.advance(by: .milliseconds(1))
        try await pair.here.maintain()
        try await pair.there.maintain()
        pair.world.clock.advance(by: .minutes(1) + .milliseconds(1))
        let next = try #require(try await pair.published(by: pair.there).subtracting([first]).first)
        #expect(try await pair.published(by: pair.here) == [first, next])
        #expect(try pair.kid(try await pair.issue(by: pair.there)) == first)

        pair.world.clock.advance(by: .days(1))
        #expect(try pair.kid(try await pair.issue(by: pair.there)) == next)

        pair.world.clock.advance(by: .days(14))
        try await pair.here.maintain()
        #expect(try await pair.world.store.signingKeys().map(\.id) == [first, next])
        pair.world.clock.advance(by: .days(1))
        try await pair.here.maintain()
        #expect(try await pair.world.store.signingKeys().map(\.id) == [next])
    }

    /// T5: old tokens verify, new ones use the new key, and the other server reads it because of
    /// the token.
    @Test func `are read by a running server as soon as a token names them`() async throws {
        let pair = try await Pair()
        let old = try await pair.issue(by: pair.there)
        #expect(await pair.isAccepted(old, by: pair.there))
        let key = try await pair.here.rotate(.immediate)
        pair.world.clock.advance(by: .seconds(1))
        let new = try await pair.world.accounts(signedWith: try await pair.world.signingKeys())
            .openSession(for: try #require(try await pair.world.stored(pair.account.id)), by: .password).idToken
        #expect(try pair.kid(new) == key.id)
        #expect(await pair.isAccepted(new, by: pair.there))
        #expect(await pair.isAccepted(old, by: pair.there))
    }

    @Test func `are read again after a minute`() async throws {
        let pair = try await Pair()
        _ = try await pair.there.ring()
        let key = try await pair.here.rotate(.published)
        pair.world.clock.advance(by: .seconds(60))
        #expect(try await !pair.published(by: pair.there).contains(key.id))
        pair.world.clock.advance(by: .milliseconds(1))
        #expect(try await pair.published(by: pair.there).contains(key.id))
    }

    @Test func `are removed at once if they are compromised`() async throws {
        let pair = try await Pair()
        let stolen = try await pair.issue(by: pair.here)
        let key = try await pair.here.rotate(.compromised)
        #expect(try await pair.world.store.signingKeys() == [key])
        pair.world.clock.advance(by: .minutes(1) + .milliseconds(1))
        #expect(await !pair.isAccepted(stolen, by: pair.here))
        #expect(await !pair.isAccepted(stolen, by: pair.there))
        #expect(try pair.kid(try await pair.issue(by: pair.there)) == key.id)
    }

    /// There is one next key, however many servers generate one.
    @Test func `are generated once by several servers`() async throws {
        let pair = try await Pair()
        pair.world.clock.advance(by: .days(30))
        try await withThrowingTaskGroup { servers in
            for keys in [pair.here, pair.there] { servers.addTask { try await keys.maintain() } }
            try await servers.waitForAll()
        }
        #expect(try await pair.world.store.signingKeys().count == 2)
    }

    @Test func `are published as certificates that are always the same`() async throws {
        let pair = try await Pair()
        let certificates = try JSONDecoder().decode([String: String].self, from: Data(try await pair.here.ring().certificates()))
        #expect(try await Set(certificates.keys) == pair.published(by: pair.here))
        #expect(try await pair.there.ring().certificates() == (try await pair.here.ring().certificates()))
        // The certificate contains the key.
        let pem = try #require(certificates.values.first)
        #expect(try ServiceAccount(email: "x@y", pem: pem).email == "x@y")
        #expect(pem.hasPrefix("-----BEGIN CERTIFICATE-----"))
    }
}
