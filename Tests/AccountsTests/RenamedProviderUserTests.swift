import Store
import Testing
import World

@testable import Accounts

@Suite struct `An account that a provider renames` {
    private func identity(_ email: String, _ id: String) throws -> VerifiedIdentity {
        try #require(
            VerifiedIdentity(
                provider: "google.com", rawID: id, email: EmailAddress(email), isEmailVerified: true, profile: .init(), rawUserInfo: "{}"))
    }

    /// I10: a company gives the old address to a new employee.
    @Test func `is not shared with the next owner of its address`() async throws {
        let world = try await World()
        let hash = try await world.passwords.hash("the first owner's phrase")
        for email in ["ada@app.example", "ada.jones@app.example"] {
            guard case .signedIn(let account, _) = try await world.accounts.signIn(try identity(email, "g-1"), in: world.project) else {
                throw Missing()
            }
            #expect(account.email == .ada)
            try await world.store.transaction { (records) throws(ActionError) in
                var changed = account
                changed.passwordHash = hash
                try records.update(changed)
            }
        }
        guard
            case .signedIn(let account, let result) = try await world.accounts.signIn(
                try identity("ada@app.example", "g-2"), in: world.project)
        else { throw Missing() }
        #expect(result.isRecycled && account.passwordHash == nil)
        #expect(try await world.profile(account.id)?.linkedProviders.map(\.rawID) == ["g-2"])
    }

    /// The owner has another account at the provider, which only claims the address.
    @Test func `is not another's because its owner has a second identity there`() async throws {
        let world = try await World()
        let owner = try await world.account("ada@app.example") { ($0.emailVerified, $0.passwordHash) = (true, "$scrypt$") }
        let claiming = try #require(
            VerifiedIdentity(
                provider: "google.com", rawID: "g-1", email: .ada, isEmailVerified: false, profile: .init(), rawUserInfo: "{}"))
        _ = try await world.accounts.link(claiming, to: owner, in: world.project)
        guard
            case .signedIn(let account, let result) = try await world.accounts.signIn(
                try identity("ada@app.example", "g-2"), in: world.project)
        else { throw Missing() }
        #expect(account.id == owner.id && account.passwordHash == "$scrypt$" && !result.isRecycled)
    }
}
