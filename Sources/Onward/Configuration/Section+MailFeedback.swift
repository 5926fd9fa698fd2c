import Mail

extension Section {
    /// The providers that may report bounces and complaints.
    /// - Parameter environment: nil if secrets are not looked up; providers with a secret are then
    ///   left out.
    func feedback(_ environment: Configuration.Environment?) -> FeedbackSettings {
        var settings = FeedbackSettings()
        let topic = "the name of a topic, such as arn:aws:sns:eu-west-1:123456789012:mails"
        settings.sns = only("topic", of: "sns", expecting: topic) { value throws(SettingError) in
            try SNSTopic(value.text()).required(topic)
        }
        let publicKey = "the verification key of the event webhook, as SendGrid shows it"
        settings.sendgrid = only("publicKey", of: "sendgrid", expecting: publicKey) { value throws(SettingError) in
            try FeedbackSettings.SendGridKey(value.text()).required(publicKey)
        }
        settings.mailgunSigningKey = only("signingKey", of: "mailgun", expecting: Self.secretKeys) { value throws(SettingError) in
            try value.secret(environment)
        }
        settings.plain = only("secret", of: "plain", expecting: Self.secretKeys) { value throws(SettingError) in
            try value.secret(environment).map { text throws(SettingError) in
                try WebhookKey(text).required("whsec_ and the base64 of 24 to 64 bytes: echo whsec_$(openssl rand -base64 32)")
            }
        }
        settings.postmark =
            value("postmark") { value throws(SettingError) in
                try value.section { section in section.postmark(environment) }
            } ?? nil
        return settings
    }

    private static let secretKeys = "the key env or file in it"

    /// The value of the only key of a provider.
    private func only<Value>(
        _ key: String, of provider: String, expecting what: String, _ read: (Setting) throws(SettingError) -> Value?
    ) -> Value? {
        var found: Value?
        _ = value(provider) { value throws(SettingError) in
            try value.section { section in found = section.required(key, expecting: what, read) ?? nil }
        }
        return found
    }

    private func postmark(_ environment: Configuration.Environment?) -> FeedbackSettings.Credentials? {
        let user = required("user", expecting: "the user in the URL that Postmark has") { value throws(SettingError) in
            try value.text(matching: #/[!-9;-~]{1,100}/#, "a name without spaces and colons")
        }
        let password = required("password", expecting: Self.secretKeys) { value throws(SettingError) in
            try value.secret(environment).map { text throws(SettingError) in
                guard text.utf8.count >= 16 else { throw SettingError("expected at least 16 bytes, as by `openssl rand -hex 24`") }
                return text
            }
        }
        guard let user, let password = password ?? nil else { return nil }
        return FeedbackSettings.Credentials(user: user, password: password)
    }
}

extension Optional {
    fileprivate func required(_ what: String) throws(SettingError) -> Wrapped {
        guard let self else { throw SettingError("expected \(what)") }
        return self
    }
}
