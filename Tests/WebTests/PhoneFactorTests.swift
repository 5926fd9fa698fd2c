import Accounts
import Base
import Store
import Testing
import World
@testable import Web

/// The user of an account whose second factor is a phone.
private struct Grace {
    static let number = "+15555550101"

    let api: API

    /// - Parameter isAlsoFirst: whether grace signs in by the same number.
    init(_ variations: Set<API.Variation> = [], isEnrolled: Bool = true, isAlsoFirst: Bool = false) async throws {
        self.init(try await API(variations))
        if isEnrolled { try await enroll() }
        guard isAlsoFirst else { return }
        var account = try #require(try await api.stored("grace"))
        account.phoneNumber = PhoneNumber(Self.number)
        let changed = account
        try await api.world.store.transaction { (records) throws(ActionError) in try records.update(changed) }
    }

    init(_ api: API) { self.api = api }

    func enroll() async throws {
        try await api.enroll(
            SecondFactor(id: "phone", kind: .phone, phoneNumber: Self.number, enrolledAt: api.world.clock.now()), for: "grace")
    }

    /// The answer to the first factor.
    func first() async -> JSON {
        await api.call("accounts:signInWithPassword", .object(["email": "grace@example.com", "password": .string(API.password)])).json
    }

    func start(_ first: JSON, _ factor: String = "phone") async -> JSON {
        await api.call(
            "accounts/mfaSignIn:start", version: "v2",
            .object([
                "mfaPendingCredential": first["mfaPendingCredential"], "mfaEnrollmentId": .string(factor), "phoneSignInInfo": .object([:]),
            ])
        ).json
    }

    /// The message of a second factor.
    func message(_ first: JSON) async throws -> TextMessage {
        let session = try #require(await start(first)["phoneResponseInfo", "sessionInfo"]?.string)
        let message = try api.texts.newest(to: Self.number)
        #expect(message.sessionInfo == session)
        return message
    }

    func finish(_ first: JSON, _ message: TextMessage, _ code: String? = nil) async -> JSON {
        await api.call(
            "accounts/mfaSignIn:finalize", version: "v2",
            .object([
                "mfaPendingCredential": first["mfaPendingCredential"],
                "phoneVerificationInfo": .object(["sessionInfo": .string(message.sessionInfo), "code": .string(code ?? message.code)]),
            ])
        ).json
    }

    /// The tokens of a session by a custom token, which asks for no second factor.
    func byCustomToken() async throws -> IssuedTokens {
        let grace = try #require(try await api.stored("grace"))
        return try await api.site.identityToolkit.accounts.openSession(for: grace, by: .custom)
    }

    func proven(_ tokens: JSON) async throws -> ProvenSecondFactor? {
        try await api.user(behind: try #require(tokens["idToken"]?.string, "\(tokens.text)")).secondFactor
    }
}

@Suite struct `A phone as second factor` {
    /// J3: strangers' messages do not keep a user waiting who proved the first factor.
    @Test func `a phone as second factor is asked for whatever strangers ask for its range`() async throws {
        let api = try await API { Limits(Limit.standards, secrets: $0.secrets, uptime: $0.clock.uptime) }
        let grace = Grace(api)
        try await grace.enroll()
        for number in 0..<60 {
            let near = JSON.object(["phoneNumber": .string("+1555555010\(number % 10)")])
            _ = await api.call("accounts:sendVerificationCode", near, from: "10.\(number).0.1")
        }
        let first = await grace.first()
        #expect(await grace.start(first)["phoneResponseInfo", "sessionInfo"] != nil)
    }

    /// The tokens of the session that the custom token began are replaced, not refused.
    @Test func `a phone as second factor does not stop a session by a custom token from linking`() async throws {
        let grace = try await Grace()
        let tokens = try await grace.byCustomToken()
        let answer = await grace.api.call(
            "accounts:signUp",
            .object(["idToken": .string(tokens.idToken), "email": "grace@example.com", "password": "another quiet phrase"])
        ).json
        let token = try #require(answer["idToken"]?.string, "\(answer.text)")
        #expect(try await grace.api.user(behind: token).provider == .custom)
    }

    /// F10: of an account that was imported or made by an admin, too; and its number is not shown.
    /// F10: after a password the phone proves more.
    @Test func `a phone as second factor is asked for after a password, even if it also signs in by itself`() async throws {
        let grace = try await Grace(isAlsoFirst: true)
        let first = await grace.first()
        #expect(first["mfaInfo"]?.items?.map { $0["mfaEnrollmentId"]?.string } == ["phone"])
        let message = try await grace.message(first)
        #expect(try await grace.proven(await grace.finish(first, message)) == ProvenSecondFactor(.phone, id: "phone"))
    }

    @Test func `a phone as second factor signs in to an account that has no other`() async throws {
        let grace = try await Grace()
        let first = await grace.first()
        #expect(first["mfaInfo"]?.items?.first?["phoneInfo"] == "+*******0101")
        let message = try await grace.message(first)
        #expect(await grace.finish(first, message, message.wrongCode).errorCode == "INVALID_CODE")
        #expect(try await grace.proven(await grace.finish(first, message)) == ProvenSecondFactor(.phone, id: "phone"))
    }

    /// F10: the code of a second factor works once, and wrong ones count like those of an app.
    @Test func `a phone as second factor takes a code once, even in requests at once`() async throws {
        let grace = try await Grace()
        let first = await grace.first()
        let message = try await grace.message(first)
        let winners = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 { group.addTask { await grace.finish(first, message)["idToken"] != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
    }

    /// F10, F4: a new code buys no new guesses, and none is sent while the account waits.
    @Test func `a phone as second factor counts wrong codes with the account`() async throws {
        let grace = try await Grace()
        let first = await grace.first()
        for _ in 0..<5 {
            let message = try await grace.message(first)
            #expect(await grace.finish(first, message, message.wrongCode).errorCode == "INVALID_CODE")
        }
        #expect(await grace.start(first).errorCode == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(grace.api.texts.all.count == 5)
    }

    /// F10: a code of a sign-in by phone is not one of the second factor.
    @Test func `a phone as second factor takes no code that was sent for something else`() async throws {
        let grace = try await Grace()
        let first = await grace.first()
        let session = await grace.api.call("accounts:sendVerificationCode", .object(["phoneNumber": .string(Grace.number)]))
        #expect(session.status == 200)
        #expect(await grace.finish(first, try grace.api.texts.newest(to: Grace.number)).errorCode == "INVALID_SESSION_INFO")
        // And the other way round.
        let message = try await grace.message(first)
        let body = JSON.object(["sessionInfo": .string(message.sessionInfo), "code": .string(message.code)])
        #expect(await grace.api.call("accounts:signInWithPhoneNumber", body).json.errorCode == "INVALID_SESSION_INFO")
    }

    /// V6, J5: no message is paid, and no answer tells of the second factor.
    @Test func `a number that is the second factor gets no text message at sign-in where accounts are hidden`() async throws {
        let grace = try await Grace([.hidesAccounts], isAlsoFirst: true)
        let sent = await grace.api.call("accounts:sendVerificationCode", .object(["phoneNumber": .string(Grace.number)]))
        #expect(sent.status == 200 && grace.api.texts.all.isEmpty)
        let body = JSON.object(["sessionInfo": sent.json["sessionInfo"], "code": "123456"])
        #expect(await grace.api.call("accounts:signInWithPhoneNumber", body).json.errorCode == "INVALID_CODE")
    }

    /// F10: the number that the user signed in with proves nothing more.
    @Test func `a phone as second factor does not count if it was the first`() async throws {
        let grace = try await Grace(isAlsoFirst: true)
        let refused = await grace.api.call("accounts:sendVerificationCode", .object(["phoneNumber": .string(Grace.number)]))
        #expect(refused.json.errorCode == "UNSUPPORTED_FIRST_FACTOR" && grace.api.texts.all.isEmpty)
        func signIn() async throws -> JSON {
            _ = await grace.api.call("accounts:sendVerificationCode", .object(["phoneNumber": .string(Grace.number)]))
            let message = try grace.api.texts.newest(to: Grace.number)
            let body = JSON.object(["sessionInfo": .string(message.sessionInfo), "code": .string(message.code)])
            return await grace.api.call("accounts:signInWithPhoneNumber", body).json
        }
        let app = try await grace.api.world.enrollApp(for: "grace")
        let answer = try await signIn()
        #expect(answer["idToken"] == nil && answer["mfaInfo"]?.items?.map { $0["mfaEnrollmentId"]?.string } == ["app"])
        #expect(await grace.start(answer).errorCode == "MFA_ENROLLMENT_NOT_FOUND")
        let tokens = await grace.api.call(
            "accounts/mfaSignIn:finalize", version: "v2",
            .object([
                "mfaPendingCredential": answer["mfaPendingCredential"], "mfaEnrollmentId": "app",
                "totpVerificationInfo": .object(["verificationCode": .string(app.code)]),
            ]))
        #expect(tokens.status == 200)
    }

    /// F10: the ids of accounts and factors may be the same in two projects.
    @Test func `a phone as second factor takes no code that another project sent`() async throws {
        let grace = try await Grace()
        let (world, accounts) = (grace.api.world, grace.api.site.identityToolkit.accounts)
        let other = world.project.renamed(ProjectID(rawValue: "other"))
        let twin = Account(project: other.id, id: AccountID(rawValue: "grace"), createdAt: world.clock.now())
        try await world.store.transaction { (records) throws(ActionError) in try records.insert(twin) }
        let number = try #require(PhoneNumber(Grace.number))
        let issued = try await accounts.sendVerificationCode(
            to: number, for: .secondFactor(twin.id, id: "phone"), from: .admin, in: other, send: { _, _ in })
        let message = TextMessage(issued, id: "1", text: issued.code, language: "en", in: other.id, at: world.clock.now())
        let first = await grace.first()
        #expect(await grace.finish(first, message).errorCode == "INVALID_SESSION_INFO")
        #expect(await grace.finish(first, try await grace.message(first))["idToken"] != nil)
    }
}

@Suite struct `Enrolling a phone` {
    private func enroll(_ grace: Grace, _ idToken: String, number: String = Grace.number, code: String? = nil) async throws -> JSON {
        let start = await grace.api.call(
            "accounts/mfaEnrollment:start", version: "v2",
            .object(["idToken": .string(idToken), "phoneEnrollmentInfo": .object(["phoneNumber": .string(number)])]))
        #expect(start.status == 200, "\(start.json.text)")
        return await finalize(grace, idToken, try grace.api.texts.newest(to: number), code: code)
    }

    private func finalize(_ grace: Grace, _ idToken: String, _ message: TextMessage, code: String? = nil) async -> JSON {
        await grace.api.call(
            "accounts/mfaEnrollment:finalize", version: "v2",
            .object([
                "idToken": .string(idToken), "displayName": "My phone",
                "phoneVerificationInfo": .object(["sessionInfo": .string(message.sessionInfo), "code": .string(code ?? message.code)]),
            ])
        ).json
    }

    /// F11: from the first call to the next sign-in, and back by the mailed link.
    @Test func `an enrolled phone is asked for at the next sign-in, and is withdrawn by the mailed link`() async throws {
        let grace = try await Grace(isEnrolled: false)
        let (own, thief) = (try await grace.api.tokens(of: "grace"), try await grace.api.tokens(of: "grace"))
        let tokens = try await enroll(grace, own.idToken)
        let factor = try #require(try await grace.api.profile("grace").secondFactors.first)
        #expect(factor.kind == .phone && factor.phoneNumber == Grace.number && factor.displayName == "My phone")
        #expect(try await grace.proven(tokens) == ProvenSecondFactor(.phone, id: factor.id))
        #expect(await grace.api.call("accounts:lookup", .object(["idToken": .string(thief.idToken)])).json.errorCode == "TOKEN_EXPIRED")
        #expect(await grace.first()["mfaPendingCredential"] != nil)
        let code = try #require(try await grace.api.world.mailedCode(.revertSecondFactorAddition))
        #expect(await grace.api.call("accounts:update", .object(["oobCode": .string(code.text)])).status == 200)
        #expect(await grace.first()["idToken"] != nil)
    }

    /// F11: the count of the number is the one of sign-ins.
    @Test func `enrolling a phone needs the code`() async throws {
        let grace = try await Grace(isEnrolled: false)
        let idToken = try await grace.api.tokens(of: "grace").idToken
        for _ in 0..<5 { #expect(try await enroll(grace, idToken, code: "000000x").errorCode == "INVALID_CODE") }
        #expect(try await grace.api.profile("grace").secondFactors.isEmpty)
        #expect(
            await grace.api.call("accounts:sendVerificationCode", .object(["phoneNumber": .string(Grace.number)])).json.errorCode
                == "TOO_MANY_ATTEMPTS_TRY_LATER")
    }

    /// F11: two at once; one ends the session of the other.
    @Test func `enrolling two phones at once enrols one`() async throws {
        let grace = try await Grace(isEnrolled: false)
        let idToken = try await grace.api.tokens(of: "grace").idToken
        var messages: [TextMessage] = []
        for number in [Grace.number, "+15555550102"] {
            _ = await grace.api.call(
                "accounts/mfaEnrollment:start", version: "v2",
                .object(["idToken": .string(idToken), "phoneEnrollmentInfo": .object(["phoneNumber": .string(number)])]))
            messages.append(try grace.api.texts.newest(to: number))
        }
        let answers = await withTaskGroup(of: JSON.self) { group in
            for message in messages { group.addTask { await finalize(grace, idToken, message) } }
            return await group.reduce(into: [JSON]()) { $0.append($1) }
        }
        #expect(answers.count { $0["idToken"] != nil } == 1)
        #expect(try await grace.api.profile("grace").secondFactors.count == 1)
    }

    /// F9: the codes work in place of the text message.
    @Test func `enrolling a phone gives recovery codes where the project says so`() async throws {
        let grace = try await Grace([.recoveryCodes], isEnrolled: false)
        let tokens = try await enroll(grace, try await grace.api.tokens(of: "grace").idToken)
        let codes = try #require(tokens["recoveryCodes"]?.items).compactMap(\.string)
        let factor = try #require(try await grace.api.profile("grace").secondFactors.first)
        let first = await grace.first()
        _ = await grace.start(first, factor.id)
        let message = try grace.api.texts.newest(to: Grace.number)
        #expect(try await grace.proven(await grace.finish(first, message, codes[0])) == ProvenSecondFactor(.recoveryCode, id: factor.id))
        #expect(await grace.finish(first, message, codes[0]).errorCode == "INVALID_CODE")
    }
}
