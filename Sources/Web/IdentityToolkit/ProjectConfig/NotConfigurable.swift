internal import Accounts
internal import EmailActions
internal import JSON

/// Fields of Identity Toolkit's configuration that this server has nothing for. What switches nothing on may stand there, so that a
/// configuration can be brought along whole.
enum NotConfigurable {
    private static let sentences: KeyValuePairs = [
        "signIn.allowDuplicateEmails": "accounts always have addresses of their own here",
        "signIn.phoneNumber": "sign-in by phone is not offered by this server",
        "mfa": "second factors are not configured on this server",
        "blockingFunctions": "blocking functions are not offered by this server",
        "multiTenant": "tenants are not offered by this server: configure a project for each",
        "quota": "limits are set by the operator of this server",
        "monitoring": "the operator of this server reads its log",
        "recaptchaConfig": "reCAPTCHA is not offered by this server",
        "smsRegionConfig": "this server sends no text messages",
        "notification.sendSms": "this server sends no text messages",
        "subtype": "there is one kind of project on this server",
        "autodeleteAnonymousUsers": "anonymous accounts are kept by this server",
        "client.permissions": "what clients may do is decided by the sign-in methods",
        "notification.sendEmail.method": "how mails leave is set by the operator of this server",
        "notification.sendEmail.smtp": "how mails leave is set by the operator of this server",
        "notification.sendEmail.dnsInfo": "the domain of senders is set by the operator of this server",
        "notification.sendEmail.legacyResetPasswordTemplate": "there is one template for each mail",
        "mobileLinksConfig.domain": "links are on the link domains of the configuration file, Firebase's are gone",
    ]

    /// Refuses what a change would switch on in vain, by its name.
    static func check(_ body: JSONFields, mask: FieldMask?) throws(ActionError) {
        for (path, sentence) in sentences where mask?.touches(path) ?? true {
            let (parent, name) = try body.parent(of: path)
            guard let value = parent?[name], !value.isDefault else { continue }
            throw .refused(.operationNotAllowed, detail: "\(path): \(sentence)")
        }
    }
}

extension JSON {
    /// Whether it is what a project has that nobody configured.
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
