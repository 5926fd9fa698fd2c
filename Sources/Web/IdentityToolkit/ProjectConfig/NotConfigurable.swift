internal import Accounts
internal import Base

/// Fields of Identity Toolkit's configuration that this server does not have. They are accepted if
/// they switch nothing on, so that a whole configuration can be copied.
enum NotConfigurable {
    private static let sentences: KeyValuePairs = [
        "signIn.phoneNumber": "sign-in by phone is set in the configuration file of this server",
        "mfa.enabledProviders": "second factors by text message are set in the configuration file of this server",
        "blockingFunctions": "blocking functions are not offered by this server",
        "multiTenant": "tenants are not offered by this server: configure a project for each",
        "quota": "limits are set by the operator of this server",
        "monitoring": "monitoring is set up by the operator of this server",
        "recaptchaConfig": "reCAPTCHA is not offered by this server",
        "smsRegionConfig": "the countries of text messages are set in the configuration file of this server",
        "notification.sendSms": "the webhook for text messages may write its own words",
        "subtype": "this server has only one kind of project",
        "autodeleteAnonymousUsers": "this server does not delete anonymous accounts",
        "notification.sendEmail.method": "the delivery of mail is set by the operator of this server",
        "notification.sendEmail.smtp": "the delivery of mail is set by the operator of this server",
        "notification.sendEmail.dnsInfo": "the domain of the sender is set by the operator of this server",
        "notification.sendEmail.legacyResetPasswordTemplate": "there is one template for each mail",
        "mobileLinksConfig.domain": "links use the link domains of the configuration file; Firebase's domains are no longer served",
    ]

    /// Refuses a change that would switch on one of these fields.
    static func check(_ body: JSONFields, mask: FieldMask?) throws(ActionError) {
        for (path, sentence) in sentences where mask?.touches(path) ?? true {
            let (parent, name) = try body.parent(of: path)
            guard let value = parent?[name], !value.isDefault else { continue }
            throw .refused(.operationNotAllowed, detail: "\(path): \(sentence)")
        }
    }
}

extension JSON {
    /// Whether a value is the default of its field.
    fileprivate var isDefault: Bool {
        switch self {
        case .null, .bool(false): true
        case .bool(true): false
        case .number(let number): Double(number) == 0
        case .string(let text):
            ["", "0", "0s", "OFF", "DISABLED", "DEFAULT", "HOSTING_DOMAIN"].contains(text) || text.hasSuffix("_UNSPECIFIED")
        case .array(let items): items.allSatisfy(\.isDefault)
        case .object(let members): members.allSatisfy(\.value.isDefault)
        }
    }
}
