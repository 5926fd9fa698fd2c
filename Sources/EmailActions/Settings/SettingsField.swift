/// The names of the settings that admins can change, as Identity Toolkit spells them, or in its
/// style if it has none.
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
    /// The default link domain. The name is Onward's own: Identity Toolkit only offers a choice
    /// between kinds of domains.
    package static let linkDomain = "mobileLinksConfig.linkDomain"

    /// The template for the mail of an action. Source: Identity Toolkit `SendEmail`.
    package static func template(_ action: Action) -> String { "notification.sendEmail." + action.templateField }
}
