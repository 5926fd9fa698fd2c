import Accounts
import Base
import HTTPTypes
import Testing
import World
@testable import Web

/// A user with a verified address who enrols an authenticator app.
private struct Grace {
    let api: API
    let clock: TestClock
    let session: API.Held

    init(_ variations: Set<API.Variation> = [], signedInAgo ago: Duration = .zero) async throws {
        api = try await API(variations)
        clock = api.world.clock
        session = try await api.tokens(of: "grace", signedInAgo: ago)
    }

    func call(_ method: String, _ body: KeyValuePairs<String, JSON?>, by idToken: String? = nil) async -> JSON {
        let token = JSON.object(["idToken": .string(idToken ?? session.idToken)])
        return await api.call("accounts/mfaEnrollment:\(method)", version: "v2", token.adding(body)).json
    }

    func start() async throws -> JSON {
        try #require(await call("start", ["totpEnrollmentInfo": .object([])])["totpSessionInfo"])
    }

    /// The code of the app that has the key of an enrolment.
    func code(of enrollment: JSON) throws -> String {
        TOTP(key: try AuthenticatorApp.key(ofBase32: try #require(enrollment["sharedSecretKey"]?.string))).password(at: clock.now())
    }

    func finalize(_ enrollment: JSON, _ code: String) async -> JSON {
        await call(
            "finalize",
            [
                "displayName": "My app",
                "totpVerificationInfo": .object(["sessionInfo": enrollment["sessionInfo"], "verificationCode": .string(code)]),
            ])
    }

    /// Enrols an app and returns its factor and the new ID token.
    func enroll() async throws -> (factor: SecondFactor, idToken: String) {
        let enrollment = try await start()
        let tokens = await finalize(enrollment, try code(of: enrollment))
        let idToken = try #require(tokens["idToken"]?.string, "\(tokens.text)")
        return (try #require(try await api.profile("grace").secondFactors.first), idToken)
    }
}

@Suite struct `Enrolling an authenticator app` {
    /// F6: from the first call to the next sign-in, and back by the mailed link.
    @Test func `an enrolled authenticator app is asked for at the next sign-in, and is withdrawn by the mailed link`() async throws {
        let grace = try await Grace()
        let enrollment = try await grace.start()
        #expect(enrollment["hashingAlgorithm"] == "SHA1" && enrollment["periodSec"] == .int(30))
        #expect(enrollment["verificationCodeLength"] == .int(6))
        // Nothing is stored yet.
        #expect(try await grace.api.profile("grace").secondFactors.isEmpty)
        let tokens = await grace.finalize(enrollment, try grace.code(of: enrollment))
        let (accounts, project) = (grace.api.site.identityToolkit.accounts, grace.api.world.project)
        let factor = try await grace.api.user(behind: try #require(tokens["idToken"]?.string)).secondFactor
        #expect(factor?.method == .totp)
        let renewed = try await accounts.refresh(try #require(tokens["refreshToken"]?.string), in: project)
        #expect(try await grace.api.user(behind: renewed.idToken).secondFactor == factor)

        // The code of the enrolment was used.
        let password = JSON.object(["email": "grace@example.com", "password": .string(API.password)])
        let answer = await grace.api.call("accounts:signInWithPassword", password).json
        func finish() async throws -> JSON {
            await grace.api.call(
                "accounts/mfaSignIn:finalize", version: "v2",
                .object([
                    "mfaPendingCredential": answer["mfaPendingCredential"], "mfaEnrollmentId": .string(ifAny: factor?.id),
                    "totpVerificationInfo": .object(["verificationCode": .string(try grace.code(of: enrollment))]),
                ])
            ).json
        }
        #expect(try await finish().errorCode == "INVALID_CODE")
        grace.clock.advance(by: TOTP.period)
        #expect(try await finish()["idToken"] != nil)

        let mail = try #require(try await grace.api.world.mails().first)
        #expect(mail.kind == .action(.revertSecondFactorAddition) && mail.to == "grace@example.com")
        let code = try #require(try await grace.api.world.mailedCode(.revertSecondFactorAddition))
        let undone = await grace.api.call("accounts:update", .object(["oobCode": .string(code.text)]))
        #expect(undone.status == 200)
        #expect(try await grace.api.profile("grace").secondFactors.isEmpty)
        #expect(await grace.api.call("accounts:signInWithPassword", password).json["idToken"] != nil)
    }

    /// F6: sessions whose users did not prove the factor.
    @Test func `enrolling an authenticator app ends the other sessions`() async throws {
        let grace = try await Grace()
        let thief = try await grace.api.tokens(of: "grace")
        _ = try await grace.enroll()
        #expect(await grace.api.call("accounts:lookup", .object(["idToken": .string(thief.idToken)])).json.errorCode == "TOKEN_EXPIRED")
        let refresh = JSON.object(["grantType": "refresh_token", "refreshToken": .string(thief.refreshToken)])
        #expect(await grace.api.call("token", refresh).json.errorCode == "TOKEN_EXPIRED")
    }

    /// F7: the key is neither in the account's data nor in clear in the store.
    @Test func `enrolling an authenticator app stores its key encrypted`() async throws {
        let grace = try await Grace()
        let enrollment = try await grace.start()
        _ = await grace.finalize(enrollment, try grace.code(of: enrollment))
        let factor = try #require(try await grace.api.profile("grace").secondFactors.first)
        let key = try grace.api.world.secrets.open(try #require(factor.sealedKey), for: .secondFactor)
        #expect(TOTP(key: key).password(at: grace.clock.now()) == (try grace.code(of: enrollment)))
        let tokens = try await grace.api.tokens(of: "grace")
        let lookup = await grace.api.call("accounts:lookup", .object(["idToken": .string(tokens.idToken)])).json.text
        #expect(lookup.contains("totpInfo") && !lookup.contains("ealedKey"))
        #expect(!lookup.contains(try #require(enrollment["sharedSecretKey"]?.string)))
    }

    /// F6: neither an old ID token nor an account without a verified address can enrol.
    @Test(arguments: [
        ("ada", Duration.zero, SignInProvider.password, "UNVERIFIED_EMAIL"), ("nobody", .zero, .anonymous, "UNSUPPORTED_FIRST_FACTOR"),
        ("grace", .zero, .custom, "UNSUPPORTED_FIRST_FACTOR"), ("grace", .seconds(301), .password, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"),
    ])
    func `enrolling an authenticator app is refused without the sign-in that it needs`(
        _ name: String, _ ago: Duration, _ provider: SignInProvider, _ code: String
    ) async throws {
        let grace = try await Grace([.production])
        let idToken = try await grace.api.tokens(of: name, signedInAgo: ago, by: provider).idToken
        #expect(await grace.call("start", ["totpEnrollmentInfo": .object([])], by: idToken).errorCode == code)
    }

    /// F6: what is sealed at the start is for one account, as it was then, and for ten minutes.
    @Test func `enrolling an authenticator app takes only what it began itself`() async throws {
        let grace = try await Grace()
        let enrollment = try await grace.start()
        let code = try grace.code(of: enrollment)
        #expect(await grace.finalize(enrollment, "000000").errorCode == "INVALID_CODE" || code == "000000")
        let forged = JSON.object(["sessionInfo": "x"])
        #expect(await grace.finalize(forged, code).errorCode == "INVALID_SESSION_INFO")
        let radia = try await grace.api.tokens(of: "radia").idToken
        let verification = JSON.object(["sessionInfo": enrollment["sessionInfo"], "verificationCode": .string(code)])
        #expect(await grace.call("finalize", ["totpVerificationInfo": verification], by: radia).errorCode == "INVALID_SESSION_INFO")
        grace.clock.advance(by: .minutes(10))
        #expect(await grace.finalize(enrollment, try grace.code(of: enrollment)).errorCode == "SESSION_EXPIRED")
    }

    /// F6: an intruder's enrolment that was begun in a session that has ended since.
    @Test func `enrolling an authenticator app is refused if it was begun before a change of the account`() async throws {
        let grace = try await Grace()
        let enrollment = try await grace.start()
        let (idToken, code) = (try await grace.enroll().idToken, try grace.code(of: enrollment))
        let verification = JSON.object(["sessionInfo": enrollment["sessionInfo"], "verificationCode": .string(code)])
        #expect(await grace.call("finalize", ["totpVerificationInfo": verification], by: idToken).errorCode == "INVALID_SESSION_INFO")
        #expect(try await grace.api.profile("grace").secondFactors.count == 1)
    }

    /// F6: of two at once one wins, because it ends the session of the other.
    @Test func `enrolling an authenticator app wins against another at the same moment`() async throws {
        let grace = try await Grace()
        let enrollments = [try await grace.start(), try await grace.start()]
        let codes = try enrollments.map(grace.code)
        let answers = await withTaskGroup(of: JSON.self) { group in
            for (enrollment, code) in zip(enrollments, codes) { group.addTask { await grace.finalize(enrollment, code) } }
            return await group.reduce(into: [JSON]()) { $0.append($1) }
        }
        #expect(answers.count { $0["idToken"] != nil } == 1)
        #expect(try await grace.api.profile("grace").secondFactors.count == 1)
    }

    @Test func `enrolling an authenticator app is limited to five factors`() async throws {
        let grace = try await Grace()
        for number in 1...5 { try await grace.api.world.enrollApp(for: "grace", factor: "\(number)") }
        #expect(await grace.call("start", ["totpEnrollmentInfo": .object([])]).errorCode == "SECOND_FACTOR_LIMIT_EXCEEDED")
    }
}

@Suite struct `An account with an authenticator app` {
    /// F6: the last factor goes by a call of its user, who is told by mail.
    @Test func `an account withdraws its authenticator app`() async throws {
        let grace = try await Grace()
        let (factor, idToken) = try await grace.enroll()
        #expect(await grace.call("withdraw", ["mfaEnrollmentId": "other"], by: idToken).errorCode == "MFA_ENROLLMENT_NOT_FOUND")
        let withdrawn = await grace.call("withdraw", ["mfaEnrollmentId": .string(factor.id)], by: idToken)
        #expect(withdrawn["idToken"] != nil && withdrawn["refreshToken"] != nil)
        #expect(try await grace.api.profile("grace").secondFactors.isEmpty)
        #expect(try await grace.api.world.mails().first?.kind == .notice(.secondFactorRemoved))
        #expect(await grace.api.call("accounts:lookup", .object(["idToken": .string(idToken)])).json.errorCode == "TOKEN_EXPIRED")
    }

    /// F6: an intruder's withdrawal leaves the owner's link in place that undoes the intruder's own
    /// factor.
    @Test func `an account with an authenticator app keeps the undo links of other factors when one is withdrawn`() async throws {
        let grace = try await Grace()
        try await grace.api.world.enrollApp(for: "grace", factor: "owners")
        let (intruders, idToken) = try await grace.enroll()
        let undo = try #require(try await grace.api.world.mailedCode(.revertSecondFactorAddition))
        _ = await grace.call("withdraw", ["mfaEnrollmentId": "owners"], by: idToken)
        try await grace.api.world.redeem(undo)
        #expect(try await grace.api.profile("grace").secondFactors.contains(intruders) == false)
    }

    /// F8: an address that is not verified would let its holder in by a password reset.
    @Test func `an account with an authenticator app keeps a verified address`() async throws {
        let grace = try await Grace()
        let idToken = try await grace.enroll().idToken
        for body: JSON in [
            // A taken address is refused in the same way: the answer tells nothing of it (V6).
            .object(["email": "other@example.com"]), .object(["email": "ada@example.com"]), .object(["deleteAttribute": .array(["EMAIL"])]),
            .object(["deleteProvider": .array(["password"])]),
        ] {
            let answer = await grace.api.call("accounts:update", body.adding(["idToken": .string(idToken)]))
            #expect(answer.json.errorCode == "EMAIL_CHANGE_NEEDS_VERIFICATION")
        }
        #expect(try await grace.api.stored("grace")?.email?.value == "grace@example.com")
    }
}
