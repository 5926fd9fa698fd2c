/// The names of the settings that admins can change, as Identity Toolkit spells them, or in its
/// style if it has none.
package enum SettingsField {
    package static let authorizedDomains = "authorizedDomains"
    package static let signsInByEmail = "signIn.email.enabled"
    package static let requiresPassword = "signIn.email.passwordRequired"
    package static let signsInAnonymously = "signIn.anonymous.enabled"
    package static let sharesAddresses = "signIn.allowDuplicateEmails"
    package static let providers = "oauthIdpConfigs"
    /// The names are Onward's own.
    package static let keepsLastMethod = "signIn.keepLastMethod"
    package static let keepsProviders = "signIn.keepProviders"
    package static let offersSecondFactors = "mfa.state"
    package static let offersTOTP = "mfa.providerConfigs"
    /// The name is Onward's own.
    package static let givesRecoveryCodes = "mfa.recoveryCodes"
    package static let hidesAccounts = "emailPrivacyConfig.enableImprovedEmailPrivacy"
    package static let enforcesPasswordPolicy = "passwordPolicyConfig.passwordPolicyEnforcementState"
    package static let forcesPasswordUpgrade = "passwordPolicyConfig.forceUpgradeOnSignin"
    package static let passwordRules = "passwordPolicyConfig.passwordPolicyVersions"
    package static let language = "notification.defaultLocale"
    package static let actionURL = "notification.sendEmail.callbackUri"
    /// The default link domain. The name is Onward's own: Identity Toolkit only offers a choice
    /// between kinds of domains.
    package static let linkDomain = "mobileLinksConfig.linkDomain"

    /// The template for a kind of mail. Source: Identity Toolkit `SendEmail`, which has none for
    /// notices; their names are Onward's.
    package static func template(_ kind: LetterKind) -> String {
        "notification.sendEmail." + (kind.action?.templateField ?? kind.rawValue + "Template")
    }
}
