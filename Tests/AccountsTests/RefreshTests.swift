import Accounts
import EmailActions
import Store
import Testing
import World

/// A user with a session, and the refresh tokens that clients send in any order; see decision 7.
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

    @Test func `works until five minutes after its successor is used`() async throws {
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

    /// A client that ignores the response, a lost response and a process that died before it was
    /// sent look the same to the server.
    @Test func `works forever if no successor is used`() async throws {
        let ada = try await Visit()
        for _ in 0..<200 {
            ada.wait(.hours(1))
            #expect(await ada.refusal(of: ada.first) == nil)
        }
    }

    @Test func `works after any number of lost responses`() async throws {
        let ada = try await Visit()
        var token = ada.first
        for lost in 0..<12 {
            for _ in 0..<(lost % 4) { _ = try await ada.show(token) }
            token = try await ada.show(token)
            ada.wait(.hours(1))
        }
        #expect(await ada.refusal(of: token) == nil)
    }

    @Test func `used by two tabs at once gives each a working successor`() async throws {
        let ada = try await Visit()
        let tokens = try await withThrowingTaskGroup(of: String.self) { tabs in
            for _ in 0..<2 { tabs.addTask { try await ada.show(ada.first) } }
            return try await tabs.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(tokens).count == 2)
        ada.wait(.hours(1))
        for token in tokens { #expect(await ada.refusal(of: token) == nil) }
    }

    /// The thief refreshes first, and the owner sends the superseded token an hour later. Then
    /// neither is signed in.
    @Test func `ends the session if a thief used it first`() async throws {
        let ada = try await Visit()
        let stolen = try await ada.show(try await ada.show(ada.first))
        ada.wait(.hours(1))
        #expect(await ada.refusal(of: ada.first) == .invalidRefreshToken)
        #expect(await ada.refusal(of: stolen) == .invalidRefreshToken)
    }

    /// The owner refreshes first, and the thief sends the superseded token later.
    @Test func `ends the session if a thief uses it late`() async throws {
        let ada = try await Visit()
        let stolen = ada.first
        let second = try await ada.show(stolen)
        ada.wait(.hours(1))
        let third = try await ada.show(second)
        ada.wait(Self.justOver)
        #expect(await ada.refusal(of: stolen) == .invalidRefreshToken)
        for token in [second, third] { #expect(await ada.refusal(of: token) == .invalidRefreshToken) }
    }

    @Test func `ends no other session of the account after a theft`() async throws {
        let ada = try await Visit()
        let phone = try await ada.accounts.openSession(for: try #require(try await ada.world.stored(ada.account.id)), by: .password)
        _ = try await ada.show(try await ada.show(ada.first))
        ada.wait(.hours(1))
        #expect(await ada.refusal(of: ada.first) == .invalidRefreshToken)
        #expect(await ada.refusal(of: phone.refreshToken) == nil)
    }

    @Test func `is superseded by the first use of its successor only`() async throws {
        let ada = try await Visit()
        let second = try await ada.show(ada.first)
        _ = try await ada.show(second)
        ada.wait(Session.grace)
        // If the mark were renewed, the first token would stay valid.
        _ = try await ada.show(second)
        ada.wait(.milliseconds(1))
        #expect(await ada.refusal(of: ada.first) == .invalidRefreshToken)
    }

    @Test func `has at most twenty unused successors`() async throws {
        let ada = try await Visit()
        var followers: [String] = []
        for _ in 0..<25 {
            ada.wait(.seconds(1))
            followers.append(try await ada.show(ada.first))
        }
        #expect(await ada.refusal(of: ada.first) == nil)
        // The session above counts, so nineteen of these are left.
        #expect(await ada.refusal(of: followers[5]) == .invalidRefreshToken)
        #expect(await ada.refusal(of: followers[6]) == nil)
    }

    /// A superseded token is kept for a week. After that it is unknown, and using it does not end
    /// the session.
    @Test func `is deleted a week after it was superseded`() async throws {
        let ada = try await Visit()
        let second = try await ada.show(ada.first)
        let third = try await ada.show(second)
        let moment = ada.world.clock.now() + .milliseconds(1)
        #expect(try await ada.world.store.purgeSessions(retiredBefore: moment) == 1)
        ada.wait(.days(7))
        #expect(await ada.refusal(of: ada.first) == .invalidRefreshToken)
        #expect(await ada.refusal(of: third) == nil)
    }

    /// S6: every way to end sessions ends all their tokens.
    @Test func `ends with all its successors`() async throws {
        let ada = try await Visit()
        let second = try await ada.show(ada.first)
        var change = AccountChange()
        change.validSince = ada.world.clock.now() + .seconds(1)
        _ = try await ada.world.change(change, byAdmin: true)
        for token in [ada.first, second] { #expect(await ada.refusal(of: token) != nil) }
    }

    @Test func `of a disabled account is refused as disabled`() async throws {
        let ada = try await Visit()
        var change = AccountChange()
        change.disabled = true
        _ = try await ada.world.change(change, byAdmin: true)
        #expect([.userDisabled, .invalidRefreshToken].contains(await ada.refusal(of: ada.first)))
    }

    @Test(arguments: ["", "x", "é", String(repeating: "A", count: 44), String(repeating: "A", count: 43)])
    func `is refused unless it was issued`(_ text: String) async throws {
        #expect(await (try Visit()).refusal(of: text) == .invalidRefreshToken)
    }

    /// It has no effect on another project either.
    @Test func `works in its own project only`() async throws {
        let ada = try await Visit()
        let other = ProjectID(rawValue: "other")
        await #expect(throws: ActionError.self) { try await ada.accounts.refresh(ada.first, in: other) }
        #expect(await ada.refusal(of: ada.first) == nil)
    }
}
