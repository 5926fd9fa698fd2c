internal import Accounts
internal import Base

extension APIMethod {
    static let recaptchaConfig = APIMethod(
        "recaptchaConfig", source: .query, permissions: [.read],
        documentation: MethodDocumentation(
            summary: "That reCAPTCHA is off.",
            response: [
                .always("recaptchaKey", .text),
                .always("recaptchaEnforcementState", .list(.object([.always("provider", .text), .always("enforcementState", .text)]))),
            ]),
        run: { (call) throws(ActionError) in call.recaptchaConfig() })
}

extension Call {
    /// `GET recaptchaConfig`: reCAPTCHA is off. SDKs throw if there is no key, and Apple's SDK also
    /// throws if the key does not have four parts. So the response has an unused key of that form.
    func recaptchaConfig() -> JSON {
        let off = ["EMAIL_PASSWORD_PROVIDER", "PHONE_PROVIDER"].map { provider in
            JSON.object(["provider": .string(provider), "enforcementState": "OFF"])
        }
        return .object(["recaptchaKey": .string("projects/\(project.id)/keys/off"), "recaptchaEnforcementState": .array(off)])
    }
}
