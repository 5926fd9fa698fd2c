import Accounts
import EmailActions
import Store
import Testing
import World

/// Somebody who is signed in, and shows refresh tokens in any order. Decision 7.
private struct Visit {
    let world: World
    let accounts: Accounts
    let account: Account
    let first: String

    init(claims: String? = nil) async throws {
        world = try await World()
        account = try await world.account("ada@app.example")
        accounts = world.accounts(signedWith: nil)
        first = try await accounts.openSession(for: account, by: .password, claims: claims).refreshToken
    }

    func show(_ token: String) async throws -> String { try await accounts.refresh(token, in: world.project.id).refreshToken }

    func refusal(of token: String) async -> Refusal? {
        do throws(ActionError) {
            _ = try await accounts.refresh(token, in: world.project.id)
            return nil
        } catch { if case .refused(let refusal, _) = error { return refusal } else { return nil } }
    }

    func wait(_ span: Duration) { world.clock.advance(by: span) }
}

@Suite struct `A refresh token` {
    static let justOver = Session.grace + .milliseconds(1)

    @Test func `is followed by another, and works until that one was used and five minutes more`() async throws {
        let ada = try await Visit()
        let second = try await ada.show(ada.first)
        #expect(second != ada.first)
        ada.wait(.hours(1))
        _ = try await ada.show(second)
        ada.wait(Session.grace)
        #expect(await ada.refusal(of: ada.first) == nil)
        ada.wait(.milliseconds(1))
        #expect(await ada.refusal(of: ada.first) == .invalidRefreshToken)
    }

    /// A client that ignores what it gets, an answer that got lost on the way, a process that died before it was sent: all look alike.
    @Test func `may be shown for ever where nothing that followed was used`() async throws {
        let ada = try await Visit()
        for _ in 0..<200 {
            ada.wait(.hours(1))
            #expect(await ada.refusal(of: ada.first) == nil)
        }
    }

    @Test func `leads to a tail that works after any number of lost answers`() async throws {
        let ada = try await Visit()
        var token = ada.first
        for lost in 0..<12 {
            for _ in 0..<(lost % 4) { _ = try await ada.show(token) }
            token = try await ada.show(token)
            ada.wait(.hours(1))
        }
        #expect(await ada.refusal(of: token) == nil)
    }

    @Test func `shown by two at once gives each one that works`() async throws {
        let ada = try await Visit()
        let tokens = try await withThrowingTaskGroup(of: String.self) { tabs in
            for _ in 0..<2 { tabs.addTask { try await ada.show(ada.first) } }
            return try await tabs.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(tokens).count == 2)
        ada.wait(.hours(1))
        for token in tokens { #expect(await ada.refusal(of: token) == nil) }
    }

    /// The thief is first, the owner comes an hour later with what is superseded: nobody stays signed in.
    @Test func `gives a thief away who was faster`() async throws {
        let ada = try await Visit()
        let stolen = try await ada.show(try await ada.show(ada.first))
        ada.wait(.hours(1))
        #expect(await ada.refusal(of: ada.first) == .invalidRefreshToken)
        #expect(await ada.refusal(of: stolen) == .invalidRefreshToken)
    }

    /// The owner is first, the thief comes later with what is superseded.
    @Test func `gives a thief away who was slower`() async throws {
        let ada = try await Visit()
        let stolen = ada.first
        let second = try await ada.show(stolen)
        ada.wait(.hours(1))
        let third = try await ada.show(second)
        ada.wait(Self.justOver)
        #expect(await ada.refusal(of: stolen) == .invalidRefreshToken)
        for token in [second, third] { #expect(await ada.refusal(of: token) == .invalidRefreshToken) }
    }

    @Test func `ends no other sign-in when it gives a thief away`() async throws {
        let ada = try await Visit()
        let phone = try await ada.accounts.openSession(for: try #require(try await ada.world.stored(ada.account.id)), by: .password)
        _ = try await ada.show(try await ada.show(ada.first))
        ada.wait(.hours(1))
        #expect(await ada.refusal(of: ada.first) == .invalidRefreshToken)
        #expect(await ada.refusal(of: phone.refreshToken) == nil)
    }

    @Test func `is marked superseded by the first use only`() async throws {
        let ada = try await Visit()
        let second = try await ada.show(ada.first)
        _ = try await ada.show(second)
        ada.wait(Session.grace)
        // Were the mark renewed, the first would live on.
        _ = try await ada.show(second)
        ada.wait(.milliseconds(1))
        #expect(await ada.refusal(of: ada.first) == .invalidRefreshToken)
    }

    @Test func `leaves only twenty behind that nobody used`() async throws {
        let ada = try await Visit()
        var followers: [String] = []
        for _ in 0..<25 {
            ada.wait(.seconds(1))
            followers.append(try await ada.show(ada.first))
        }
        #expect(await ada.refusal(of: ada.first) == nil)
        // That was one more: nineteen of these are left.
        #expect(await ada.refusal(of: followers[5]) == .invalidRefreshToken)
        #expect(await ada.refusal(of: followers[6]) == nil)
    }

    /// A superseded token is remembered for a week; after that it is unknown, and its family lives on.
    @Test func `is forgotten a week after it was superseded`() async throws {
        let ada = try await Visit()
        let second = try await ada.show(ada.first)
        let third = try await ada.show(second)
        let moment = ada.world.clock.now() + .milliseconds(1)
        #expect(try await ada.world.store.purgeSessions(retiredBefore: moment) == 1)
        ada.wait(.days(7))
        #expect(await ada.refusal(of: ada.first) == .invalidRefreshToken)
        #expect(await ada.refusal(of: third) == nil)
    }

    /// S6: whatever ends sessions ends every token of theirs.
    @Test func `ends with all that followed`() async throws {
        let ada = try await Visit()
        let second = try await ada.show(ada.first)
        var change = AccountChange()
        change.validSince = ada.world.clock.now() + .seconds(1)
        _ = try await ada.world.change(change, byAdmin: true)
        for token in [ada.first, second] { #expect(await ada.refusal(of: token) != nil) }
    }

    @Test func `of a disabled account is refused as that`() async throws {
        let ada = try await Visit()
        var change = AccountChange()
        change.disabled = true
        _ = try await ada.world.change(change, byAdmin: true)
        #expect([.userDisabled, .invalidRefreshToken].contains(await ada.refusal(of: ada.first)))
    }

    @Test(arguments: ["", "x", "é", String(repeating: "A", count: 44), String(repeating: "A", count: 43)])
    func `is 43 characters that were handed out, or nothing`(_ text: String) async throws {
        #expect(await (try Visit()).refusal(of: text) == .invalidRefreshToken)
    }

    /// It changes nothing there, either.
    @Test func `works in its own project only`() async throws {
        let ada = try await Visit()
        let other = ProjectID(rawValue: "other")
        await #expect(throws: ActionError.self) { try await ada.accounts.refresh(ada.first, in: other) }
        #expect(await ada.refusal(of: ada.first) == nil)
    }
}
