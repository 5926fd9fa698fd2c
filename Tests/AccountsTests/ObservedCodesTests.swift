import Accounts
import Base
import Network
import Testing
import World

/// The codes reported to `observe`, which metrics count and `onward dev` lists.
@Suite struct `Observed codes` {
    private let observed = Locked<[Action]>([])
    private let world: World
    private let accounts: Accounts

    init() async throws {
        world = try await World()
        accounts = world.accounts(
            signedWith: nil,
            observe: { [observed] event in if case .issued(let code) = event { observed.update { $0.append(code.action) } } })
    }

    /// Requests a change of address for the account `ada` and applies its code.
    private func changeAddress(to address: String) async throws {
        let account = try #require(try await world.stored(AccountID(rawValue: "ada")))
        var request = CodeRequest(.verifyAndChangeEmail, for: .account(account), with: ApprovedSettings(in: world.project))
        request.newEmail = EmailAddress(address)
        let code = try #require(try await accounts.send(request)?.code)
        _ = try await accounts.redeem(try await world.inspect(code).pending())
    }

    @Test func `include the undo code of a changed address`() async throws {
        try await world.account("ada@app.example") { $0.emailVerified = true }
        try await changeAddress(to: "new@app.example")
        #expect(observed.value == [.verifyAndChangeEmail, .recoverEmail])
    }

    @Test func `do not include an undo code that was not stored because the address was changed back`() async throws {
        try await world.account("ada@app.example") { $0.emailVerified = true }
        try await changeAddress(to: "new@app.example")
        try await changeAddress(to: "ada@app.example")
        #expect(observed.value == [.verifyAndChangeEmail, .recoverEmail, .verifyAndChangeEmail])
    }

    @Test func `include the undo code of an account whose address a sign-in link replaced`() async throws {
        let account = try await world.account("ada@app.example") { $0.emailVerified = true }
        let other = try #require(EmailAddress("other@app.example"))
        let request = CodeRequest(.signIn, for: .address(other), with: ApprovedSettings(in: world.project))
        let code = try #require(try await accounts.send(request)?.code)
        _ = try await accounts.signIn(try await world.inspect(code).pending(), as: other, linking: account)
        #expect(observed.value == [.signIn, .recoverEmail])
        #expect(try await world.mailedCode(.recoverEmail) != nil)
    }

    @Test func `observed codes include the undo code of a second factor`() async throws {
        let account = try await world.account("ada@app.example") { $0.emailVerified = true }
        let factor = SecondFactor(id: "f", kind: .phone, phoneNumber: "+15555550100", enrolledAt: world.clock.now())
        _ = try await accounts.enroll(factor, for: account, in: world.project)
        #expect(observed.value == [.revertSecondFactorAddition])
    }
}
