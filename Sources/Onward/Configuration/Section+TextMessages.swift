import Accounts
import Base
import Mail
import Yams

extension Section {
    /// How a project sends text messages.
    /// - Parameter environment: nil if secrets are not looked up.
    func textMessages(_ environment: Configuration.Environment?) -> TextMessageSettings? {
        let webhook = required("webhook", expecting: "the keys url and secret") { value throws(SettingError) in
            try value.section { section throws(SettingError) in try section.textMessageWebhook(environment) }
        }
        let codes = required("countries", expecting: "a list of calling codes, such as [\"+49\", \"+43\"]") { value throws(SettingError) in
            let codes = try value.list { item throws(SettingError) in
                try item.text(matching: #/\+[1-9][0-9]{0,6}/#, "a calling code, or the start of numbers, such as \"+49\" or \"+1212\"")
            }
            guard value.node.sequence?.isEmpty == false else { throw SettingError("expected a list of one or more") }
            return codes
        }
        let testCodes = value("testNumbers") { value throws(SettingError) in try value.testCodes() } ?? [:]
        guard let webhook, let codes else { return nil }
        var settings = TextMessageSettings(webhook: webhook, callingCodes: codes)
        settings.testCodes = testCodes
        return settings
    }

    /// - Returns: nil if secrets are not looked up.
    private func textMessageWebhook(
        _ environment: Configuration.Environment?
    ) throws(SettingError) -> TextMessageSettings.Webhook? {
        guard let (url, secret) = try webhookKeys(environment) else { return nil }
        do throws(WebhookSettings.Invalid) { _ = try WebhookSettings(url: url, secret: secret) } catch {
            throw SettingError("the webhook \(error)")
        }
        return TextMessageSettings.Webhook(url: url, secret: secret)
    }

    /// The address and the secret of a webhook.
    /// - Returns: nil if one of them is reported as a problem, or secrets are not looked up.
    func webhookKeys(_ environment: Configuration.Environment?) throws(SettingError) -> (url: WebURL, secret: String)? {
        let url = required("url", expecting: "an https URL") { value throws(SettingError) in try value.webURL() }
        let secret = required("secret", expecting: "the key env or file in it") { value throws(SettingError) in
            try value.secretSection { section throws(SettingError) in try section.secretText(environment) }
        }
        guard let url, let secret = secret ?? nil else { return nil }
        return (url, secret)
    }
}

extension Setting {
    /// Phone numbers and the six digits that sign in with each.
    fileprivate func testCodes() throws(SettingError) -> [PhoneNumber: String] {
        func code(_ item: Setting) throws(SettingError) -> String { try item.text(matching: #/[0-9]{6}/#, "six digits in quotes") }
        try describeEntries(code)
        guard let mapping = node.mapping else {
            throw SettingError("expected a mapping of numbers and codes, such as \"+16505550100\": \"123456\"")
        }
        var codes: [PhoneNumber: String] = [:]
        for (key, node) in mapping {
            let item = Setting(path: "\(path).\(key.scalar?.string ?? "")", node: node, findings: findings)
            guard let number = key.scalar.flatMap({ PhoneNumber(sent: $0.string) }) else {
                throw SettingError("expected numbers in E.164 without a trunk prefix, such as \"+16505550100\"")
            }
            codes[number] = try code(item)
        }
        return codes
    }
}
