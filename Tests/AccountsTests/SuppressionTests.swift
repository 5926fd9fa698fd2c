import Accounts
import Base
import Store
import Testing
import World

@Suite struct `A suppressed address` {
    private let counted = Counted()
    private let world: World

    init() async throws {
        world = try await World(counted: counted) { $0.hidesAccounts = true }
        for name in ["ada", "eve"] {
            try await world.account("\(name)@app.example", id: name) {
                $0.passwordHash = "$scrypt$"
                $0.emailVerified = true
            }
        }
    }

    /// Reports a mail that was sent to the address.
    private func suppress(_ reason: MailFeedback.Kind, _ address: EmailAddress = .ada) async throws {
        let digest = world.outbox.digest(of: address, in: world.project.id)
        let moment = world.clock.now()
        try await request(.verifyEmail, to: address)
        for mail in try await world.store.lease(MailLease(limit: 9, until: moment + .seconds(60)), at: moment) {
            try await world.store.end(
                mail, as: .sent, DeliveryOutcome(.accepted, relay: "a", answer: "250"), keepsLetter: false, at: moment)
        }
        let suppression = try #require(Suppression(reason, of: digest, in: world.project.id, from: .plain, at: moment))
        #expect(try await world.store.suppress([suppression], by: nil, at: moment) == .counted(suppressed: 1))
    }

    @discardableResult
    private func request(_ action: Action, to address: EmailAddress, mails: Bool = true) async throws -> IssuedCode? {
        var request = CodeRequest(action, for: .address(address), with: ApprovedSettings(in: world.project))
        request.mails = mails
        return try await world.accounts.send(request)
    }

    private func mails() async throws -> [LetterKind] { try await world.mails().map(\.kind) }

    /// B1: the answer and the work are those for any other address.
    @Test(arguments: [Action.resetPassword, .signIn], [true, false])
    func `gets no mail and costs the same work`(action: Action, hidesAccounts: Bool) async throws {
        try await suppress(.bounce)
        var (world, works) = (self.world, [Counted.Work]())
        world.project.hidesAccounts = hidesAccounts
        for address in [EmailAddress.ada, try #require(EmailAddress("eve@app.example"))] {
            _ = counted.reset()
            let request = CodeRequest(action, for: .address(address), with: ApprovedSettings(in: world.project))
            let issued = try await world.accounts.send(request)
            #expect((issued == nil) == (address == .ada))
            works.append(counted.reset())
        }
        #expect(try await world.mails().map(\.to) == ["eve@app.example"])
        for index in works.indices { works[index].statements.removeAll { $0.contains("DELETE FROM mail") } }
        #expect(works[0] == works[1] && works[0].reads == 1 && works[0].transactions == 1)
    }

    /// The owner of a mailbox that exists again, or always did, is locked out for seven days at
    /// most (V1).
    @Test func `gets mails again after seven days`() async throws {
        try await suppress(.bounce)
        world.clock.advance(by: .days(7) + .milliseconds(-1))
        #expect(try await request(.resetPassword, to: .ada) == nil)
        world.clock.advance(by: .milliseconds(1))
        #expect(try await request(.resetPassword, to: .ada) != nil)
    }

    @Test func `does not stop an admin who asks for the link`() async throws {
        try await suppress(.bounce)
        #expect(try await request(.resetPassword, to: .ada, mails: false) != nil)
    }

    /// The new address of an account gets the mail, so that one counts.
    @Test func `is that of the recipient, not of the account`() async throws {
        try await suppress(.bounce)
        func change(_ id: String, to address: String) async throws -> IssuedCode? {
            let account = try #require(try await world.stored(AccountID(rawValue: id)))
            var request = CodeRequest(.verifyAndChangeEmail, for: .account(account), with: ApprovedSettings(in: world.project))
            request.newEmail = EmailAddress(address)
            return try await world.accounts.send(request)
        }
        #expect(try await change("ada", to: "new@app.example") != nil)
        let account = try #require(try await world.stored(AccountID(rawValue: "ada")))
        let verify = CodeRequest(.verifyEmail, for: .account(account), with: ApprovedSettings(in: world.project))
        #expect(try await world.accounts.send(verify) == nil)
    }

    /// V1: what the owner asks for is sent although the owner complained; so are links that undo an
    /// intruder's change.
    @Test func `gets links but no notices after a complaint`() async throws {
        try await suppress(.complaint)
        for action in [Action.resetPassword, .signIn] { #expect(try await request(action, to: .ada) != nil) }
        #expect(try await mails() == [.action(.signIn), .action(.resetPassword)])
        world.clock.advance(by: .days(400))
        var password = AccountChange()
        password.password = "a new and long password"
        _ = try await world.change(password)
        #expect(try await mails().count == 2)
        var address = AccountChange()
        address.email = EmailAddress("intruder@app.example")
        var world = world
        world.project.hidesAccounts = false
        _ = try await world.change(address)
        #expect(try await mails().first == .action(.recoverEmail))
    }

    @Test func `gets neither notices nor undo links if it does not exist, and the changes happen`() async throws {
        try await suppress(.bounce)
        var change = AccountChange()
        change.password = "a new and long password"
        change.email = EmailAddress("other@app.example")
        var world = world
        world.project.hidesAccounts = false
        #expect(try await world.change(change).email?.value == "other@app.example")
        #expect(try await mails().isEmpty)
    }
}
