internal import Accounts
internal import EmailActions
internal import JSON

extension APIMethod {
    static let startMFAEnrollment = APIMethod(
        "startMfaEnrollment",
        documentation: MethodDocumentation(
            summary: "Begins to enrol an authenticator app; nothing is stored yet.",
            fields: [.always("idToken", .text, "Of a sign-in at most five minutes ago."), .always("totpEnrollmentInfo", .object([]))],
            response: [
                .always(
                    "totpSessionInfo",
                    .object([
                        .always("sharedSecretKey", .text, "Base32."), .always("verificationCodeLength", .integer),
                        .always("hashingAlgorithm", .choice(["SHA1"])), .always("periodSec", .integer), .always("sessionInfo", .text),
                        .always("finalizeEnrollmentTime", .text, "ISO 8601."),
                    ]))
            ],
            refusals: [
                .operationNotAllowed, .missingIDToken, .unsupportedFirstFactor, .unverifiedEmail, .credentialTooOld, .invalidIDToken,
                .tokenExpired,
            ]),
        run: { (call) throws(ActionError) in try await call.startMFAEnrollment() })

    static let finalizeMFAEnrollment = APIMethod(
        "finalizeMfaEnrollment",
        documentation: MethodDocumentation(
            summary: "Enrols an authenticator app with its first code, ends all other sessions, and mails a link that undoes it.",
            fields: [
                .always("idToken", .text), Property("displayName", .text),
                .always("totpVerificationInfo", .object([.always("sessionInfo", .text), .always("verificationCode", .text)])),
            ],
            response: .tokens + [
                Property("recoveryCodes", .list(.text), "If the project gives them. Each is accepted once instead of the app's code.")
            ],
            refusals: [
                .operationNotAllowed, .missingIDToken, .missingSessionInfo, .missingCode, .invalidSessionInfo, .invalidCode,
                .invalidIDToken,
            ]),
        run: { (call) throws(ActionError) in try await call.finalizeMFAEnrollment() })

    static let withdrawMFA = APIMethod(
        "withdrawMfa",
        documentation: MethodDocumentation(
            summary: "Removes a second factor, ends all other sessions, and mails a notice.",
            fields: [.always("idToken", .text, "Of a sign-in at most five minutes ago."), .always("mfaEnrollmentId", .text)],
            response: .tokens,
            refusals: [
                .missingIDToken, .missingMFAEnrollmentID, .mfaEnrollmentNotFound, .credentialTooOld, .invalidIDToken,
            ]),
        run: { (call) throws(ActionError) in try await call.withdrawMFA() })
}

extension Call {
    /// `accounts/mfaEnrollment:start`: begins to enrol an authenticator app.
    func startMFAEnrollment() async throws(ActionError) -> JSON {
        let idToken = try idTokenToEnroll()
        guard try body.object("totpEnrollmentInfo") != nil else {
            throw .refused(.invalidArgument, detail: "/ needs totpEnrollmentInfo; this server sends no text messages")
        }
        let enrollment = try await accounts.startEnrollment(behind: idToken, in: project.id)
        try await requireRecentSignIn(idToken)
        return .object([
            "totpSessionInfo": .object([
                "sharedSecretKey": .string(enrollment.sharedSecretKey),
                "verificationCodeLength": .int(TOTP.digits),
                "hashingAlgorithm": "SHA1",
                "periodSec": .int(Int(TOTP.period.components.seconds)),
                "sessionInfo": .string(enrollment.sessionInfo),
                "finalizeEnrollmentTime": .string(enrollment.finalizeBy.iso8601),
            ])
        ])
    }

    /// `accounts/mfaEnrollment:finalize`: enrols an authenticator app that shows the right code.
    func finalizeMFAEnrollment() async throws(ActionError) -> JSON {
        let idToken = try idTokenToEnroll()
        let answer = try body.object("totpVerificationInfo")
        guard let sessionInfo = try answer?.text("sessionInfo") else { throw .refused(.missingSessionInfo) }
        guard let code = try answer?.text("verificationCode") else { throw .refused(.missingCode) }
        let before = try await account(behind: idToken)
        let (factor, step) = try accounts.enrolled(sessionInfo, by: code, named: try body.profile("displayName"), for: before)
        try admitNotice(to: before)
        let recoveryCodes =
            project.secondFactors.recoveryCodes ? (0..<RecoveryCode.countPerFactor).map { _ in RecoveryCode(random: accounts.random) } : []
        let account = try await actions.enroll(
            factor, provedAt: step, recoveryCodes: recoveryCodes.map { $0.digest(of: before, by: accounts.secrets) }, for: before,
            in: project)
        let provider = try await accounts.provider(behind: idToken, in: project.id) ?? .password
        let tokens = try await accounts.openSession(
            for: account, by: provider, after: ProvenSecondFactor(.totp, id: factor.id))
        let shown: JSON? = recoveryCodes.isEmpty ? nil : .array(recoveryCodes.map { .string($0.text) })
        return JSON.object(tokens.members).adding(["recoveryCodes": shown])
    }

    /// `accounts/mfaEnrollment:withdraw`: removes a second factor.
    func withdrawMFA() async throws(ActionError) -> JSON {
        guard let idToken = try body.text("idToken") else { throw .refused(.missingIDToken) }
        guard let id = try body.text("mfaEnrollmentId") else { throw .refused(.missingMFAEnrollmentID) }
        let before = try await accounts.profile(behind: idToken, in: project.id)
        let left = before.secondFactors.filter { $0.id != id }
        guard left.count < before.secondFactors.count else { throw .refused(.mfaEnrollmentNotFound) }
        try await requireRecentSignIn(idToken)
        try admitNotice(to: before.account)
        var change = AccountChange()
        change.secondFactors = left
        change.validSince = accounts.now()
        let account = try await actions.update(before.account, with: change, in: project).account
        let provider = try await accounts.provider(behind: idToken, in: project.id) ?? .password
        return .object(try await openSession(for: account, by: provider, replacing: idToken).members)
    }

    /// The ID token of a call that enrols. Refuses `OPERATION_NOT_ALLOWED` and `MISSING_ID_TOKEN`.
    private func idTokenToEnroll() throws(ActionError) -> String {
        guard project.secondFactors.totp else {
            throw .refused(.operationNotAllowed, detail: "Second factors are off; see secondFactors in the configuration")
        }
        guard let idToken = try body.text("idToken") else { throw .refused(.missingIDToken) }
        return idToken
    }
}
