internal import Accounts
internal import EmailActions
internal import JSON

extension APIMethod {
    static let finalizeMFASignIn = APIMethod(
        "finalizeMfaSignIn",
        documentation: MethodDocumentation(
            summary: "Completes a sign-in with the code of an authenticator app, or with a recovery code in its place.",
            fields: [
                .always("mfaPendingCredential", .text, "From the first factor, at most ten minutes ago."),
                .always("mfaEnrollmentId", .text), .always("totpVerificationInfo", .object([.always("verificationCode", .text)])),
            ],
            response: .tokens,
            refusals: [
                .missingCredential, .missingMFAEnrollmentID, .missingCode, .invalidMFAPendingCredential, .mfaEnrollmentNotFound,
                .invalidCode, .operationNotAllowed,
            ]),
        run: { (call) throws(ActionError) in try await call.finalizeMFASignIn() })
}

extension Call {
    /// `accounts/mfaSignIn:finalize`: completes a sign-in with the code of an authenticator app.
    func finalizeMFASignIn() async throws(ActionError) -> JSON {
        guard let credential = try body.text("mfaPendingCredential") else { throw .refused(.missingCredential) }
        guard let id = try body.text("mfaEnrollmentId") else { throw .refused(.missingMFAEnrollmentID) }
        guard let code = try body.object("totpVerificationInfo")?.text("verificationCode") else { throw .refused(.missingCode) }
        // Only bounds the work: guesses are counted with the account.
        try admit(.refresh)
        let tokens = try await accounts.finishSignIn(credential, with: code, of: id, from: network, in: project.id)
        return .object(tokens.members)
    }
}
