internal import Accounts
internal import Base

extension APIMethod {
    static let signInWithEmailLink = APIMethod(
        "signInWithEmailLink",
        documentation: MethodDocumentation(
            summary: "Signs in with the code of a sign-in link; with an ID token, gives that account the link's address.",
            fields: [Property("email", .text), Property("oobCode", .text), Property("idToken", .text)],
            response: .kind("EmailLinkSigninResponse") + [.always("localId", .text), .always("email", .text), .always("isNewUser", .flag)]
                + .tokensOrSecondFactor,
            refusals: [
                .operationNotAllowed, .missingEmail, .missingOobCode, .invalidOobCode, .expiredOobCode, .invalidEmail, .userDisabled,
                .emailExists, .adminOnlyOperation,
            ]),
        run: { (call) throws(ActionError) in try await call.signInWithEmailLink() })
}

extension Call {
    /// `accounts:signInWithEmailLink`: signs in with the code of a link; with an ID token, gives
    /// that account the link's address.
    func signInWithEmailLink() async throws(ActionError) -> JSON {
        guard project.signIn.emailLink else { throw .refused(.operationNotAllowed) }
        let user = try signedInUser()
        guard let text = try body.text("email") else { throw .refused(.missingEmail) }
        guard let code = try body.text("oobCode") else { throw .refused(.missingOobCode) }
        let pending = try await pending(code)
        let (signedIn, result) = try await accounts.signIn(by: pending, as: EmailAddress(text), for: user, from: client)
        return .object([
            "kind": "identitytoolkit#EmailLinkSigninResponse",
            "localId": .string(signedIn.account.id.rawValue),
            "email": .string(ifAny: signedIn.account.email?.value),
            "isNewUser": .bool(signedIn.isNew),
        ]).adding(result.members)
    }
}
