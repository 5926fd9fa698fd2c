internal import Accounts

/// How projects are configured.
extension Outline {
    static let getProjectConfig = Outline(
        summary: "What a client must know of the project before anyone signs in; for admins more.",
        answer: [
            .always("projectId", .text), .always("authorizedDomains", .list(.text)), Property("apiKey", .text),
            Property("allowPasswordUser", .flag), Property("enableAnonymousUser", .flag), Property("dynamicLinksDomain", .text),
            Property("useEmailSending", .flag),
        ]
            + ["resetPasswordTemplate", "verifyEmailTemplate", "changeEmailTemplate", "revertSecondFactorAdditionTemplate"].map {
                Property($0, .shared(.template))
            })

    static let getConfig = Outline(
        summary: "The project as it is: the configuration file's settings, with what admins changed.", answer: config)

    static let updateConfig = Outline(
        summary: "Changes settings, which are in force at once; what cannot be set here at all may only stand there switched off.",
        fields: ConfigField.properties(of: ConfigField.all),
        parameters: [
            Property("updateMask", .text, "Paths with commas between them: these alone are set, or reset where the body has none of them.")
        ],
        answer: config, refusals: [.invalidConfig, .operationNotAllowed])

    static let passwordPolicy = Outline(
        summary: "What new passwords must be.",
        answer: [
            .always("customStrengthOptions", .object(ConfigField.strengthOptions)), .always("schemaVersion", .integer),
            .always("allowedNonAlphanumericCharacters", .list(.text)), .always("enforcementState", .choice(["OFF", "ENFORCE"])),
            .always("forceUpgradeOnSignin", .flag),
        ])

    static let recaptchaConfig = Outline(
        summary: "That reCAPTCHA is off.",
        answer: [
            .always("recaptchaKey", .text),
            .always("recaptchaEnforcementState", .list(.object([.always("provider", .text), .always("enforcementState", .text)]))),
        ])

    private static let config = [.always("name", .text)] + ConfigField.properties(of: ConfigField.all)
}
