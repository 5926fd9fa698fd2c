internal import Accounts
internal import AppLinks
internal import Base

extension ConfigField {
    /// All fields, in the order of the response.
    static let all: [ConfigField] = {
        let signIn = [
            flag(SettingsField.signsInByEmail, \.signsInByEmail) { $0.signIn.password || $0.signIn.emailLink },
            flag(SettingsField.requiresPassword, \.requiresPassword) { !$0.signIn.emailLink },
            flag(SettingsField.signsInAnonymously, \.signsInAnonymously) { $0.signIn.anonymous },
            duplicateEmails,
            flag(SettingsField.keepsLastMethod, \.keepsLastMethod) { $0.signIn.keepsLastMethod },
        ]
        let permissions = [
            flag(SettingsField.refusesSignUps, \.refusesSignUps) { $0.signUps == .closed },
            flag(SettingsField.refusesDeletions, \.refusesDeletions) { $0.refusesDeletions },
        ]
        let mails = [
            text(SettingsField.actionURL, \.actionURL) { $0.actionURL.serialized },
            text(SettingsField.language, \.language) { $0.language },
        ]
        let domains = ConfigField(
            SettingsField.authorizedDomains, .list(.text), \.authorizedDomains,
            read: { fields, name throws(ActionError) in fields.has(name) ? try fields.strings(name) : nil },
            value: { .array($0.authorizedDomains.texts.map { .string($0) }) })
        let links = [
            output("mobileLinksConfig.domain", .choice(["HOSTING_DOMAIN"])) { _ in "HOSTING_DOMAIN" },
            text(SettingsField.linkDomain, \.linkDomain) { $0.linkDomains.first?.authority },
        ]
        return signIn + permissions + LetterKind.allCases.flatMap(template) + mails + [domains] + ofPasswords + ofSecondFactors + [
            hidesAccounts
        ] + links
    }()

    /// The fields of the emulator's `config`.
    static let ofEmulator = [duplicateEmails, hidesAccounts]

    private static let duplicateEmails = flag(SettingsField.sharesAddresses, \.sharesAddresses) { $0.signIn.sharesAddresses }

    private static let hidesAccounts = flag(SettingsField.hidesAccounts, \.hidesAccounts) { $0.hidesAccounts }

    private static func template(_ kind: LetterKind) -> [ConfigField] {
        let path = SettingsField.template(kind)
        func line(
            _ name: String, _ part: any WritableKeyPath<LetterTemplate, String?> & Sendable,
            _ setting: any WritableKeyPath<ProjectSettings, String?> & Sendable
        ) -> ConfigField {
            text("\(path).\(name)", setting) { $0.templates[kind]?[keyPath: part] }
        }
        return [
            line("senderLocalPart", \.senderLocalPart, \.[template: kind].senderLocalPart),
            line("senderDisplayName", \.senderDisplayName, \.[template: kind].senderDisplayName),
            line("replyTo", \.replyTo, \.[template: kind].replyTo),
            line("subject", \.subject, \.[template: kind].subject),
            line("body", \.body, \.[template: kind].body),
            ConfigField(
                "\(path).bodyFormat", .choice(LetterTemplate.Format.allCases.map(\.rawValue)), \.[template: kind].format,
                read: { fields, name throws(ActionError) in try fields.bodyFormat(name) },
                value: { ($0.templates[kind]?.format).map { .string($0.rawValue) } }),
            ConfigField(
                "\(path).translations",
                .list(
                    .object([
                        .always("locale", .text), Property("subject", .text), Property("body", .text),
                        Property("bodyFormat", .choice(LetterTemplate.Format.allCases.map(\.rawValue))),
                    ])),
                \.[template: kind].translations,
                read: { fields, name throws(ActionError) in try fields.translations(name) },
                value: { project in
                    project.templates[kind]?.translations.map { .array($0.map(\.json)) }
                }),
            .output("\(path).customized", .flag) { .bool($0.templates[kind]?.isCustomized == true) },
        ]
    }

    static func flag(
        _ path: String, _ setting: any WritableKeyPath<ProjectSettings, Bool?> & Sendable,
        _ value: @escaping @Sendable (Project) -> Bool
    ) -> ConfigField {
        ConfigField(
            path, .flag, setting, read: { fields, name throws(ActionError) in try fields.bool(name) }, value: { .bool(value($0)) })
    }

    /// A text field. An absent or empty text returns to the value of the configuration file.
    private static func text(
        _ path: String, _ setting: any WritableKeyPath<ProjectSettings, String?> & Sendable,
        _ value: @escaping @Sendable (Project) -> String?
    ) -> ConfigField {
        ConfigField(
            path, .text, setting, read: { fields, name throws(ActionError) in try fields.text(name) }, value: { .string(ifAny: value($0)) })
    }
}
