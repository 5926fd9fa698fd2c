import Base
import HTTPTypes
import Store
import Testing
import World
@testable import Accounts

/// The pages before and after a change of address, and after an undo: what they say depends on the
/// account, and none of it is untrue.
@Suite struct `An address page` {
    struct State: Sendable, CustomTestStringConvertible {
        var hasPassword = false
        var signsInByLink = false
        var hasProvider = false
        var hasPhone = false
        /// Whether the account has proved the address that it leaves.
        var isProved = true

        var testDescription: String {
            let ways = [
                hasPassword ? "a password" : nil, signsInByLink ? "links" : nil, hasProvider ? "Google" : nil, hasPhone ? "a phone" : nil,
            ]
            return "\(ways.compactMap(\.self).joined(separator: " and ")), \(isProved ? "proved" : "not proved")"
        }
    }

    private static let withNew = "You will need to sign in to Shop again, with the new address."
    private static let again = "You will need to sign in to Shop again."
    private static let tells = "We will also write to the old address."
    private static let fromNow = "From now on, sign in with the new address."
    private static let told = "We have also written to the old address."

    static let table: [(State, says: [String], afterwards: [String])] = [
        (State(hasPassword: true), [withNew, tells], [fromNow, told]),
        (State(hasPassword: true, isProved: false), [withNew], [fromNow]),
        (State(hasPassword: true, hasProvider: true), [withNew, tells], [fromNow, told]),
        (State(signsInByLink: true), [withNew, tells], [fromNow, told]),
        (State(hasProvider: true), [again, tells], [told]),
        (State(hasProvider: true, isProved: false), [again], []),
        (State(hasPhone: true), [again, tells], [told]),
    ]

    private func world(_ visitor: Visitor, _ state: State) async throws -> Account {
        let world = visitor.world
        let account = try await world.account("old@app.example") { account in
            if state.hasPassword { account.passwordHash = "$scrypt$" }
            account.emailLinkSignIn = state.signsInByLink
            if state.hasPhone { account.setPhoneNumber(PhoneNumber("+15555550145"), at: account.createdAt) }
            (account.emailVerified, account.lastLoginAt) = (state.isProved, world.clock.now())
        }
        guard state.hasProvider else { return account }
        var change = AccountChange()
        change.link = LinkedProvider(provider: "google.com", rawID: "1234")
        return try await world.accounts.update(account, with: change, byAdmin: true, in: world.project).account
    }

    private func visitor() async throws -> Visitor {
        try await Visitor {
            $0.providers["google.com"] = IdentityProvider(id: "google.com", clientIDs: ["shop"])
            $0.continuePolicy = ContinuePolicies(.page)
        }
    }

    @Test(arguments: table) func `says what a change of the address does, before and after it`(
        _ state: State, _ says: [String], _ afterwards: [String]
    ) async throws {
        let visitor = try await visitor()
        let account = try await world(visitor, state)
        var request = CodeRequest(.verifyAndChangeEmail, for: .account(account), with: ApprovedSettings(in: visitor.world.project))
        request.newEmail = .ada
        let code = try #require(try await visitor.world.accounts.send(request)).code
        let page = await visitor.open(code, .verifyAndChangeEmail)
        let sentences = [Self.withNew, Self.again, Self.tells, Self.fromNow, Self.told]
        for sentence in sentences { #expect(page.sentences.contains(sentence) == says.contains(sentence), "\(sentence)") }
        let pressed = try await visitor.press(page)
        let done = await visitor.ask(.get, try #require(pressed.location))
        for sentence in sentences { #expect(done.sentences.contains(sentence) == afterwards.contains(sentence), "\(sentence)") }
        let mails = try await visitor.world.mails().filter { $0.to == "old@app.example" }
        #expect(mails.isEmpty == !afterwards.contains(Self.told))
    }

    /// After an undo there is an old password only if there was one.
    @Test(arguments: [true, false]) func `the page after an undo names the password that there was`(hadPassword: Bool) async throws {
        let visitor = try await visitor()
        let account = try await world(visitor, State(hasPassword: hadPassword, hasProvider: true))
        var change = AccountChange()
        change.email = .ada
        _ = try await visitor.world.accounts.update(account, with: change, in: visitor.world.project)
        let undo = try #require(try await visitor.world.mailedCode(.recoverEmail))
        let pressed = try await visitor.press(await visitor.open(undo, .recoverEmail))
        let done = await visitor.ask(.get, try #require(pressed.location))
        #expect(done.sentences.contains("The old password no longer works. Choose a new one now.") == hadPassword)
        #expect(done.sentences.contains("You can then sign in to Shop with a password.") == !hadPassword)
        #expect(done.text.contains(hadPassword ? "Choose a new password" : "Choose a password for"))
    }
}

extension Visitor.Reply {
    /// The texts of the page's elements.
    fileprivate var sentences: [String] {
        text.replacing(#/<\/?(bdi|b)[^>]*>/#, with: "").split(separator: #/<[^>]+>/#).map { $0.trimmingPrefix(" ") }.map(String.init)
    }
}
