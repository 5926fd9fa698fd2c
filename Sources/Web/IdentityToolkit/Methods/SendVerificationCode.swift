internal import Accounts
internal import Base

extension APIMethod {
    static let sendVerificationCode = APIMethod(
        "sendVerificationCode",
        documentation: MethodDocumentation(
            summary: "Sends a code to a phone number by text message.",
            fields: [
                .always("phoneNumber", .text, "E.164, in a country to which the project sends. Proofs that the app is genuine are ignored.")
            ],
            response: [.always("sessionInfo", .text, "Names the code for ten minutes.")],
            refusals: [.operationNotAllowed, .invalidPhoneNumber, .unsupportedFirstFactor, .adminOnlyOperation]),
        run: { (call) throws(ActionError) in
            try call.requirePhoneSignIn()
            return .object(["sessionInfo": try await call.sendVerificationCode(to: call.body.requiredPhoneNumber(), for: .signIn)])
        })

    static let recaptchaParams = APIMethod(
        "recaptchaParams", source: .query, permissions: [.read],
        documentation: MethodDocumentation(
            summary: "A site key that is not one: reCAPTCHA is off.",
            response: .kind("GetRecaptchaParamResponse") + [.always("recaptchaSiteKey", .text), .always("recaptchaStoken", .text)]),
        run: { _ in
            .object(["kind": "identitytoolkit#GetRecaptchaParamResponse", "recaptchaSiteKey": "off", "recaptchaStoken": "off"])
        })
}

extension Call {
    /// Refuses `OPERATION_NOT_ALLOWED` if users of the project do not sign in by phone.
    func requirePhoneSignIn() throws(ActionError) {
        guard project.signIn.phone else {
            throw .refused(.operationNotAllowed, detail: "Sign-in by phone is off; see signIn in the configuration")
        }
    }
}
