internal import Accounts
internal import Base

extension APIMethod {
    static let signInWithPhoneNumber = APIMethod(
        "signInWithPhoneNumber",
        documentation: MethodDocumentation(
            summary: "Signs in with the code of a text message; with an ID token, gives that account the phone number.",
            fields: [
                Property("sessionInfo", .text, "Of sendVerificationCode."), Property("code", .text),
                Property("temporaryProof", .text, "Instead of these two, with phoneNumber."), Property("phoneNumber", .text, "E.164."),
                Property("idToken", .text),
                Property("operation", .choice(Call.phoneOperations), "REAUTH creates no account, LINK replaces no other number."),
            ],
            response: [
                .always("phoneNumber", .text), Property("localId", .text), Property("isNewUser", .flag),
                Property("temporaryProof", .text, "The number belongs to another account, and no account was changed."),
                Property("temporaryProofExpiresIn", .int64, "Seconds."),
            ] + .tokensIfAny + .secondFactorIfAny,
            refusals: [
                .operationNotAllowed, .missingSessionInfo, .missingCode, .invalidPhoneNumber, .missingIDToken, .invalidSessionInfo,
                .sessionExpired, .invalidCode, .invalidTemporaryProof, .phoneNumberExists, .providerAlreadyLinked, .userDisabled,
                .userNotFound, .unsupportedFirstFactor, .credentialTooOld, .adminOnlyOperation, .invalidIDToken, .tokenExpired,
            ]),
        run: { (call) throws(ActionError) in try await call.signInWithPhoneNumber() })
}

extension Call {
    /// In the order of the API's enum, because some clients send the index.
    static let phoneOperations = ["VERIFY_OP_UNSPECIFIED", "SIGN_UP_OR_IN", "REAUTH", "UPDATE", "LINK"]

    /// `accounts:signInWithPhoneNumber`: signs in with a code, or with a proof of an earlier call;
    /// with an ID token, gives that account the number.
    func signInWithPhoneNumber() async throws(ActionError) -> JSON {
        try requirePhoneSignIn()
        let proof = try phoneProof()
        let name = try body.choice("operation", of: Self.phoneOperations)
        guard name != "REAUTH", let user = try signedInUser() else {
            guard name != "UPDATE", name != "LINK" else { throw .refused(.missingIDToken) }
            return answer(
                to: try await accounts.signIn(with: proof, creates: name != "REAUTH", language: language, from: client, in: project))
        }
        return answer(to: try await accounts.link(proof, to: user, replacing: name != "LINK", from: client, in: project))
    }

    private func answer(to result: (PhoneSignIn, FirstFactorResult?)) -> JSON {
        switch result.0 {
        case .belongsToOther(let number, let proof):
            .object([
                "phoneNumber": .string(number.value), "temporaryProof": .string(proof),
                "temporaryProofExpiresIn": .string(String(PhoneSignIn.proofLifetime.components.seconds)),
            ])
        case .proven(let account, let isNew):
            .object([
                "localId": .string(account.id.rawValue), "phoneNumber": .string(ifAny: account.phoneNumber?.value),
                "isNewUser": .bool(isNew),
            ]).adding(result.1?.members ?? [:])
        }
    }

    private func phoneProof() throws(ActionError) -> PhoneProof {
        if let proof = try body.text("temporaryProof") { return .temporary(proof, try body.requiredPhoneNumber()) }
        guard let sessionInfo = try body.text("sessionInfo") else { throw .refused(.missingSessionInfo) }
        guard let code = try body.text("code") else { throw .refused(.missingCode) }
        return .code(TypedVerificationCode(code, sessionInfo: sessionInfo))
    }
}
