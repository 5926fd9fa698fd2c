internal import Accounts
internal import Base

extension APIMethod {
    static let startMFASignIn = APIMethod(
        "startMfaSignIn",
        documentation: MethodDocumentation(
            summary: "Sends a code to the phone that is a second factor of a sign-in.",
            fields: [
                .always("mfaPendingCredential", .text, "From the first factor, at most ten minutes ago."),
                .always("mfaEnrollmentId", .text),
            ],
            response: [.always("phoneResponseInfo", .object([.always("sessionInfo", .text, "Names the code for ten minutes.")]))],
            refusals: [
                .missingMFAPendingCredential, .missingMFAEnrollmentID, .invalidMFAPendingCredential, .mfaEnrollmentNotFound,
                .operationNotAllowed,
            ]),
        run: { (call) throws(ActionError) in try await call.startMFASignIn() })

    static let finalizeMFASignIn = APIMethod(
        "finalizeMfaSignIn",
        documentation: MethodDocumentation(
            summary: "Completes a sign-in with the code of an authenticator app or a text message, or with a recovery code in its place.",
            fields: [
                .always("mfaPendingCredential", .text, "From the first factor, at most ten minutes ago."),
                Property("mfaEnrollmentId", .text, "For an authenticator app."),
                Property("totpVerificationInfo", .object([.always("verificationCode", .text)])),
                Property("phoneVerificationInfo", .object([.always("sessionInfo", .text), .always("code", .text)])),
            ],
            response: .tokens,
            refusals: [
                .missingCredential, .missingMFAEnrollmentID, .missingSessionInfo, .missingCode, .invalidMFAPendingCredential,
                .mfaEnrollmentNotFound, .invalidSessionInfo, .invalidCode,
            ]),
        run: { (call) throws(ActionError) in try await call.finalizeMFASignIn() })
}

extension Call {
    /// `accounts/mfaSignIn:start`: sends a code to the phone that is a second factor. The settings
    /// do not say whether: a factor that a user has is asked for.
    func startMFASignIn() async throws(ActionError) -> JSON {
        guard let credential = try body.text("mfaPendingCredential") else { throw .refused(.missingMFAPendingCredential) }
        guard let id = try body.text("mfaEnrollmentId") else { throw .refused(.missingMFAEnrollmentID) }
        let (number, account) = try await accounts.phone(of: id, in: credential, from: client, in: project)
        let sessionInfo = try await sendVerificationCode(to: number, for: .secondFactor(account.id, id: id), account: account)
        return .object(["phoneResponseInfo": .object(["sessionInfo": sessionInfo])])
    }

    /// `accounts/mfaSignIn:finalize`: completes a sign-in with the code of a second factor.
    func finalizeMFASignIn() async throws(ActionError) -> JSON {
        guard let credential = try body.text("mfaPendingCredential") else { throw .refused(.missingCredential) }
        let code = try secondFactorCode()
        return .object(try await accounts.finishSignIn(credential, with: code, from: client, in: project).members)
    }

    private func secondFactorCode() throws(ActionError) -> SecondFactorCode {
        if let answer = try body.object("phoneVerificationInfo") { return .textMessage(try answer.verificationCode()) }
        guard let id = try body.text("mfaEnrollmentId") else { throw .refused(.missingMFAEnrollmentID) }
        guard let code = try body.object("totpVerificationInfo")?.text("verificationCode") else { throw .refused(.missingCode) }
        return .app(code, factor: id)
    }
}

extension JSONFields {
    /// The code of a text message in `phoneVerificationInfo`. Refuses `MISSING_SESSION_INFO` and
    /// `MISSING_CODE`.
    func verificationCode() throws(ActionError) -> TypedVerificationCode {
        guard let sessionInfo = try text("sessionInfo") else { throw .refused(.missingSessionInfo) }
        guard let code = try text("code") else { throw .refused(.missingCode) }
        return TypedVerificationCode(code, sessionInfo: sessionInfo)
    }
}
