import AppLinks
import Base
import Store
import World
@testable import Accounts

/// The moves of the intruder and of an admin, and the events of the server.
extension OwnershipHistory {
    private typealias Move = (name: String, make: () async throws -> Void)

    /// The intruder removes the address, puts it back on the account later, and goes on.
    func putBackAddress(after steps: Int) async throws {
        try await attempt("remove address") { try await self.update { $0.deletesEmail = true } }
        try await intrude(steps: steps)
        try await attempt("address v") { try await self.update { $0.email = self.v } }
        try await intrude(steps: 2)
    }

    func intrude(steps: Int, withAdmin: Bool = false) async throws {
        let moves = intrudersMoves + (withAdmin ? adminsMoves : [])
        for _ in 0..<steps {
            let move = moves[generator.next(below: moves.count)]
            try await attempt(move.name, move.make)
        }
    }

    private var intrudersMoves: [Move] {
        [
            ("password", { try await self.update { $0.password = Self.intrudersPassword } }),
            ("address x", { try await self.update { $0.email = self.x } }),
            ("address s", { try await self.update { $0.email = self.s } }),
            ("address v", { try await self.update { $0.email = self.v } }),
            ("remove address", { try await self.update { $0.deletesEmail = true } }),
            ("move to x", { try await self.moveToX() }),
            ("ask for s", { _ = try await self.ask(.verifyAndChangeEmail, for: try await self.signedIn(), newEmail: self.s) }),
            ("ask for x", { _ = try await self.ask(.verifyAndChangeEmail, for: try await self.signedIn(), newEmail: self.x) }),
            ("ask to verify", { _ = try await self.ask(.verifyEmail, for: try await self.signedIn()) }),
            ("link google", { try await self.link(self.identity("eve", self.x)) }),
            ("link github", { try await self.link(self.claim("eve", self.s)) }),
            ("link phone", { try await self.linkPhone() }),
            ("link to x for the session", { try await self.signInByLinkToX(linking: true) }),
            ("add factor", { try await self.addFactor() }),
            ("google", { try await self.signIn(by: self.identity("eve", self.x)) }),
            ("link to x", { try await self.signInByLinkToX(linking: false) }),
            ("reset x", { try await self.resetX() }),
            ("verify x", { try await self.press(.verifyEmail) }),
            ("undo at x", { try await self.press(.recoverEmail) }),
            ("wait", { self.world.clock.advance(by: .seconds(3600 * (1 + self.generator.next(below: 12)))) }),
            ("wait for days", { try await self.waitForDays() }),
            ("kill", { self.world = try await self.world.killed() }),
        ]
    }

    private var adminsMoves: [Move] {
        [
            ("admin: unverified", { try await self.byAdmin { $0.emailVerified = false } }),
            (
                "admin: disabled and enabled",
                {
                    try await self.byAdmin { $0.disabled = true }
                    try await self.byAdmin { $0.disabled = false }
                }
            ),
            ("admin: import", { try await self.importOver() }),
            ("admin: merge", { try await self.mergeOther() }),
            ("admin: unmerge", { try await self.unmerge() }),
        ]
    }

    /// The account of the intruder's newest session that is valid.
    private func signedIn() async throws -> Account {
        for token in tokens.reversed() {
            if let account = try? await accounts.account(behind: token, in: world.project.id) { return account }
        }
        throw NothingSent()
    }

    /// Opens another session, as a client does whose credentials have changed. All second factors
    /// are the intruder's.
    private func goOn(as account: Account) async throws {
        let factor = try await accounts.profiles([.id(account.id)], in: world.project.id).first?.secondFactors.first
        let proven = factor.map { ProvenSecondFactor(.phone, id: $0.id) }
        tokens.append(try await accounts.openSession(for: account, by: .password, after: proven).idToken)
    }

    func update(_ edit: (inout AccountChange) -> Void) async throws {
        var change = AccountChange()
        edit(&change)
        try await goOn(as: try await world.accounts.update(try await signedIn(), with: change, in: world.project).account)
    }

    private func ask(_ action: Action, for account: Account, newEmail: EmailAddress? = nil) async throws -> OobCode? {
        var request = CodeRequest(action, for: .account(account), with: ApprovedSettings(in: world.project))
        request.newEmail = newEmail
        return try await world.accounts.send(request)?.code
    }

    private func moveToX() async throws {
        guard let code = try await ask(.verifyAndChangeEmail, for: try await signedIn(), newEmail: x) else { throw NothingSent() }
        _ = try await redeem(code)
        hasProvedX = true
    }

    private func link(_ identity: VerifiedIdentity) async throws {
        let account = try await world.accounts.link(identity, to: try await signedIn(), in: world.project)
        hasProvedX = hasProvedX || account.email == x && account.emailVerified
        linkedAt[identity.provider] = world.clock.now()
    }

    private func linkPhone() async throws {
        let (seen, accounts) = (try await signedIn(), world.accounts)
        let sent = try await accounts.issueVerificationCode(to: intrudersPhone, for: .signIn, fixed: "123456", in: world.project.id)
        let proof = PhoneProof.code(TypedVerificationCode("123456", sessionInfo: sent.sessionInfo))
        guard case .proven = try await accounts.link(proof, to: seen, replacing: true, in: world.project) else {
            throw ActionError.refused(.phoneNumberExists)
        }
    }

    private func addFactor() async throws {
        let factor = SecondFactor(
            id: "factor-\(log.count)", kind: .phone, phoneNumber: "+150055\(log.count)\(1_000_000 + seed)", enrolledAt: world.clock.now())
        try await goOn(as: try await world.accounts.enroll(factor, for: try await signedIn(), in: world.project))
    }

    private func signIn(by identity: VerifiedIdentity) async throws {
        guard case .signedIn(let account, _) = try await world.accounts.signIn(identity, in: world.project) else { return }
        if account.email == x { hasProvedX = hasProvedX || account.emailVerified }
        if account.id == id, linkedAt[identity.provider] == nil { linkedAt[identity.provider] = world.clock.now() }
        try await goOn(as: account)
    }

    private func signInByLinkToX(linking: Bool) async throws {
        let linked = linking ? try await signedIn() : nil
        let request = CodeRequest(.signIn, for: .address(x), with: ApprovedSettings(in: world.project))
        guard let code = try await world.accounts.send(request)?.code else { throw NothingSent() }
        let pending = try await world.accounts.inspect(code, in: world.project).pending()
        let signedIn = try await world.accounts.signIn(pending, as: x, linking: linked)
        hasProvedX = true
        try await goOn(as: signedIn.account)
    }

    private func resetX() async throws {
        let request = CodeRequest(.resetPassword, for: .address(x), with: ApprovedSettings(in: world.project))
        guard let code = try await world.accounts.send(request)?.code else { throw NothingSent() }
        let outcome = try await redeem(code, with: .newPassword(Self.intrudersPassword))
        hasProvedX = true
        if let id = outcome.account, let account = try await world.stored(id) { try await goOn(as: account) }
    }

    /// Presses the newest link of an action in the mailbox `x`.
    private func press(_ action: Action) async throws {
        guard let code = try await code(action, to: x) else { throw NothingSent() }
        _ = try await redeem(code)
        hasProvedX = true
    }

    // MARK: The server and its admin

    /// Time passes, and what has ended is deleted.
    private func waitForDays() async throws {
        world.clock.advance(by: .days(1 + generator.next(below: 9)))
        let now = world.clock.now()
        _ = try await world.store.purgeCodes(expiredBefore: now)
        _ = try await world.store.purgeMails(endedBefore: now)
    }

    private func byAdmin(_ edit: (inout AccountChange) -> Void) async throws {
        guard let account = try await world.stored(id) else { throw NothingSent() }
        var change = AccountChange()
        edit(&change)
        _ = try await world.accounts.update(account, with: change, byAdmin: true, in: world.project)
    }

    /// An import that keeps the address.
    private func importOver() async throws {
        guard let known = try await world.stored(id) else { throw NothingSent() }
        var account = Account(project: known.project, id: known.id, createdAt: known.createdAt)
        account.setAddress(known.email, verified: known.emailVerified, at: world.clock.now())
        _ = try await world.accounts.imports.take([.success(ImportedUser(account))], hashedBy: nil, existing: .overwrite)
    }

    private var merging: Merging {
        Merging(store: world.store, outbox: world.outbox, secrets: world.secrets, now: world.clock.now)
    }

    /// The owner has another account, at the verified address `w`, and asks for one account of the
    /// two. An admin sees which address is verified, so `v` is not dropped.
    private func mergeOther() async throws {
        guard merge == nil, let account = try await world.stored(id) else { throw NothingSent() }
        if try await world.stored(other) == nil {
            try await world.account(w.value, id: other.rawValue) { $0.emailVerified = true }
        }
        guard account.email != v || account.emailVerified else { throw NothingSent() }
        let goesInto = account.email != v && generator.next(below: 2) == 0
        let merge = goesInto ? Merge(into: other, from: id) : Merge(into: id, from: other)
        _ = try await merging.merge(merge, in: world.project.id, language: "en")
        (self.merge, id) = (merge, merge.into)
    }

    private func unmerge() async throws {
        guard let merge else { throw NothingSent() }
        try await merging.unmerge(merge, in: world.project.id, language: "en")
        self.merge = nil
        id = merge.into == other ? merge.from : merge.into
    }
}
