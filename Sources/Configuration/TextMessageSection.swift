import Accounts
import Base
import Mail

/// How a project sends text messages.
struct TextMessageSection: Section {
    var webhook: TextMessageSettings.Webhook?
    var countries: [String]?
    var testNumbers: [PhoneNumber: String] = [:]

    static var keys: [ConfigurationKey<Self>] {
        "{url: https://…, secret: {env: NAME}}: gets each message, signed by Standard Webhooks, and sends it by a provider."
        ConfigurationKey(
            "webhook", \.webhook,
            .section(TextWebhookSection.self)
        )
        .required("the keys url and secret")
        #"The calling codes that messages may go to, or starts of numbers such as "+1212". Attackers who earn from messages to a country"#
        #"ask for many: list only countries of your users."#
        let code = #"a calling code, or the start of numbers, such as "+49" or "+1212""#
        ConfigurationKey("countries", \.countries, .list(.text(#/\+[1-9][0-9]{0,6}/#, code), orNone: false)).required(
            #"a list of calling codes, such as ["+49", "+43"]"#)
        #"Numbers with fixed codes, which get no messages, such as {"+16505550100": "123456"}. Anyone who knows the code signs in."#
        #"Default: none. The log says at start that there are some."#
        ConfigurationKey("testNumbers", \.testNumbers, .testNumbers)
    }

    func value(in setting: Setting) -> TextMessageSettings? {
        // Without secrets there is no webhook.
        guard webhook != nil || setting.context.environment == nil, let countries else { return nil }
        var settings = TextMessageSettings(webhook: webhook, callingCodes: countries)
        settings.testCodes = testNumbers
        return settings
    }
}

private struct TextWebhookSection: Section {
    var url: WebURL?
    var secret: String?

    static var keys: [ConfigurationKey<Self>] {
        ConfigurationKey("url", \.url, .webURL).required("an https URL")
        ConfigurationKey("secret", \.secret, .secret()).required("the key env or file in it")
    }

    func value(in setting: Setting) throws -> TextMessageSettings.Webhook? {
        guard let url, let secret else { return nil }
        _ = try WebhookSettings(url: url, secret: secret)
        return TextMessageSettings.Webhook(url: url, secret: secret)
    }
}

extension ValueForm<[PhoneNumber: String]> {
    /// Phone numbers and the six digits that sign in with each.
    fileprivate static var testNumbers: ValueForm {
        ValueForm<[String: String]>.entries(
            .text(#/[0-9]{6}/#, "six digits in quotes"), #"a mapping of numbers and codes, such as "+16505550100": "123456""#
        ).map { entries in
            var codes: [PhoneNumber: String] = [:]
            for (text, code) in entries {
                guard let number = PhoneNumber(sent: text) else {
                    throw SettingError("expected numbers in E.164 without a trunk prefix, such as \"+16505550100\"")
                }
                codes[number] = code
            }
            return codes
        }
    }
}
