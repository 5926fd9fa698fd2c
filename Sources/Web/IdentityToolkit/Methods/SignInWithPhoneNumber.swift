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
                .userNotFound, .unsupportedFirstFactor, .credentialTooOld, .invalidIDToken, .tokenExpired,
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
        // Only bounds the work: guesses are counted with the number.
        return try await counted(by: [.refresh]) { () throws(ActionError) in try await signIn(with: proof) }
    }

    private func signIn(with proof: PhoneProof) async throws(ActionError) -> JSON {
        let name = try body.choice("operation", of: Self.phoneOperations)
        guard name != "REAUTH", let user = try signedInUser() else {
            guard name != "UPDATE", name != "LINK" else { throw .refused(.missingIDToken) }
            let result = try await signIn(with: proof, creates: name != "REAUTH")
            return try await answer(to: result) { (account) throws(ActionError) in try await signIn(account, by: .phone) }
        }
        // A number is a lasting way to sign in, so an old token is not enough to link one.
        try accounts.requireRecentSignIn(toLink: user)
        let account = user.account
        let result = try await counted(by: [.change]) { () throws(ActionError) in
            try await counted(by: noticeAttempts(to: account), as: { $0.ending(ofNoticeTo: account) }) { () throws(ActionError) in
                try await accounts.link(proof, to: account, replacing: name != "LINK", from: network, in: project)
            }
        }
        return try await answer(to: result) { (account) throws(ActionError) in
            .signedIn(try await accounts.openSession(for: account, by: .phone, replacing: user))
        }
    }

    /// Signs the user of a number in. Users with an account are let in, however many signed up from
    /// the same source: a sign-up is counted if the code, which is not used then, has no account.
    private func signIn(with proof: PhoneProof, creates: Bool) async throws(ActionError) -> PhoneSignIn {
        do { return try await accounts.signIn(with: proof, creates: false, from: network, in: project.id) } catch {
            guard creates, error.refusal == .userNotFound else { throw error }
        }
        return try await counted(by: [.signUp]) { () throws(ActionError) in
            try await accounts.signIn(with: proof, creates: true, language: language, from: network, in: project.id)
        }
    }

    private func answer(
        to result: PhoneSignIn, opening session: (Account) async throws(ActionError) -> FirstFactorResult
    ) async throws(ActionError) -> JSON {
        switch result {
        case .belongsToOther(let number, let proof):
            return .object([
                "phoneNumber": .string(number.value), "temporaryProof": .string(proof),
                "temporaryProofExpiresIn": .string(String(PhoneSignIn.proofLifetime.components.seconds)),
            ])
        case .proven(let account, let isNew):
            return .object([
                "localId": .string(account.id.rawValue), "phoneNumber": .string(ifAny: account.phoneNumber?.value),
                "isNewUser": .bool(isNew),
            ]).adding(try await session(account).members)
        }
    }

    private func phoneProof() throws(ActionError) -> PhoneProof {
        if let proof = try body.text("temporaryProof") { return .temporary(proof, try body.requiredPhoneNumber()) }
        guard let sessionInfo = try body.text("sessionInfo") else { throw .refused(.missingSessionInfo) }
        guard let code = try body.text("code") else { throw .refused(.missingCode) }
        return .code(TypedVerificationCode(code, sessionInfo: sessionInfo))
    }
}

extension PhoneSignIn {
    /// A number that is another's, or that the account has, is linked without a notice.
    fileprivate func ending(ofNoticeTo before: Account) -> AttemptEnd {
        if case .proven(let after, _) = self, after.phoneNumber != before.phoneNumber { .done } else { .void }
    }
}
