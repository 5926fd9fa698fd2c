public import Accounts
import Base
import Cryptography
import Foundation
import Views

extension ShortLinkSettings: Section {
    static var keys: [ConfigurationKey<Self>] {
        ConfigurationKey("byAPIKey", \.byAPIKey, .boolean)
        ConfigurationKey("maxByAPIKey", \.maxByAPIKey, .count(1...10_000_000))
    }
}

extension Lifetimes: Section {
    static var keys: [ConfigurationKey<Self>] {
        for action in Action.allCases {
            ConfigurationKey(action.rawValue, \.[action], .duration(shortest...longest(for: .action(action))))
        }
        "A resetPassword link that an admin sends to invite a person."
        ConfigurationKey("invitation", \.[.invitation], .duration(shortest...longest(for: .invitation)))
    }
}

extension NoticeSettings: Section {
    static var keys: [ConfigurationKey<Self>] {
        for notice in configurable { ConfigurationKey(notice.rawValue, \.[notice], .boolean) }
    }
}

extension ContinuePolicies: Section {
    static var keys: [ConfigurationKey<Self>] {
        for action in configurable { ConfigurationKey(action.rawValue, \.[action], .choice) }
    }
}

extension SignInMethods: Section {
    static var keys: [ConfigurationKey<Self>] {
        ConfigurationKey("password", \.password, .boolean)
        ConfigurationKey("emailLink", \.emailLink, .boolean)
        "By a code that is sent to a phone number. Needs textMessages."
        ConfigurationKey("phone", \.phone, .boolean)
        ConfigurationKey("anonymous", \.anonymous, .boolean)
        "Whether accounts of providers have no address of their own (Firebase: multiple accounts per email address). Then no two accounts"
        "are joined by their address."
        ConfigurationKey("sharedAddresses", \.sharesAddresses, .boolean)
        "Whether clients may not remove the last way to sign in to an account, such as the only provider. Admins may."
        ConfigurationKey("keepLastMethod", \.keepsLastMethod, .boolean)
    }
}

extension SecondFactorSettings: Section {
    static var keys: [ConfigurationKey<Self>] {
        "Codes of authenticator apps. They need the secret above: with another one, users have to be freed of their second factors by an"
        "admin."
        ConfigurationKey("totp", \.totp, .boolean)
        "Codes that are sent to a phone number, which is weaker. Needs textMessages."
        ConfigurationKey("phone", \.phone, .boolean)
        "Whether enrolling a factor also gives ten recovery codes. Each takes the place of a code once (`recoveryCodes` in the"
        "answer of mfaEnrollment:finalize)."
        ConfigurationKey("recoveryCodes", \.recoveryCodes, .boolean)
    }
}

/// The password policy.
struct PasswordSection: Section {
    var policy = PasswordPolicy()
    var allowShortPasswords = false

    static var keys: [ConfigurationKey<Self>] {
        "Characters: at least 8, or 6, Firebase's minimum, with allowShortPasswords: true. Behind an authority the default is 6, and its"
        "own policy applies as well."
        ConfigurationKey("minimumLength", \.policy.minimumLength, .count(6...64))
        ConfigurationKey("allowShortPasswords", \.allowShortPasswords, .boolean)
        "Characters at most."
        ConfigurationKey("maximumLength", \.policy.maximumLength, .count(64...4096))
        "Firebase's requirements: lowercase, uppercase, numeric, nonAlphanumeric. Length protects better."
        ConfigurationKey("requires", \.policy.requires, .set(.choice))
        "Whether a password that does not meet these rules must be replaced at the next sign-in."
        ConfigurationKey("forceUpgradeAtSignIn", \.policy.forcesUpgradeAtSignIn, .boolean)
    }
}

extension Appearance: Section {
    static var keys: [ConfigurationKey<Self>] {
        ##"The colour of buttons, "#rrggbb"; refused if its contrast is too low. Default: a blue."##
        ConfigurationKey("accent", \.accent, .text.checked { colour, _ in _ = try Accent(light: colour) }).shown(##""#2f5bd0""##)
        "A file in Public/: svg, png, webp or jpg. Default: the first letter of the name in a square of the accent."
        ConfigurationKey("logo", \.logo, .logo).example("logo.svg")
        "The logo for dark pages; the same file, if it suits both. Default: the logo on a white plate."
        ConfigurationKey("logoDark", \.logoDark, .logo).example("logo-dark.svg")
        "The logo for mails: png or jpg, because mail programs show no others. Default: the logo if it is one of them, else the letter."
        ConfigurationKey("logoMail", \.logoMail, .mailLogo).example("logo.png")
        "Whether the logo contains the name of the app, which is not written beside it then."
        ConfigurationKey("logoHasName", \.logoHasName, .boolean)
        "Where users find help: an e-mail address or an https URL. Default: none."
        ConfigurationKey("help", \.help, .helpAddress).shown("help@example.com")
        "The terms of use, which the foot of each page links to: an https URL. Default: none."
        ConfigurationKey("terms", \.terms, ValueForm.webURL.map { $0.serialized }).example("https://example.com/terms")
        "The privacy policy, which the foot of each page links to: an https URL. Default: none."
        ConfigurationKey("privacy", \.privacy, ValueForm.webURL.map { $0.serialized }).example("https://example.com/privacy")
    }

    func value(in setting: Setting) -> Appearance? {
        guard logo == nil else { return self }
        for key in ["logoDark", "logoMail"] + (logoHasName ? ["logoHasName"] : []) { setting[key]?.note("requires brand.logo") }
        return self
    }
}

extension ValueForm<String> {
    fileprivate static var logo: ValueForm { logo { Brand.LogoFiles($0) } }
    fileprivate static var mailLogo: ValueForm { logo { Brand.LogoFiles($0, mail: $0) } }

    private static func logo(_ files: @escaping @Sendable (String) -> Brand.LogoFiles) -> ValueForm {
        .text(#/[A-Za-z0-9_\-][A-Za-z0-9_.\-]*/#, "the name of a file in Public/").checked { file, setting in
            _ = try setting.context.views?.brand(name: nil, logo: files(file))
        }
    }

    fileprivate static var helpAddress: ValueForm {
        .text("an e-mail address or an https URL") { text in
            if let address = EmailAddress(text) { return address.value }
            return (try? WebURL(text)).flatMap { $0.scheme == "https" ? $0.serialized : nil }
        }
    }
}

/// A service account that may sign custom tokens. One with several keys is listed several times.
struct ServiceAccountSection: Section {
    var email, publicKey: String?

    static var keys: [ConfigurationKey<Self>] {
        ConfigurationKey("email", \.email, .text(#/[^@\s]+@[^@\s]+/#, "the service account's e-mail address, as its tokens have it in iss"))
            .required("the service account's e-mail address")
        ConfigurationKey("publicKey", \.publicKey, .text).required("a file with its public key or certificate, in PEM")
    }

    func value(in setting: Setting) -> ServiceAccount? {
        guard let email, let publicKey else { return nil }
        return setting["publicKey"]?.noting {
            guard let bytes = FileManager.default.contents(atPath: publicKey), let pem = String(bytes: bytes, encoding: .utf8) else {
                throw SettingError("the file \(publicKey) cannot be read")
            }
            do throws(RSAPublicKey.Invalid) { return try ServiceAccount(email: email, pem: pem) } catch {
                throw SettingError(
                    "expected a PEM file with an RSA public key of 2048 bits or more, or its certificate; \(error.explanation)")
            }
        }
    }
}
