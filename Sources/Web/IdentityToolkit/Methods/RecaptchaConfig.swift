internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `GET recaptchaConfig`: it is off. SDKs throw where there is no key, and Apple's also where it has not four parts, so there is one
    /// of that shape, for which nobody asks.
    func recaptchaConfig() -> JSON {
        let off = ["EMAIL_PASSWORD_PROVIDER", "PHONE_PROVIDER"].map { provider in
            JSON.object(["provider": .string(provider), "enforcementState": "OFF"])
        }
        return .object(["recaptchaKey": .string("projects/\(project.id)/keys/off"), "recaptchaEnforcementState": .array(off)])
    }
}
