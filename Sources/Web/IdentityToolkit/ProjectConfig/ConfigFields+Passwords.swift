internal import Accounts
internal import Base

extension ConfigField {
    /// Source: Identity Toolkit `PasswordPolicyConfig`.
    static let ofPasswords = [
        ConfigField(
            SettingsField.enforcesPasswordPolicy, .choice(["OFF", "ENFORCE"]), \.enforcesPasswordPolicy,
            read: { fields, name throws(ActionError) in
                let names = ["PASSWORD_POLICY_ENFORCEMENT_STATE_UNSPECIFIED", "OFF", "ENFORCE"]
                return try fields.choice(name, of: names).flatMap { $0 == names[0] ? nil : $0 == "ENFORCE" }
            },
            value: { $0.passwordPolicy.isEnforced ? "ENFORCE" : "OFF" }),
        flag(SettingsField.forcesPasswordUpgrade, \.forcesPasswordUpgrade) { $0.passwordPolicy.forcesUpgradeAtSignIn },
        ConfigField(
            SettingsField.passwordRules,
            .list(.object([Property("customStrengthOptions", .object(strengthOptions)), Property("schemaVersion", .integer)])),
            \.passwordRules,
            read: { fields, name throws(ActionError) in
                try fields.objects(name).first?.object("customStrengthOptions").map { options throws(ActionError) in
                    try StrengthOptions(options)
                }
            },
            value: { project in
                .array([.object(["customStrengthOptions": project.passwordPolicy.strengthOptions, "schemaVersion": .int(1)])])
            }),
    ]

    static let strengthOptions =
        [Property("minPasswordLength", .integer), Property("maxPasswordLength", .integer)]
        + CharacterClass.allCases.map { Property($0.option, .flag) }
}

extension StrengthOptions {
    fileprivate init(_ options: JSONFields) throws(ActionError) {
        self.init(
            minimumLength: try options.integer("minPasswordLength").map(Int.init),
            maximumLength: try options.integer("maxPasswordLength").map(Int.init),
            requires: [])
        for kind in CharacterClass.allCases where try options.bool(kind.option) ?? false { requires.insert(kind) }
    }
}

extension PasswordPolicy {
    /// The policy as options; rules that are off are left out. Source: Identity Toolkit
    /// `CustomStrengthOptions`.
    var strengthOptions: JSON {
        let lengths = [("minPasswordLength", JSON.int(minimumLength)), ("maxPasswordLength", .int(maximumLength))]
        let kinds = CharacterClass.allCases.filter(requires.contains).map { ($0.option, JSON.bool(true)) }
        return .object((lengths + kinds).map { JSON.Member(name: $0, value: $1) })
    }
}

extension CharacterClass {
    fileprivate var option: String {
        switch self {
        case .lowercase: "containsLowercaseCharacter"
        case .uppercase: "containsUppercaseCharacter"
        case .numeric: "containsNumericCharacter"
        case .nonAlphanumeric: "containsNonAlphanumericCharacter"
        }
    }
}
