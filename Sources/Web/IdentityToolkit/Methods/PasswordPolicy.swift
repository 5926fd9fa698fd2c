internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `GET passwordPolicy`: what SDKs hold a new password against before they send it. They read schema version 1 and no other.
    func passwordPolicy() -> JSON {
        let policy = project.passwordPolicy
        return .object([
            "customStrengthOptions": policy.strengthOptions,
            "schemaVersion": .int(1),
            "allowedNonAlphanumericCharacters": .array(CharacterClass.nonAlphanumerics.map { .string(String($0)) }),
            "enforcementState": policy.isEnforced ? "ENFORCE" : "OFF",
            "forceUpgradeOnSignin": .bool(policy.forcesUpgradeAtSignIn),
        ])
    }
}
