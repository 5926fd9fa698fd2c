internal import Accounts
internal import Base

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
                .tokenExpired, .invalidPhoneNumber, .secondFactorExists,
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
        try requireOffered(.totp)
        guard try body.object("totpEnrollmentInfo") != nil else {
            throw .refused(.invalidArgument, detail: "/ needs totpEnrollmentInfo or phoneEnrollmentInfo")
        }
        let user = try requiredUser()
        let enrollment = try accounts.startEnrollment(for: user)
        try accounts.requireRecentSignIn(of: user)
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
        try requireOffered(.phone)
        let number = try phone.requiredPhoneNumber()
        let user = try requiredUser()
        try user.requireEnrollable(number)
        try accounts.requireRecentSignIn(of: user)
        let sessionInfo = try await sendVerificationCode(to: number, for: .enrollment(user.account.id), account: user.account)
        return .object(["phoneSessionInfo": .object(["sessionInfo": sessionInfo])])
    }

    /// `accounts/mfaEnrollment:finalize`: enrols an authenticator app that shows the right code, or
    /// a phone that got it.
    func finalizeMFAEnrollment() async throws(ActionError) -> JSON {
        if let answer = try body.object("phoneVerificationInfo") { return try await finalizePhoneEnrollment(answer) }
        try requireOffered(.totp)
        let answer = try body.object("totpVerificationInfo")
        guard let sessionInfo = try answer?.text("sessionInfo") else { throw .refused(.missingSessionInfo) }
        guard let code = try answer?.text("verificationCode") else { throw .refused(.missingCode) }
        let user = try requiredUser()
        let (factor, step) = try accounts.enrolled(sessionInfo, by: code, named: try body.profile("displayName"), for: user.account)
        return try await enroll(factor, by: .app(step: step), for: user)
    }

    private func finalizePhoneEnrollment(_ answer: JSONFields) async throws(ActionError) -> JSON {
        try requireOffered(.phone)
        let typed = try answer.verificationCode()
        let user = try requiredUser()
        let factor = try await accounts.enrolled(by: typed, named: try body.profile("displayName"), for: user.account)
        try user.requireEnrollable(factor.phoneNumber.flatMap { PhoneNumber($0) })
        return try await enroll(factor, by: .textMessage(typed, from: client.network), for: user)
    }

    /// Stores a second factor and opens a session in which it was proved.
    private func enroll(
        _ factor: SecondFactor, by proof: EnrollmentProof, for user: SignedInUser
    ) async throws(ActionError) -> JSON {
        let (tokens, codes) = try await accounts.enroll(factor, by: proof, for: user, from: client, in: project)
        let shown: JSON? = codes.isEmpty ? nil : .array(codes.map { .string($0.text) })
        return JSON.object(tokens.members).adding(["recoveryCodes": shown])
    }

    /// `accounts/mfaEnrollment:withdraw`: removes a second factor.
    func withdrawMFA() async throws(ActionError) -> JSON {
        let user = try requiredUser()
        guard let id = try body.text("mfaEnrollmentId") else { throw .refused(.missingMFAEnrollmentID) }
        return .object(try await accounts.withdrawSecondFactor(id, of: user, from: client, in: project).members)
    }

    /// Refuses `OPERATION_NOT_ALLOWED` for factors of a kind that the project does not offer.
    private func requireOffered(_ kind: SecondFactor.Kind) throws(ActionError) {
        guard kind == .totp ? project.secondFactors.totp : project.secondFactors.phone else {
            throw .refused(.operationNotAllowed, detail: "Second factors of this kind are off; see secondFactors in the configuration")
        }
    }
}
