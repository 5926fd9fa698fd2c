import Base
import Store
import Testing
import World
@testable import Accounts

/// An account with a password and an authenticator app.
private struct Owner {
    let world: World
    let accounts: Accounts
    let app: AuthenticatorApp

    init() async throws {
        world = try await World()
        try await world.account("ada@app.example") { ($0.passwordHash, $0.emailVerified) = ("$scrypt$", true) }
        accounts = world.accounts(signedWith: nil)
        app = try await world.enrollApp(for: "ada")
    }

    func account() async throws -> Account { try #require(try await world.stored(AccountID(rawValue: "ada"))) }

    /// Proves the first factor.
    func credential() async throws -> String {
        guard case .needsSecondFactor(let credential, let factors) = try await accounts.signIn(account(), by: .password) else {
            throw NotAsked()
        }
        #expect(factors.map(\.id) == ["app"])
        return credential
    }

    @discardableResult
    func finish(_ credential: String, _ code: String, of factor: String = "app", from network: String? = nil) async throws -> IssuedTokens {
        try await accounts.finishSignIn(
            credential, with: .app(code, factor: factor), from: network.map { .peer($0) } ?? .admin, in: world.project)
    }

    /// The refusal of a code; nil if it signs in.
    func refusal(of code: String, from network: String? = nil) async throws -> Refusal? {
        let credential = try await credential()
        do {
            try await finish(credential, code, from: network)
            return nil
        } catch let error as ActionError { return error.refusal }
    }

    private struct NotAsked: Error {}

    func nextStep() { world.clock.advance(by: TOTP.period) }
}

@Suite struct `A sign-in with a second factor` {
    /// F1: the claims are in every token of the session, and in no other's.
    @Test func `names the factor in its tokens`() async throws {
        let ada = try await Owner()
        let tokens = try await ada.finish(ada.credential(), ada.app.code)
        let renewed = try await ada.accounts.refresh(tokens.refreshToken, in: ada.world.project)
        for idToken in [tokens.idToken, renewed.idToken] {
            let firebase = try await ada.accounts.tokens.verify(idToken, for: ada.world.project.id).firebase
            #expect(firebase.signInSecondFactor == "totp" && firebase.secondFactorIdentifier == "app")
            #expect(firebase.signInProvider == "password")
        }
    }

    /// F1: claims say what is true when a token is issued.
    @Test func `tokens of a session do not name a factor that was removed since`() async throws {
        let ada = try await Owner()
        let tokens = try await ada.finish(ada.credential(), ada.app.code)
        let (id, project) = (try await ada.account().id, ada.world.project.id)
        try await ada.world.store.transaction { (records) throws(ActionError) in
            _ = try records.deleteSecondFactor("app", of: id, in: project)
        }
        let renewed = try await ada.accounts.refresh(tokens.refreshToken, in: ada.world.project)
        let firebase = try await ada.accounts.tokens.verify(renewed.idToken, for: project).firebase
        #expect(firebase.signInSecondFactor == nil && firebase.secondFactorIdentifier == nil)
    }

    /// F1: whatever first factor an API call proves, this is the only way to a session.
    @Test func `is the only way to a session`() async throws {
        let ada = try await Owner()
        await expectRefusal(.tokenExpired) { try await ada.accounts.openSession(for: ada.account(), by: .password) }
        // The app's own server vouches for a custom token, as with Firebase.
        let custom = try await ada.accounts.signIn(by: CustomToken(unsigned: #"{"uid":"ada"}"#), in: ada.world.project)
        #expect(!custom.isNew)
    }

    /// F5: also by many at once, and also an older one.
    @Test func `takes a code once`() async throws {
        let ada = try await Owner()
        let (credential, code, older) = (try await ada.credential(), ada.app.code, ada.app.code(atStep: -1))
        let winners = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 { group.addTask { (try? await ada.finish(credential, code)) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
        for used in [code, older] { #expect(try await ada.refusal(of: used) == .invalidCode || used == older) }
        ada.world.clock.advance(by: .hours(12))
        #expect(try await ada.refusal(of: ada.app.code) == nil)
    }

    /// F4: the count is in the store, so a restart and requests at once give no more guesses.
    @Test func `pauses after five wrong codes, for all processes`() async throws {
        let ada = try await Owner()
        let (credential, wrong) = (try await ada.credential(), ada.app.wrongCode)
        let refusals = await withTaskGroup(of: Refusal?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do throws(ActionError) {
                        _ = try await ada.world.accounts(signedWith: nil)
                            .finishSignIn(credential, with: .app(wrong, factor: "app"), in: ada.world.project)
                        return nil
                    } catch { return error.refusal }
                }
            }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(refusals.count { $0 == .invalidCode } == 5 && refusals.count { $0 == .tooManyAttempts } == 15)
        #expect(try await ada.refusal(of: ada.app.code) == .tooManyAttempts)
        ada.nextStep()
        #expect(try await ada.refusal(of: ada.app.code) == nil)
        // The right code ended the count.
        ada.nextStep()
        for _ in 0..<5 { #expect(try await ada.refusal(of: wrong) == .invalidCode) }
    }

    /// F4: the pause doubles up to six hours.
    @Test(arguments: [(1, 0), (4, 0), (5, 30), (6, 60), (7, 120), (14, 15_360), (15, 21_600), (1_000, 21_600)])
    func `pauses longer after each wrong code`(_ count: Int, _ seconds: Int) {
        #expect(WrongCodes.pause(after: count) == .seconds(seconds))
    }

    @Test func `a refusal during a pause tells how long it still lasts`() async throws {
        let ada = try await Owner()
        for _ in 0..<5 { #expect(try await ada.refusal(of: ada.app.wrongCode) == .invalidCode) }
        ada.world.clock.advance(by: .seconds(10))
        let credential = try await ada.credential()
        await #expect { try await ada.finish(credential, ada.app.code) } throws: { error in
            if case ActionError.tooSoon(_, retryAfter: .seconds(20)) = error { true } else { false }
        }
    }

    /// F4: a stranger who knows the password does not keep the owner waiting at home.
    @Test func `counts wrong codes of strange networks apart`() async throws {
        let ada = try await Owner()
        #expect(try await ada.refusal(of: ada.app.code, from: "home") == nil)
        for _ in 0..<5 { #expect(try await ada.refusal(of: ada.app.wrongCode, from: "strange") == .invalidCode) }
        #expect(try await ada.refusal(of: ada.app.wrongCode, from: "stranger") == .tooManyAttempts)
        #expect(try await ada.refusal(of: ada.app.code(atStep: 1), from: "home") == nil)
        // The right code at home does not end the pause of the others.
        #expect(try await ada.refusal(of: ada.app.wrongCode, from: "stranger") == .tooManyAttempts)
    }

    @Test func `knows only the factors of the account`() async throws {
        let ada = try await Owner()
        let credential = try await ada.credential()
        await expectRefusal(.mfaEnrollmentNotFound) { try await ada.finish(credential, ada.app.code, of: "other") }
        try await ada.world.account("bob@app.example", id: "bob")
        try await ada.world.enrollApp(for: "bob", factor: "other")
        await expectRefusal(.mfaEnrollmentNotFound) { try await ada.finish(credential, ada.app.code, of: "other") }
    }
}

@Suite struct `An enrolment` {
    private func phone(_ id: String, in world: World) -> SecondFactor {
        SecondFactor(id: id, kind: .phone, phoneNumber: "+15555550101", enrolledAt: world.clock.now())
    }

    @Test func `an enrolment is refused for an account with five second factors`() async throws {
        let ada = try await Owner()
        for number in 2...5 { try await ada.world.enrollApp(for: "ada", factor: "\(number)") }
        let account = try await ada.account()
        await expectRefusal(.secondFactorLimitExceeded) {
            try await ada.accounts.enroll(phone("sixth", in: ada.world), for: account, in: ada.world.project)
        }
    }

    /// F6: of two that were begun in one session, the first ends it.
    @Test func `an enrolment is refused if the account has changed since its user was seen`() async throws {
        let ada = try await Owner()
        let seen = try await ada.account()
        _ = try await ada.accounts.enroll(phone("first", in: ada.world), for: seen, in: ada.world.project)
        await expectRefusal(.tokenExpired) {
            try await ada.accounts.enroll(phone("second", in: ada.world), for: seen, in: ada.world.project)
        }
    }

    @Test func `an enrolment is refused for an address that is not verified`() async throws {
        let world = try await World()
        let bob = try await world.account("bob@app.example", id: "bob")
        let accounts = world.accounts(signedWith: nil)
        await expectRefusal(.unverifiedEmail) { try await accounts.enroll(phone("first", in: world), for: bob, in: world.project) }
    }

    /// F6: the ids of accounts may be the same in two projects.
    @Test func `an enrolment that was begun in another project is refused`() async throws {
        let world = try await World()
        let ada = try await world.account("ada@app.example") { $0.emailVerified = true }
        let accounts = world.accounts(signedWith: nil)
        let token = try await accounts.openSession(for: ada, by: .password).idToken
        let user = try await accounts.user(behind: token, in: world.project.id)
        let begun = try accounts.startEnrollment(for: user)
        let code = TOTP(key: try AuthenticatorApp.key(ofBase32: begun.sharedSecretKey)).password(at: world.clock.now())
        let twin = Account(project: ProjectID(rawValue: "other"), id: ada.id, createdAt: ada.createdAt)
        await expectRefusal(.invalidSessionInfo) { try accounts.enrolled(begun.sessionInfo, by: code, named: nil, for: twin) }
        _ = try accounts.enrolled(begun.sessionInfo, by: code, named: nil, for: ada)
    }
}

@Suite struct `The credential of a pending sign-in` {
    @Test func `lasts ten minutes`() async throws {
        let ada = try await Owner()
        let credential = try await ada.credential()
        ada.world.clock.advance(by: .minutes(10) + .milliseconds(-1))
        try await ada.finish(credential, ada.app.code)
        ada.world.clock.advance(by: .milliseconds(1))
        await expectRefusal(.invalidMFAPendingCredential) { try await ada.finish(credential, ada.app.code) }
    }

    /// F3: what a client sends is sealed, and for one project.
    @Test func `cannot be made or changed`() async throws {
        let ada = try await Owner()
        let credential = try await ada.credential()
        var bytes = try #require(Base64URL.decode(credential))
        bytes[20] ^= 1
        for text in ["", "x", Base64URL.encode(bytes), String(credential.dropLast()), Base64URL.encode(AuthenticatorApp.key)] {
            await expectRefusal(.invalidMFAPendingCredential) { try await ada.finish(text, ada.app.code) }
        }
        await expectRefusal(.invalidMFAPendingCredential) {
            try await ada.accounts.finishSignIn(
                credential, with: .app(ada.app.code, factor: "app"), in: ada.world.project.renamed(ProjectID(rawValue: "other")))
        }
    }

    enum Event: CaseIterable { case sessionsEnd, factorAdded, factorReplaced, factorRemoved, disabled, deleted }

    /// F3: any change of the account or of its factors ends it.
    @Test(arguments: Event.allCases) func `ends with a change of the account`(_ event: Event) async throws {
        let ada = try await Owner()
        let credential = try await ada.credential()
        let (world, before) = (ada.world, try await ada.account())
        ada.world.clock.advance(by: .seconds(1))
        if event == .factorAdded { try await world.enrollApp(for: "ada", factor: "second") }
        let later = world.clock.now()
        try await world.store.transaction { (records) throws(ActionError) in
            var account = before
            if event == .sessionsEnd { account.endSessions(at: later) }
            if event == .disabled { account.disabled = true }
            if event == .factorRemoved || event == .factorReplaced {
                _ = try records.deleteSecondFactor("app", of: before.id, in: before.project)
            }
            if event == .deleted { try records.delete(before.id, in: before.project) } else { try records.update(account) }
        }
        if event == .factorReplaced { try await world.enrollApp(for: "ada") }
        await expectRefusal(event == .disabled ? .userDisabled : .invalidMFAPendingCredential) {
            try await ada.finish(credential, ada.app.code)
        }
    }
}

@Suite struct `A pending sign-in by phone` {
    /// F3, F10: the number that was proved is no second factor, even if the account has got another
    /// one since, and it no longer opens the account.
    @Test(arguments: ["+15555550103", nil]) func `ends if the account has another number`(_ number: String?) async throws {
        let ada = try await Owner()
        let world = ada.world
        var account = try await ada.account()
        account.setPhoneNumber(PhoneNumber("+15555550102"), at: world.clock.now())
        let phone = SecondFactor(id: "phone", kind: .phone, phoneNumber: "+15555550102", enrolledAt: world.clock.now())
        func store(_ account: Account) async throws {
            try await world.store.transaction { (records) throws(ActionError) in try records.update(account) }
        }
        try await store(account)
        try await world.store.transaction { [account] (records) throws(ActionError) in
            try records.insert(phone, of: account.id, in: account.project, byAdmin: false)
        }
        guard case .needsSecondFactor(let credential, let others) = try await ada.accounts.signIn(account, by: .phone) else {
            Issue.record("no second factor was asked for")
            return
        }
        #expect(others.map(\.id) == ["app"])
        account.setPhoneNumber(number.flatMap { PhoneNumber($0) }, at: world.clock.now())
        try await store(account)
        await expectRefusal(.invalidMFAPendingCredential) { try await ada.finish(credential, ada.app.code) }
        await expectRefusal(.invalidMFAPendingCredential) {
            try await ada.accounts.phone(of: "phone", in: credential, from: .admin, in: world.project)
        }
    }
}

/// Records an issue unless `body` is refused with this code.
private func expectRefusal<T>(_ expected: Refusal, sourceLocation: SourceLocation = #_sourceLocation, by body: () async throws -> T) async {
    do {
        _ = try await body()
        Issue.record("was not refused", sourceLocation: sourceLocation)
    } catch { #expect((error as? ActionError)?.refusal == expected, sourceLocation: sourceLocation) }
}
