import Accounts
import Base
import Foundation
import Store
import Testing
import World

@Suite struct `The user of an ID token` {
    private let world: World
    private let accounts: Accounts
    private let ada: Account

    init() async throws {
        world = try await World()
        accounts = world.accounts(signedWith: nil)
        ada = try await world.account("ada@app.example")
    }

    /// A token as an earlier version issued it.
    private func withoutSession(_ token: String) throws -> String {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let payload = Data(try #require(Base64URL.decode(parts[1])))
        var claims = try #require(try JSONSerialization.jsonObject(with: payload) as? [String: Any])
        #expect(claims.removeValue(forKey: "onward_session") != nil)
        return [parts[0], Base64URL.encode(Array(try JSONSerialization.data(withJSONObject: claims))), parts[2]].joined(separator: ".")
    }

    private func isExpired<T>(_ work: () async throws(ActionError) -> T) async -> Bool {
        do throws(ActionError) {
            _ = try await work()
            return false
        } catch { return error.refusal == .tokenExpired }
    }

    private func claims(of token: String) async throws -> [String: Claim] {
        try await accounts.tokens.verify(token, for: world.project.id).claims
    }

    /// T8: while old and new versions serve together, and for an hour after.
    @Test func `has the session of a token that does not name it`() async throws {
        let custom = try await accounts.openSession(for: ada, by: .custom, claims: #"{"plan":"gold"}"#)
        _ = try await accounts.openSession(for: try #require(try await world.stored(ada.id)), by: .password)
        let user = try await accounts.user(behind: withoutSession(custom.idToken), in: world.project.id)
        #expect(user.provider == .custom)
        let next = try await accounts.openSession(for: user.account, by: .password, replacing: user)
        #expect(try await claims(of: next.idToken) == ["plan": .string("gold")])
        try await world.store.revokeCredentials(at: world.clock.now())
        let ended = try withoutSession(custom.idToken)
        #expect(await isExpired { () async throws(ActionError) in try await accounts.user(behind: ended, in: world.project.id) })
    }

    /// T8: two sessions that began in one second are told apart.
    @Test func `has the claims of its own session`() async throws {
        var sessions: [IssuedTokens] = []
        for plan in ["gold", "iron"] {
            let known = try #require(try await world.stored(ada.id))
            sessions.append(try await accounts.openSession(for: known, by: .custom, claims: "{\"plan\":\"\(plan)\"}"))
        }
        for (session, plan) in zip(sessions, ["gold", "iron"]) {
            let user = try await accounts.user(behind: session.idToken, in: world.project.id)
            let next = try await accounts.openSession(for: user.account, by: .custom, replacing: user)
            #expect(try await claims(of: next.idToken) == ["plan": .string(plan)])
        }
    }

    /// T8: a session that was ended while its user's call ran is not replaced.
    @Test func `opens no session in place of one that has ended`() async throws {
        let session = try await accounts.openSession(for: ada, by: .password)
        let user = try await accounts.user(behind: session.idToken, in: world.project.id)
        try await world.store.transaction { (records) throws(ActionError) in
            try records.deleteSessions(of: user.account.id, in: user.account.project)
        }
        #expect(
            await isExpired { () async throws(ActionError) in
                try await accounts.openSession(for: user.account, by: .password, replacing: user)
            })
    }

    /// A fact that a token tells of an account.
    enum Fact: String, CaseIterable { case factor, provider, phone, verification, claims }

    /// T8: nothing is copied from the token before.
    @Test(arguments: Fact.allCases) func `has new tokens that say what is true then`(_ fact: Fact) async throws {
        let factor = SecondFactor(id: "f", kind: .phone, phoneNumber: "+15555550101", enrolledAt: world.clock.now())
        let google = LinkedProvider(provider: "google.com", rawID: "g-1")
        let (project, now) = (world.project.id, world.clock.now())
        var full = ada
        (full.emailVerified, full.phoneNumber, full.customAttributes) = (true, PhoneNumber("+15555550100"), #"{"role":"editor"}"#)
        let before = full
        try await world.store.transaction { (records) throws(ActionError) in
            try records.update(before)
            try records.insert(google, of: before.id, in: project, at: now)
            try records.insert(factor, of: before.id, in: project, byAdmin: false)
        }
        let session = try await accounts.openSession(for: before, by: .password, after: ProvenSecondFactor(.phone, id: "f"))
        #expect(try await told(session.idToken) == Set(Fact.allCases))
        try await world.store.transaction { (records) throws(ActionError) in
            guard var account = try records.account(before.id, in: project) else { return }
            switch fact {
            case .factor: _ = try records.deleteSecondFactor("f", of: account.id, in: project)
            case .provider: try records.deleteLinkedProvider("google.com", of: account.id, in: project)
            case .phone: account.setPhoneNumber(nil, at: now)
            case .verification: account.emailVerified = false
            case .claims: account.customAttributes = nil
            }
            try records.update(account)
        }
        let renewed = try await accounts.refresh(session.refreshToken, in: world.project)
        #expect(try await told(renewed.idToken) == Set(Fact.allCases).subtracting([fact]))
        let user = try await accounts.user(behind: session.idToken, in: project)
        let replaced = try await accounts.openSession(for: user.account, by: user.provider, replacing: user)
        #expect(try await told(replaced.idToken) == Set(Fact.allCases).subtracting([fact]))
    }

    private func told(_ token: String) async throws -> Set<Fact> {
        let token = try await accounts.tokens.verify(token, for: world.project.id)
        let facts: [(Fact, Bool)] = [
            (.factor, token.firebase.signInSecondFactor != nil), (.provider, token.firebase.identities["google.com"] != nil),
            (.phone, token.phoneNumber != nil), (.verification, token.emailVerified == true), (.claims, token.claims["role"] != nil),
        ]
        return Set(facts.filter(\.1).map(\.0))
    }

    /// T8: a cookie says what is true when it is made, and not what the ID token said.
    @Test func `has a cookie with the claims of today`() async throws {
        let session = try await accounts.openSession(for: ada, by: .custom, claims: #"{"plan":"gold"}"#)
        var change = AccountChange()
        change.customAttributes = .set(#"{"role":"editor"}"#)
        change.displayName = .set("Countess")
        _ = try await world.change(change, byAdmin: true)
        let cookie = try await accounts.sessionCookie(for: session.idToken, in: world.project.id)
        let told = try await accounts.tokens.verify(cookie: cookie, for: world.project.id)
        #expect(told.claims == ["plan": .string("gold"), "role": .string("editor")] && told.name == "Countess")
        #expect(told.authTime == ada.createdAt.seconds)
    }

    @Test func `the user of an ID token may change credentials until five minutes after the sign-in`() async throws {
        let token = try await accounts.openSession(for: ada, by: .password).idToken
        let user = try await accounts.user(behind: token, in: world.project.id)
        world.clock.advance(by: Accounts.usualRecentSignIn)
        try accounts.requireRecentSignIn(of: user)
        world.clock.advance(by: .milliseconds(1))
        #expect(throws: ActionError.self) { try accounts.requireRecentSignIn(of: user) }
    }

    /// S6, T8: a token without a session names only the second of its sign-in.
    @Test func `the user of an ID token is not found in a session that began later in the same second`() async throws {
        let old = try withoutSession(try await accounts.openSession(for: ada, by: .password).idToken)
        var change = AccountChange()
        change.validSince = world.clock.now()
        let changed = try await world.change(change)
        _ = try await accounts.openSession(for: changed, by: .password)
        #expect(await isExpired { () async throws(ActionError) in try await accounts.user(behind: old, in: world.project.id) })
    }
}
