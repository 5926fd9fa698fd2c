internal import Accounts
internal import EmailActions
internal import JSON

extension APIMethod {
    static let startMFAEnrollment = APIMethod(
        "startMfaEnrollment",
        documentation: MethodDocumentation(
            summary: "Begins to enrol an authenticator app, or a phone, which gets a code; nothing is enrolled yet.",
            fields: [
                .always("idToken", .text, "Of a sign-in at most five minutes ago."),
                Property("totpEnrollmentInfo", .object([]), "For an app."),
                Property("phoneEnrollmentInfo", .object([.always("phoneNumber", .text, "E.164.")]), "For a phone."),
            ],
            response: [
                Property(
                    "totpSessionInfo",
                    .object([
                        .always("sharedSecretKey", .text, "Base32."), .always("verificationCodeLength", .integer),
                        .always("hashingAlgorithm", .choice(["SHA1"])), .always("periodSec", .integer), .always("sessionInfo", .text),
                        .always("finalizeEnrollmentTime", .text, "ISO 8601."),
                    ])),
                Property("phoneSessionInfo", .object([.always("sessionInfo", .text, "Names the code for ten minutes.")])),
            ],
            refusals: [
                .operationNotAllowed, .missingIDToken, .unsupportedFirstFactor, .unverifiedEmail, .credentialTooOld, .invalidIDToken,
                .tokenExpired, .missingPhoneNumber, .invalidPhoneNumber, .secondFactorExists,
            ]),
        run: { (call) throws(ActionError) in try await call.startMFAEnrollment() })

    static let finalizeMFAEnrollment = APIMethod(
        "finalizeMfaEnrollment",
        documentation: MethodDocumentation(
            summary: "Enrols an authenticator app or a phone with its code, ends all other sessions, and mails a link that undoes it.",
            fields: [
                .always("idToken", .text), Property("displayName", .text),
                Property("totpVerificationInfo", .object([.always("sessionInfo", .text), .always("verificationCode", .text)])),
                Property("phoneVerificationInfo", .object([.always("sessionInfo", .text), .always("code", .text)])),
            ],
            response: .tokens + [
                Property("recoveryCodes", .list(.text), "If the project gives them. Each is accepted once instead of the factor's code.")
            ],
            refusals: [
                .operationNotAllowed, .missingIDToken, .missingSessionInfo, .missingCode, .invalidSessionInfo, .invalidCode,
                .secondFactorExists, .invalidIDToken,
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
    /// `accounts/mfaEnrollment:start`: begins to enrol an authenticator app or a phone.
    func startMFAEnrollment() async throws(ActionError) -> JSON {
        if let phone = try body.object("phoneEnrollmentInfo") { return try await startPhoneEnrollment(phone) }
        let idToken = try idTokenToEnroll(.totp)
        guard try body.object("totpEnrollmentInfo") != nil else {
            throw .refused(.invalidArgument, detail: "/ needs totpEnrollmentInfo or phoneEnrollmentInfo")
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

    private func startPhoneEnrollment(_ phone: JSONFields) async throws(ActionError) -> JSON {
        let idToken = try idTokenToEnroll(.phone)
        let number = try phone.requiredPhoneNumber()
        let account = try await accounts.profileToEnroll(number, behind: idToken, in: project.id).account
        try await requireRecentSignIn(idToken)
        let sessionInfo = try await sendVerificationCode(to: number, for: .enrollment(account.id), account: account)
        return .object(["phoneSessionInfo": .object(["sessionInfo": sessionInfo])])
    }

    /// `accounts/mfaEnrollment:finalize`: enrols an authenticator app that shows the right code, or
    /// a phone that got it.
    func finalizeMFAEnrollment() async throws(ActionError) -> JSON {
        if let answer = try body.object("phoneVerificationInfo") { return try await finalizePhoneEnrollment(answer) }
        let idToken = try idTokenToEnroll(.totp)
        let answer = try body.object("totpVerificationInfo")
        guard let sessionInfo = try answer?.text("sessionInfo") else { throw .refused(.missingSessionInfo) }
        guard let code = try answer?.text("verificationCode") else { throw .refused(.missingCode) }
        let before = try await account(behind: idToken)
        let (factor, step) = try accounts.enrolled(sessionInfo, by: code, named: try body.profile("displayName"), for: before)
        return try await enroll(factor, for: before, idToken) { recoveryCodes throws(ActionError) in
            try await actions.enroll(factor, provedAt: step, recoveryCodes: recoveryCodes, for: before, in: project)
        }
    }

    private func finalizePhoneEnrollment(_ answer: JSONFields) async throws(ActionError) -> JSON {
        let idToken = try idTokenToEnroll(.phone)
        let typed = try answer.verificationCode()
        let before = try await account(behind: idToken)
        let (factor, isProven) = try await accounts.enrolled(
            by: typed, named: try body.profile("displayName"), for: before, from: network)
        _ = try await accounts.profileToEnroll(factor.phoneNumber.flatMap { PhoneNumber($0) }, behind: idToken, in: project.id)
        return try await enroll(factor, for: before, idToken) { recoveryCodes throws(ActionError) in
            try await actions.enroll(factor, ifProven: isProven, recoveryCodes: recoveryCodes, for: before, in: project)
        }
    }

    /// Stores a second factor and opens a session in which it was proved.
    private func enroll(
        _ factor: SecondFactor, for before: Account, _ idToken: String, _ store: ([Digest]) async throws(ActionError) -> Account
    ) async throws(ActionError) -> JSON {
        try admitNotice(to: before)
        let recoveryCodes =
            project.secondFactors.recoveryCodes ? (0..<RecoveryCode.countPerFactor).map { _ in RecoveryCode(random: accounts.random) } : []
        let account = try await store(recoveryCodes.map { $0.digest(of: before, by: accounts.secrets) })
        let provider = try await accounts.provider(behind: idToken, in: project.id) ?? .password
        let tokens = try await accounts.openSession(
            for: account, by: provider, after: ProvenSecondFactor(factor.kind == .totp ? .totp : .phone, id: factor.id))
        let shown: JSON? = recoveryCodes.isEmpty ? nil : .array(recoveryCodes.map { .string($0.text) })
        return JSON.object(tokens.members).adding(["recoveryCodes": shown])
    }

    /// `accounts/mfaEnrollment:withdraw`: removes a second factor.
    func withdrawMFA() async throws(ActionError) -> JSON {
        guard let idToken = try body.text("idToken") else { throw .refused(.missingIDToken) }
        guard let id = try body.text("mfaEnrollmentId") else { throw .refused(.missingMFAEnrollmentID) }
        let before = try await accounts.profile(behind: idToken, in: project.id)
        guard before.secondFactors.contains(where: { $0.id == id }) else { throw .refused(.mfaEnrollmentNotFound) }
        try await requireRecentSignIn(idToken)
        try admitNotice(to: before.account)
        var change = AccountChange()
        change.withdrawnFactor = id
        change.validSince = accounts.now()
        let account = try await actions.update(before.account, with: change, in: project).account
        let provider = try await accounts.provider(behind: idToken, in: project.id) ?? .password
        return .object(try await openSession(for: account, by: provider, replacing: idToken).members)
    }

    /// The ID token of a call that enrols a factor. Refuses `OPERATION_NOT_ALLOWED` and
    /// `MISSING_ID_TOKEN`.
    private func idTokenToEnroll(_ kind: SecondFactor.Kind) throws(ActionError) -> String {
        guard kind == .totp ? project.secondFactors.totp : project.secondFactors.phone else {
            throw .refused(.operationNotAllowed, detail: "Second factors of this kind are off; see secondFactors in the configuration")
        }
        guard let idToken = try body.text("idToken") else { throw .refused(.missingIDToken) }
        return idToken
    }
}
