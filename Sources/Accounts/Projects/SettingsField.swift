/// The names of the settings that admins can change, as Identity Toolkit spells them, or in its
/// style if it has none.
public enum SettingsField {
    public static let authorizedDomains = "authorizedDomains"
    public static let signsInByEmail = "signIn.email.enabled"
    public static let requiresPassword = "signIn.email.passwordRequired"
    public static let signsInAnonymously = "signIn.anonymous.enabled"
    public static let sharesAddresses = "signIn.allowDuplicateEmails"
    public static let providers = "oauthIdpConfigs"
    /// The names are Onward's own.
    public static let keepsLastMethod = "signIn.keepLastMethod"
    public static let refusesSignUps = "client.permissions.disabledUserSignup"
    public static let refusesDeletions = "client.permissions.disabledUserDeletion"
    public static let offersSecondFactors = "mfa.state"
    public static let offersTOTP = "mfa.providerConfigs"
    /// The name is Onward's own.
    public static let givesRecoveryCodes = "mfa.recoveryCodes"
    public static let hidesAccounts = "emailPrivacyConfig.enableImprovedEmailPrivacy"
    public static let enforcesPasswordPolicy = "passwordPolicyConfig.passwordPolicyEnforcementState"
    public static let forcesPasswordUpgrade = "passwordPolicyConfig.forceUpgradeOnSignin"
    public static let passwordRules = "passwordPolicyConfig.passwordPolicyVersions"
    public static let language = "notification.defaultLocale"
    public static let actionURL = "notification.sendEmail.callbackUri"
    /// The default link domain. The name is Onward's own: Identity Toolkit only offers a choice
    /// between kinds of domains.
    public static let linkDomain = "mobileLinksConfig.linkDomain"

    /// The template for a kind of mail. Source: Identity Toolkit `SendEmail`, which has none for
    /// notices; their names are Onward's.
    public static func template(_ kind: LetterKind) -> String {
        "notification.sendEmail." + kind.templateField
    }
}
