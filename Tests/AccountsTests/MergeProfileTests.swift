import Store
import Testing
import World
@testable import Accounts

@Suite struct `A merged account without a name or photo` {
    /// A sign-in with a provider completes it; so may the user.
    @Test func `keeps those that it got since when the merge is undone`() async throws {
        let two = try await Two()
        _ = try await two.merging.merge(two.merge, in: two.world.project.id, language: "en")
        var change = AccountChange()
        (change.displayName, change.photoURL) = (.set("Ada"), .set("https://p.example/new"))
        try await two.change("ada", change)
        try await two.merging.unmerge(two.merge, in: two.world.project.id, language: "en")
        let ada = try #require(try await two.profile("ada")).account
        #expect(ada.displayName == "Ada" && ada.photoURL == "https://p.example/new")
        let bob = try #require(try await two.profile("bob")).account
        #expect(bob.displayName == nil && bob.photoURL == nil)
    }
}

@Suite struct `The undoing of a merge` {
    /// A1: a stranger who signs up with the freed address does not block it.
    @Test func `takes a freed address back from an account that never proved it`() async throws {
        let two = try await Two(ada: { $0.email = .ada }, bob: { ($0.email, $0.emailVerified) = (EmailAddress("bob@app.example"), true) })
        _ = try await two.merging.merge(two.merge, in: two.world.project.id, language: "en")
        try await two.world.account("ada@app.example", id: "eve")
        try await two.merging.unmerge(two.merge, in: two.world.project.id, language: "en")
        #expect(try await two.profile("ada")?.account.email == .ada)
        #expect(try await two.profile("eve")?.account.email == nil)
    }

    /// U3, S8: as by every other change of an address.
    @Test func `tells the address that the account leaves`() async throws {
        let two = try await Two(bob: { $0.emailVerified = true })
        _ = try await two.merging.merge(two.merge, in: two.world.project.id, language: "en")
        #expect(try await two.world.mails().isEmpty)
        try await two.merging.unmerge(two.merge, in: two.world.project.id, language: "en")
        let mails = try await two.world.mails()
        #expect(mails.map(\.kind) == [.notice(.emailChanged)] && mails.map(\.to) == ["bob@app.example"])
        // The address of the account stayed.
        let other = try await Two(ada: { $0.emailVerified = true })
        _ = try await other.merging.merge(other.merge, in: other.world.project.id, language: "en")
        try await other.merging.unmerge(other.merge, in: other.world.project.id, language: "en")
        #expect(try await other.world.mails().isEmpty)
    }

    /// A4: what an admin gave does not end when the owner arrives.
    @Test(arguments: [true, false]) func `remembers who gave a second factor`(byAdmin: Bool) async throws {
        let two = try await Two()
        let project = two.world.project.id
        try await two.enrolPhone("+15555550100", "ada-phone", of: "ada")
        try await two.enrolPhone("+15555550100", "bob-phone", of: "bob", byAdmin: byAdmin)
        _ = try await two.merging.merge(two.merge, in: project, language: "en")
        try await two.merging.unmerge(two.merge, in: project, language: "en")
        let bob = try #require(try await two.profile("bob")).account
        let kept = try await two.world.store.transaction { (records) throws(ActionError) in
            _ = try records.end(.ownerArrived, of: bob, at: bob.createdAt)
            return try records.secondFactors(of: bob.id, in: bob.project).map(\.id)
        }
        #expect(kept == (byAdmin ? ["bob-phone"] : []))
    }

    /// A1: both accounts' undo links work on while they are one, and each has its own again.
    @Test func `gives each account its undo links back`() async throws {
        let two = try await Two(ada: { $0.email = .ada }, bob: { ($0.email, $0.emailVerified) = (EmailAddress("bob@app.example"), true) })
        let project = two.world.project
        let bob = try #require(try await two.world.stored(AccountID(rawValue: "bob")))
        var move = CodeRequest(.verifyAndChangeEmail, for: .account(bob), with: ApprovedSettings(in: project))
        move.newEmail = EmailAddress("new@app.example")
        let code = try #require(try await two.world.accounts.send(move)?.code)
        _ = try await two.world.redeem(code)
        let undo = try #require(try await two.world.mailedCode(.recoverEmail))
        _ = try await two.merging.merge(two.merge, in: project.id, language: "en")
        guard case .live = try await two.world.inspect(undo) else { throw Missing() }
        // Its mail still waits.
        #expect(try await two.world.mails().contains { $0.kind == .action(.recoverEmail) && $0.to == "bob@app.example" })
        try await two.merging.unmerge(two.merge, in: project.id, language: "en")
        _ = try await two.world.redeem(undo)
        #expect(try await two.profile("bob")?.account.email?.value == "bob@app.example")
        #expect(try await two.profile("ada")?.account.email == .ada)
    }
}
