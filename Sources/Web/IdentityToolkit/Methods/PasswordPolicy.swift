internal import Accounts
internal import Base

extension APIMethod {
    static let passwordPolicy = APIMethod(
        "passwordPolicy", source: .query, permissions: [.read],
        documentation: MethodDocumentation(
            summary: "The policy for new passwords.",
            response: [
                .always("customStrengthOptions", .object(ConfigField.strengthOptions)), .always("schemaVersion", .integer),
                .always("allowedNonAlphanumericCharacters", .list(.text)), .always("enforcementState", .choice(["OFF", "ENFORCE"])),
                .always("forceUpgradeOnSignin", .flag),
            ]),
        run: { (call) throws(ActionError) in call.passwordPolicy() })
}

extension Call {
    /// `GET passwordPolicy`: the policy that SDKs check a new password against before they send it.
    /// They only read schema version 1.
    func passwordPolicy() -> JSON {
        let policy = project.passwordPolicy
        return .object([
            "customStrengthOptions": policy.strengthOptions,
            "schemaVersion": .int(1),
            "allowedNonAlphanumericCharacters": .array(CharacterClass.nonAlphanumericsOfSDKs.map { .string(String($0)) }),
            "enforcementState": policy.isEnforced ? "ENFORCE" : "OFF",
            "forceUpgradeOnSignin": .bool(policy.forcesUpgradeAtSignIn),
        ])
    }
}
