/// The names of what admins may change, as Identity Toolkit spells them, and where it has none, as it would.
package enum SettingsField {
    package static let authorizedDomains = "authorizedDomains"
    package static let signsInByEmail = "signIn.email.enabled"
    package static let requiresPassword = "signIn.email.passwordRequired"
    package static let signsInAnonymously = "signIn.anonymous.enabled"
    package static let hidesAccounts = "emailPrivacyConfig.enableImprovedEmailPrivacy"
    package static let enforcesPasswordPolicy = "passwordPolicyConfig.passwordPolicyEnforcementState"
    package static let forcesPasswordUpgrade = "passwordPolicyConfig.forceUpgradeOnSignin"
    package static let passwordRules = "passwordPolicyConfig.passwordPolicyVersions"
    package static let language = "notification.defaultLocale"
    package static let actionURL = "notification.sendEmail.callbackUri"
    /// Onward's own: Identity Toolkit chooses between kinds of domains only.
    package static let linkDomain = "mobileLinksConfig.linkDomain"

    /// Source: Identity Toolkit `SendEmail`.
    package static func template(_ action: Action) -> String { "notification.sendEmail." + action.templateField }
}
