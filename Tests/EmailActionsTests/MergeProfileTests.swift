import Accounts
import Testing
import World

@testable import EmailActions

@Suite struct `A merged account without a name or photo` {
    /// A sign-in with a provider completes it; so may the user.
    @Test func `keeps those that it got since when the merge is undone`() async throws {
        let two = try await Two()
        _ = try await two.merging.merge(two.merge, in: two.world.project.id, language: "en")
        var change = AccountChange()
        (change.displayName, change.photoURL) = (.set("Ada"), .set("https://p.example/new"))
        try await two.change("ada", change)
        try await two.merging.unmerge(two.merge, in: two.world.project.id)
        let ada = try #require(try await two.profile("ada")).account
        #expect(ada.displayName == "Ada" && ada.photoURL == "https://p.example/new")
        let bob = try #require(try await two.profile("bob")).account
        #expect(bob.displayName == nil && bob.photoURL == nil)
    }
}
