import Mail

extension Section {
    /// The webhook for events of accounts: `{url: …, secret: …}`.
    /// - Returns: nil if secrets are not looked up.
    func accountEvents(_ environment: Configuration.Environment?) throws(SettingError) -> WebhookSettings? {
        let url = required("url", expecting: "an https URL") { value throws(SettingError) in try value.webURL() }
        let secret = required("secret", expecting: "the key env or file in it") { value throws(SettingError) in
            try value.secret(environment)
        }
        guard let url, let secret = secret ?? nil else { return nil }
        do throws(WebhookSettings.Invalid) { return try WebhookSettings(url: url, secret: secret) } catch {
            throw SettingError("the webhook \(error)")
        }
    }
}
