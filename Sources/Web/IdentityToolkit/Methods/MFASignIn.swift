internal import Accounts
internal import EmailActions
internal import JSON

extension APIMethod {
    static let startMFASignIn = APIMethod(
        "startMfaSignIn",
        documentation: MethodDocumentation(
            summary: "Would send a text message to a phone that is a second factor; an authenticator app needs no start.",
            fields: [.always("mfaPendingCredential", .text), .always("mfaEnrollmentId", .text), Property("phoneSignInInfo", .anything)],
            response: [],
            refusals: [.missingMFAPendingCredential, .missingMFAEnrollmentID, .operationNotAllowed]),
        run: { (call) throws(ActionError) in try await call.startMFASignIn() })

    static let finalizeMFASignIn = APIMethod(
        "finalizeMfaSignIn",
        documentation: MethodDocumentation(
            summary: "Completes a sign-in with the code of an authenticator app.",
            fields: [
                .always("mfaPendingCredential", .text, "From the first factor, at most ten minutes ago."),
                .always("mfaEnrollmentId", .text), .always("totpVerificationInfo", .object([.always("verificationCode", .text)])),
            ],
            response: .tokens,
            refusals: [
                .missingCredential, .missingMFAEnrollmentID, .missingCode, .invalidMFAPendingCredential, .mfaEnrollmentNotFound,
                .invalidCode, .userDisabled, .operationNotAllowed,
            ]),
        run: { (call) throws(ActionError) in try await call.finalizeMFASignIn() })
}

extension Call {
    /// `accounts/mfaSignIn:start`, which only phones need.
    func startMFASignIn() async throws(ActionError) -> JSON {
        guard try body.text("mfaPendingCredential") != nil else { throw .refused(.missingMFAPendingCredential) }
        guard try body.text("mfaEnrollmentId") != nil else { throw .refused(.missingMFAEnrollmentID) }
        throw .refused(.operationNotAllowed, detail: "This server sends no text messages; the code of an authenticator app needs no start")
    }

    /// `accounts/mfaSignIn:finalize`: completes a sign-in with the code of an authenticator app.
    func finalizeMFASignIn() async throws(ActionError) -> JSON {
        guard let credential = try body.text("mfaPendingCredential") else { throw .refused(.missingCredential) }
        guard !body.has("phoneVerificationInfo") else {
            throw .refused(.operationNotAllowed, detail: "This server sends no text messages")
        }
        guard let id = try body.text("mfaEnrollmentId") else { throw .refused(.missingMFAEnrollmentID) }
        guard let code = try body.object("totpVerificationInfo")?.text("verificationCode") else { throw .refused(.missingCode) }
        let tokens = try await accounts.finishSignIn(credential, with: code, of: id, from: network, in: project.id)
        return .object(tokens.members)
    }
}
