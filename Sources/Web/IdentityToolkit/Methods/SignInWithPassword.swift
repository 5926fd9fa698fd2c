internal import Accounts
internal import Base

extension APIMethod {
    static let signInWithPassword = APIMethod(
        "signInWithPassword",
        documentation: MethodDocumentation(
            summary: "Signs in with address and password.",
            fields: [Property("email", .text), Property("password", .text)],
            response: .kind("VerifyPasswordResponse") + [
                .always("registered", .flag), .always("localId", .text), .always("email", .text), Property("displayName", .text),
            ] + .tokensOrSecondFactor,
            refusals: [
                .passwordLoginDisabled, .missingEmail, .invalidEmail, .missingPassword, .emailNotFound, .invalidPassword,
                .invalidLoginCredentials, .userDisabled, .passwordDoesNotMeetRequirements, .operationNotAllowed,
            ]),
        run: { (call) throws(ActionError) in try await call.signInWithPassword() })
}

extension Call {
    /// `accounts:signInWithPassword`: signs in with address and password.
    func signInWithPassword() async throws(ActionError) -> JSON {
        guard project.signIn.password else { throw .refused(.passwordLoginDisabled) }
        // Both ask to link the account as well. A sign-in without that would surprise the client.
        let asksToLink = if case .user = actor { true } else { body.has("pendingIdToken") }
        guard !asksToLink else {
            throw .refused(
                .operationNotAllowed, detail: "A sign-in does not link accounts; accounts:signUp with an idToken adds a password")
        }
        guard let email = try body.email() else { throw .refused(.missingEmail) }
        guard let password = try body.text("password") else { throw .refused(.missingPassword) }
        let (account, result) = try await accounts.signIn(email: email, password: password, from: client, in: project)
        return .object([
            "kind": "identitytoolkit#VerifyPasswordResponse",
            "registered": .bool(true),
            "localId": .string(account.id.rawValue),
            "email": .string(email.value),
            "displayName": .string(ifAny: account.displayName),
        ]).adding(result.members)
    }
}
