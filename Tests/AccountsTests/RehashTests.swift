import Accounts
import Base
import Store
import Synchronization
import Testing
import World

/// S4: the first sign-in replaces an imported hash by one of our own.
@Suite struct `Signing in with an imported password hash` {
    private static let password = "Grüße, Ada"
    private static let ada = AccountID(rawValue: "ada")

    /// The changes that may happen between the verification and the storing of the new hash.
    enum Meddling: String, CaseIterable, Sendable {
        case nothing, anotherName, sameSignIn, revocation
        case anotherPassword, noPassword, disabling, anotherAddress, deletion

        /// The refusal that the change causes; nil if the sign-in succeeds.
        var refusal: Refusal? {
            switch self {
            case .nothing, .anotherName, .sameSignIn, .revocation: nil
            case .disabling: .userDisabled
            case .anotherPassword, .noPassword, .anotherAddress, .deletion: .invalidLoginCredentials
            }
        }
    }

    private func world() async throws -> World {
        let world = try await World()
        let hash = Imports.bytes(hex: "dad6437f8acb4d8e6e0ac91f3839bb9b9ff521fa6ddfab1f61f74445d0dd0a77")
        let scheme = try HashScheme(Imports.parameters("SHA256", [.rounds: 1]))
        let stored = try world.passwords.stored(hash, salt: Array("pepper".utf8), hashedBy: scheme)
        try await world.account("ada@app.example") {
            $0.passwordHash = stored
            $0.passwordUpdatedAt = Timestamp(seconds: 1_000_000_000)
        }
        return world
    }

    private func signIn(_ accounts: Accounts, in world: World) async throws -> Account {
        try await accounts.signIn(email: .ada, password: Self.password, in: world.project.id, hidesAccounts: true)
    }

    @Test func `rehashes the password, which neither ends sessions nor counts as a change of password`() async throws {
        let world = try await world()
        let accounts = try await world.signedAccounts()
        let before = try #require(try await world.stored(Self.ada))
        world.clock.advance(by: .seconds(60))
        let session = try await accounts.openSession(for: try await signIn(accounts, in: world), by: .password)
        let after = try #require(try await world.stored(Self.ada))
        #expect(after.passwordHash?.hasPrefix("$scrypt$") == true)
        #expect(after.passwordUpdatedAt == before.passwordUpdatedAt && after.validSince == before.validSince)
        #expect(try await accounts.account(behind: session.idToken, in: world.project.id).id == Self.ada)
        _ = try await signIn(accounts, in: world)
        #expect(try await world.stored(Self.ada)?.passwordHash == after.passwordHash)
    }

    @Test func `changes nothing if the password is wrong`() async throws {
        let world = try await world()
        let accounts = try await world.signedAccounts()
        let before = try await world.stored(Self.ada)
        await #expect(throws: ActionError.self) {
            try await accounts.signIn(email: .ada, password: "grüße, ada", in: world.project.id, hidesAccounts: true)
        }
        #expect(try await world.stored(Self.ada) == before)
    }

    @Test func `succeeds for twenty clients at once, each with a session of its own`() async throws {
        let world = try await world()
        let accounts = try await world.signedAccounts()
        let tokens = try await withThrowingTaskGroup(of: IssuedTokens.self) { group in
            for _ in 0..<20 {
                group.addTask { try await accounts.openSession(for: try await signIn(accounts, in: world), by: .password) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(tokens.map(\.refreshToken)).count == 20)
        for token in tokens { _ = try await accounts.refresh(token.refreshToken, in: world.project) }
        #expect(try await world.stored(Self.ada)?.passwordHash?.hasPrefix("$scrypt$") == true)
    }

    /// S6: a verified password counts for the account as it was, or is verified again.
    @Test(arguments: Meddling.allCases)
    func `fails if the account changes between the check and the rehash`(_ meddling: Meddling) async throws {
        let world = try await world()
        let own = try await world.passwords.hash(Self.password)
        let others = try await world.passwords.hash("another quiet phrase")
        let store = MeddledStore(store: world.store) { (records) throws(ActionError) in
            guard var account = try records.account(Self.ada, in: world.project.id) else { return }
            switch meddling {
            case .nothing: return
            case .deletion: return try records.delete(account.id, in: account.project)
            case .anotherName: account.displayName = "Ada"
            case .sameSignIn: account.passwordHash = own
            case .revocation: account.endSessions(at: account.validSince)
            case .anotherPassword: account.passwordHash = others
            case .noPassword: account.passwordHash = nil
            case .disabling: account.disabled = true
            case .anotherAddress: account.email = EmailAddress("new@app.example")
            }
            try records.update(account)
        }
        let whole = try await world.signedAccounts()
        let accounts = world.accounts(signedWith: nil, store: store)
        do {
            let proven = try await signIn(accounts, in: world)
            #expect(meddling.refusal == nil)
            let stored = try #require(try await world.stored(Self.ada))
            #expect(proven == stored)
            #expect(stored.passwordHash?.hasPrefix("$scrypt$") == true)
            #expect((stored.displayName == "Ada") == (meddling == .anotherName))
            #expect((stored.passwordHash == own) == (meddling == .sameSignIn))
            #expect((stored.validSince > stored.createdAt) == (meddling == .revocation))
            _ = try await whole.openSession(for: proven, by: .password)
        } catch ActionError.refused(let refusal, _) { #expect(refusal == meddling.refusal) }
    }
}

/// A store that makes another change just before the first transaction.
private final class MeddledStore: ForwardingStorage {
    let store: any Storage
    private let meddle: @Sendable (any Records) throws(ActionError) -> Void
    private let isDone = Mutex(false)

    init(store: Store, meddle: @escaping @Sendable (any Records) throws(ActionError) -> Void) {
        (self.store, self.meddle) = (store, meddle)
    }

    func transaction<T: Sendable>(
        _ body: @escaping @Sendable (any Records) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        let isFirst = isDone.withLock { isDone in
            defer { isDone = true }
            return !isDone
        }
        if isFirst { try await store.transaction(meddle) }
        return try await store.transaction(body)
    }
}
