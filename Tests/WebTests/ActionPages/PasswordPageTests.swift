import Base
import HTTPTypes
import Store
import Testing
import World
@testable import Accounts

/// The page on which a password is chosen: what it says depends on the account, and none of it is
/// untrue.
@Suite struct `A password page` {
    struct State: Sendable, CustomTestStringConvertible {
        var hasPassword = false
        /// Such as after an undo.
        var hadPassword = false
        var isVerified = false
        var providers: [String] = []
        /// Whether the provider has verified the address, so that its user joins again.
        var joins = false
        var isInvited = false

        var testDescription: String {
            let parts = [
                hasPassword ? "a password" : nil, hadPassword ? "a password before" : nil, isVerified ? "verified" : nil,
                isInvited ? "invited" : nil,
            ].compactMap(\.self)
            return (parts + providers + (joins ? ["joins"] : [])).joined(separator: ", ")
        }
    }

    private static let replaces = "The new password replaces your current one for Shop, and signs you out everywhere else."
    private static let begins = "You can then sign in to Shop with a password."
    private static let confirms = "Saving it also confirms that this address is yours."
    private static let ends = "After that, you can no longer sign in with Google."
    private static let stays = "Your password stays as it is."
    private static let noneSet = "No password will be set."

    static let table: [(State, title: String, says: [String], done: String)] = [
        (State(hasPassword: true, isVerified: true), "Choose a new password", [replaces, stays], "Password saved"),
        (State(hasPassword: true), "Choose a new password", [replaces, confirms, stays], "Password saved"),
        (
            State(hasPassword: true, isVerified: true, providers: ["google.com"]), "Choose a new password", [replaces, ends, stays],
            "Password saved"
        ),
        (
            State(hasPassword: true, isVerified: true, providers: ["google.com"], joins: true), "Choose a new password",
            [replaces, stays], "Password saved"
        ),
        (State(hadPassword: true, isVerified: true), "Choose a new password", [begins, noneSet], "Password saved"),
        (State(isVerified: true), "Choose a password for Shop", [begins, noneSet], "Password saved"),
        (State(), "Choose a password for Shop", [begins, confirms, noneSet], "Password saved"),
        (
            State(isVerified: true, providers: ["google.com"]), "Choose a password for Shop", [begins, ends, noneSet], "Password saved"
        ),
        (State(isInvited: true), "Choose a password for Shop", [begins, confirms, noneSet], "Welcome to Shop"),
    ]

    private func code(of state: State, at visitor: Visitor) async throws -> OobCode {
        let world = visitor.world
        if state.isInvited {
            let invited = try await world.accounts.invite(.ada, with: ApprovedSettings(in: world.project))
            return try #require(invited.link?.code)
        }
        let account = try await world.account("ada@app.example") { account in
            if state.hasPassword { account.passwordHash = "$scrypt$" }
            if state.hadPassword { account.passwordUpdatedAt = world.clock.now() }
            (account.emailVerified, account.lastLoginAt) = (state.isVerified, world.clock.now())
        }
        for provider in state.providers {
            var change = AccountChange()
            var link = LinkedProvider(provider: provider, rawID: "1234", email: state.joins ? "ada@app.example" : nil)
            link.isEmailVerified = state.joins
            change.link = link
            _ = try await world.accounts.update(account, with: change, byAdmin: true, in: world.project)
        }
        return try #require(try await world.send(.resetPassword))
    }

    @Test(arguments: table) func `says what a new password does to the account`(
        _ state: State, _ title: String, _ says: [String], _ done: String
    ) async throws {
        let visitor = try await Visitor {
            $0.providers["google.com"] = IdentityProvider(id: "google.com", clientIDs: ["shop"])
            $0.continuePolicy = ContinuePolicies(.page)
        }
        let page = await visitor.open(try await code(of: state, at: visitor), .resetPassword)
        #expect(page.heading == title)
        for sentence in [Self.replaces, Self.begins, Self.confirms, Self.ends, Self.stays, Self.noneSet] {
            #expect(page.words.contains(sentence) == says.contains(sentence), "\(sentence)")
        }
        let pressed = try await visitor.press(page, typing: [("newPassword", "a quiet long phrase")])
        #expect(await visitor.ask(.get, try #require(pressed.location)).heading == done)
    }

    /// The account may change while the page is open.
    @Test func `a press on the page of an invitation that was withdrawn since sets no password`() async throws {
        let visitor = try await Visitor()
        let page = await visitor.open(try await code(of: State(isInvited: true), at: visitor), .resetPassword)
        _ = try await visitor.world.accounts.withdrawInvitation(of: .ada, in: visitor.world.project)
        let pressed = try await visitor.press(page, typing: [("newPassword", "a quiet long phrase")])
        #expect(pressed.title == "This link does not work any more")
        #expect(try await visitor.world.accounts.profiles([.email(.ada)], in: visitor.world.project.id).isEmpty)
    }
}

extension Visitor.Reply {
    /// The page without its markup.
    fileprivate var words: String { text.replacing(#/<[^>]+>/#, with: "") }
    fileprivate var heading: String? {
        text.firstMatch(of: #/<h1[^>]*>(.*?)<\/h1>/#).map { String($0.1).replacing(#/<[^>]+>/#, with: "") }
    }
}
