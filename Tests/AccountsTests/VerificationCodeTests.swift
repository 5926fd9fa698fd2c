import Base
import Store
import Testing
import World
@testable import Accounts

/// A phone number, and accounts that may have it.
private struct Phone {
    let world: World
    let accounts: Accounts
    let number: PhoneNumber
    var project: ProjectID { world.project.id }

    init(hasAccount: Bool = false) async throws {
        world = try await World()
        accounts = world.accounts(signedWith: nil)
        let number = try #require(PhoneNumber("+15555550199"))
        self.number = number
        if hasAccount { try await world.account(nil) { $0.phoneNumber = number } }
    }

    func issue(from network: String? = nil) async throws -> IssuedVerificationCode {
        try await accounts.issueVerificationCode(to: number, for: .signIn, from: network, in: project)
    }

    func signIn(_ issued: IssuedVerificationCode, _ code: String? = nil, from network: String? = nil) async throws(ActionError)
        -> PhoneSignIn
    {
        try await accounts.signIn(
            with: .code(TypedVerificationCode(code ?? issued.code, sessionInfo: issued.sessionInfo)), creates: true, language: nil,
            from: network.map { .peer($0) } ?? .admin, in: world.project
        ).0
    }

    /// The refusal of a guess at a new code; nil if it is right.
    func guess(from network: String? = nil) async throws -> Refusal? {
        do {
            let issued = try await issue(from: network)
            _ = try await signIn(issued, issued.code == "000000" ? "000001" : "000000", from: network)
            return nil
        } catch let error as ActionError { return error.refusal }
    }
}

@Suite struct `The code of a text message` {
    /// J1: each number is as likely as the next, and keeps its zeros.
    @Test func `has six digits`() async throws {
        let phone = try await Phone()
        var codes: Set<String> = []
        for _ in 0..<200 { codes.insert(try await phone.issue().code) }
        #expect(codes.count > 150 && codes.allSatisfy { $0.utf8.count == 6 && $0.allSatisfy(\.isASCII) })
    }

    /// J6: keyed hashes only, which differ for two sessions with one code.
    @Test func `is stored as a keyed hash, like its session`() async throws {
        let phone = try await Phone()
        var stored: [VerificationCode] = []
        for _ in 0..<2 {
            let issued = try await phone.accounts.issueVerificationCode(to: phone.number, for: .signIn, fixed: "123456", in: phone.project)
            let session = phone.world.secrets.digest(ofSession: issued.sessionInfo)
            stored.append(
                try #require(
                    try await phone.world.store.read { (records) throws(ActionError) in
                        try records.verificationCode(session)
                    }))
        }
        #expect(stored[0].code != stored[1].code && stored[0].session != stored[1].session)
        #expect(stored.allSatisfy { $0.number == phone.number && $0.wrongTries == 0 })
    }

    /// J2: the fifth wrong one of the number costs a pause, though each was sent anew.
    @Test func `buys no guesses beyond those of the number`() async throws {
        let phone = try await Phone()
        for _ in 0..<5 { #expect(try await phone.guess() == .invalidCode) }
        #expect(try await phone.guess() == .tooManyAttempts)
        // J3: nor is one sent, because it would not be looked at.
        await #expect(throws: ActionError.self) { try await phone.issue() }
        phone.world.clock.advance(by: .seconds(30))
        #expect(try await phone.guess() == .invalidCode)
        phone.world.clock.advance(by: .seconds(59))
        #expect(try await phone.guess() == .tooManyAttempts)
        phone.world.clock.advance(by: .seconds(1))
        // A right one ends the count.
        _ = try await phone.signIn(try await phone.issue())
        for _ in 0..<5 { #expect(try await phone.guess() == .invalidCode) }
    }

    /// J2: many at once are counted one by one.
    @Test func `is guessed at five times at most by many at once`() async throws {
        let phone = try await Phone()
        let issued = try await phone.issue()
        let wrong = issued.code == "000000" ? "000001" : "000000"
        let refusals = await withTaskGroup(of: Refusal?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do throws(ActionError) {
                        _ = try await phone.signIn(issued, wrong)
                        return nil
                    } catch { return error.refusal }
                }
            }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(refusals.count { $0 == .invalidCode } == 5 && !refusals.contains(nil))
    }

    /// J2: strangers do not keep the user waiting at home.
    @Test func `is judged in a network that the account knows, while strangers have to wait`() async throws {
        let phone = try await Phone(hasAccount: true)
        guard case .proven(let account, _) = try await phone.signIn(try await phone.issue()) else { throw CancellationError() }
        _ = try await phone.accounts.openSession(for: account, by: .phone, from: "192.0.2")
        for _ in 0..<5 { #expect(try await phone.guess(from: "198.51.100") == .invalidCode) }
        #expect(try await phone.guess(from: "198.51.100") == .tooManyAttempts)
        let issued = try await phone.issue(from: "192.0.2")
        _ = try await phone.signIn(issued, from: "192.0.2")
        #expect(try await phone.guess(from: "198.51.100") == .tooManyAttempts, "the user's code did not end the strangers' count")
    }

    /// J1: the digits of every script, in groups, as users type them.
    @Test(arguments: ["123 456", "\u{661}\u{662}\u{663}\u{664}\u{665}\u{666}"]) func `may be typed as keyboards have it`(_ typed: String)
        async throws
    {
        let phone = try await Phone()
        let issued = try await phone.accounts.issueVerificationCode(to: phone.number, for: .signIn, fixed: "123456", in: phone.project)
        guard case .proven(_, let isNew) = try await phone.signIn(issued, typed) else { throw CancellationError() }
        #expect(isNew)
    }

    @Test func `is deleted an hour after it expired, and the count of its number after a week`() async throws {
        let phone = try await Phone()
        let (store, clock) = (phone.world.store, phone.world.clock)
        _ = try await phone.issue()
        #expect(try await phone.guess() == .invalidCode)
        #expect(try await store.purgeVerificationCodes(expiredBefore: clock.now() + .minutes(9)) == 0)
        #expect(try await store.purgeVerificationCodes(expiredBefore: clock.now() + .minutes(11)) == 2)
        #expect(try await store.purgeWrongVerificationCodes(endedBefore: clock.now()) == 0)
        #expect(try await store.purgeWrongVerificationCodes(endedBefore: clock.now() + .milliseconds(1)) == 1)
    }

    /// S6: the request was authenticated before the change and arrives after it.
    @Test func `the code of a text message links no number to an account that has another password since`() async throws {
        let phone = try await Phone()
        let seen = try await phone.world.account("ada@app.example")
        let issued = try await phone.issue()
        var change = AccountChange()
        change.password = "a quiet long phrase"
        _ = try await phone.world.change(change)
        let proof = PhoneProof.code(TypedVerificationCode(issued.code, sessionInfo: issued.sessionInfo))
        await expectRefused(.tokenExpired) {
            try await phone.accounts.link(proof, to: seen, replacing: true, in: phone.world.project)
        }
        #expect(try await phone.world.stored(seen.id)?.phoneNumber == nil)
    }

    @Test func `the code of a text message begins an account in the language of its client`() async throws {
        let phone = try await Phone()
        let issued = try await phone.issue()
        let proof = PhoneProof.code(TypedVerificationCode(issued.code, sessionInfo: issued.sessionInfo))
        let (result, _) = try await phone.accounts.signIn(
            with: proof, creates: true, language: "de", from: .admin, in: phone.world.project)
        guard case .proven(let account, isNew: true) = result else { throw CancellationError() }
        #expect(try await phone.world.stored(account.id)?.language == "de")
    }

    /// C10, for text messages.
    @Test func `the code of a text message is unknown in another project`() async throws {
        let phone = try await Phone()
        let issued = try await phone.issue()
        let proof = PhoneProof.code(TypedVerificationCode(issued.code, sessionInfo: issued.sessionInfo))
        let other = phone.world.project.renamed(ProjectID(rawValue: "blog"))
        await expectRefused(.invalidSessionInfo) {
            try await phone.accounts.signIn(with: proof, creates: true, language: nil, from: .admin, in: other)
        }
        _ = try await phone.signIn(issued)
    }

    /// J4: the ids of accounts may be the same in two projects.
    @Test func `a temporary proof of a phone number signs in to nothing in another project`() async throws {
        let phone = try await Phone(hasAccount: true)
        let eve = try await phone.world.account("eve@app.example", id: "eve")
        let issued = try await phone.issue()
        let code = PhoneProof.code(TypedVerificationCode(issued.code, sessionInfo: issued.sessionInfo))
        let answer = try await phone.accounts.link(code, to: eve, replacing: true, in: phone.world.project)
        guard case .belongsToOther(let number, let text) = answer else { throw CancellationError() }
        let other = phone.world.project.renamed(ProjectID(rawValue: "blog"))
        var account = Account(project: other.id, id: AccountID(rawValue: "ada"), createdAt: phone.world.clock.now())
        account.phoneNumber = number
        let twin = account
        try await phone.world.store.transaction { (records) throws(ActionError) in try records.insert(twin) }
        func signIn(in project: Project) async throws -> PhoneSignIn {
            try await phone.accounts.signIn(
                with: .temporary(text, number), creates: false, language: nil, from: .admin, in: project
            ).0
        }
        await expectRefused(.invalidTemporaryProof) { try await signIn(in: other) }
        guard case .proven = try await signIn(in: phone.world.project) else { throw CancellationError() }
    }
}
