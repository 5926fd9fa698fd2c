import Accounts
import Base
import Store
import Testing
import World

/// An account that an import replaces.
@Suite struct `An import over an account` {
    private let ada = AccountID(rawValue: "ada")
    private let eve = EmailAddress("eve@evil.example")!

    /// An account that left its proved address, whose undo link waits in the queue.
    private func world() async throws -> (World, undo: OobCode) {
        let world = try await World()
        try await world.account("ada@app.example") {
            $0.emailVerified = true
            $0.enteredAt = $0.createdAt
        }
        try await world.moveProved(to: eve.value)
        return (world, try #require(try await world.mailedCode(.recoverEmail)))
    }

    private func take(_ email: EmailAddress?, in world: World) async throws {
        var account = Account(project: world.project.id, id: ada, createdAt: world.clock.now())
        account.setAddress(email, verified: true, at: world.clock.now())
        let row = UserImport.Row.success(ImportedUser(account))
        #expect(try await world.accounts.imports.take([row], hashedBy: nil, existing: .overwrite) == [.overwritten])
    }

    /// A1: an import that keeps the address ends no undo link.
    @Test func `that keeps its address keeps the undo link and its waiting mail`() async throws {
        let (world, undo) = try await world()
        try await take(eve, in: world)
        let now = world.clock.now()
        let due = try await world.store.lease(MailLease(limit: 9, until: now + .seconds(60)), at: now)
        #expect(due.contains { $0.kind == .action(.recoverEmail) && $0.recipient == .ada })
        try await world.redeem(undo)
        #expect(try await world.stored(ada)?.email == .ada)
    }

    @Test func `that gives it another address ends the undo link`() async throws {
        let (world, undo) = try await world()
        try await take(EmailAddress("new@app.example"), in: world)
        guard case .withdrawn = try await world.inspect(undo) else { throw Missing() }
    }

    /// A4: whose account it was before decides what an arrival at its next address is.
    @Test func `remembers that its user signed in without an address`() async throws {
        let (world, _) = try await world()
        let entered = try await world.stored(ada)?.enteredAt
        try await take(nil, in: world)
        #expect(try await world.stored(ada)?.enteredAt == entered && entered != nil)
    }
}
