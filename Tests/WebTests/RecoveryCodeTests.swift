import Accounts
import Base
import Store
import Testing
import World
@testable import Web

/// A user with an authenticator app and its recovery codes.
private struct Grace {
    let api: API
    let factor: SecondFactor
    let codes: [String]

    init() async throws {
        api = try await API([.recoveryCodes])
        let (accounts, world) = (api.site.identityToolkit.accounts, api.world)
        let idToken = try await api.tokens(of: "grace").idToken
        let enrollment = try await accounts.startEnrollment(for: api.user(behind: idToken))
        // The random bytes of a world are not random, so the key of the enrolment is known.
        let answer = await api.call(
            "accounts/mfaEnrollment:finalize", version: "v2",
            .object([
                "idToken": .string(idToken),
                "totpVerificationInfo": .object([
                    "sessionInfo": .string(enrollment.sessionInfo),
                    "verificationCode": .string(
                        TOTP(key: try AuthenticatorApp.key(ofBase32: enrollment.sharedSecretKey)).password(at: world.clock.now())),
                ]),
            ])
        ).json
        codes = try #require(answer["recoveryCodes"]?.items, "\(answer.text)").compactMap(\.string)
        factor = try #require(try await api.profile("grace").secondFactors.first)
    }

    func signIn(with code: String) async -> JSON {
        let first = await api.call(
            "accounts:signInWithPassword", .object(["email": "grace@example.com", "password": .string(API.password)])
        ).json
        return await api.call(
            "accounts/mfaSignIn:finalize", version: "v2",
            .object([
                "mfaPendingCredential": first["mfaPendingCredential"], "mfaEnrollmentId": .string(factor.id),
                "totpVerificationInfo": .object(["verificationCode": .string(code)]),
            ])
        ).json
    }
}

/// F9: a recovery code takes the place of the app once, and ends with its factor.
@Suite struct `A recovery code` {
    @Test func `takes the place of the app once`() async throws {
        let grace = try await Grace()
        #expect(Set(grace.codes).count == 10)
        for code in grace.codes { #expect(code.wholeMatch(of: #/[A-Z2-7]{4}(-[A-Z2-7]{4}){3}/#) != nil) }
        let tokens = await grace.signIn(with: grace.codes[0])
        let proven = try await grace.api.user(behind: try #require(tokens["idToken"]?.string)).secondFactor
        #expect(proven == ProvenSecondFactor(.recoveryCode, id: grace.factor.id))
        #expect(await grace.signIn(with: grace.codes[0]).errorCode == "INVALID_CODE")
        // As a user may type it.
        #expect(await grace.signIn(with: " " + grace.codes[1].lowercased().replacing("-", with: " "))["idToken"] != nil)
        // V13: of two in an hour the owner is told once.
        let notices = try await grace.api.world.mails().filter { $0.kind == .notice(.recoveryCodeUsed) }
        #expect(notices.map(\.to) == ["grace@example.com"])
        #expect(await grace.signIn(with: "AAAA-AAAA-AAAA-AAAA").errorCode == "INVALID_CODE")
    }

    @Test func `works once of many requests at once`() async throws {
        let grace = try await Grace()
        let winners = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 { group.addTask { await grace.signIn(with: grace.codes[2])["idToken"] != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
    }

    @Test func `works while wrong codes of the app are refused`() async throws {
        let grace = try await Grace()
        for _ in 0..<5 { #expect(await grace.signIn(with: "000000x").errorCode == "INVALID_CODE") }
        #expect(await grace.signIn(with: "000000x").errorCode == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(await grace.signIn(with: grace.codes[3])["idToken"] != nil)
    }

    @Test func `ends with its factor, and is stored as a keyed hash`() async throws {
        let grace = try await Grace()
        let world = grace.api.world
        let account = try #require(try await grace.api.stored("grace"))
        let digest = try #require(RecoveryCode(typed: grace.codes[4])).digest(of: account, by: world.secrets)
        let isSpent = try await world.store.transaction { (records) throws(ActionError) in
            try records.spend(recoveryCode: digest, of: account)
        }
        #expect(isSpent)
        try await world.redeem(try #require(try await world.mailedCode(.revertSecondFactorAddition)))
        try await world.enrollApp(for: "grace", factor: grace.factor.id)
        #expect(await grace.signIn(with: grace.codes[5]).errorCode == "INVALID_CODE")
    }

    @Test func `is given only where the project says so`() async throws {
        let api = try await API()
        let idToken = try await api.tokens(of: "grace").idToken
        let enrollment = try await api.site.identityToolkit.accounts.startEnrollment(for: api.user(behind: idToken))
        let code = TOTP(key: try AuthenticatorApp.key(ofBase32: enrollment.sharedSecretKey)).password(at: api.world.clock.now())
        let answer = await api.call(
            "accounts/mfaEnrollment:finalize", version: "v2",
            .object([
                "idToken": .string(idToken),
                "totpVerificationInfo": .object([
                    "sessionInfo": .string(enrollment.sessionInfo), "verificationCode": .string(code),
                ]),
            ]))
        #expect(answer.status == 200 && answer.json["recoveryCodes"] == nil)
    }
}
