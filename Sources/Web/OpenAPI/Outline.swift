internal import Accounts
internal import JSON

/// What the document says of a method: what it is for, what it reads, what it answers, which refusals it has.
struct Outline: Sendable {
    let summary: String
    /// What anyone may send.
    var fields: [Property] = []
    /// What counts only from an admin.
    var adminFields: [Property] = []
    /// What stands in the query beside a body.
    var parameters: [Property] = []
    let answer: [Property]
    /// Beside those that every method has, `everyones`.
    var refusals: [Refusal] = []

    /// What any call may meet: a body or a project that it cannot be read with.
    static let everyones: [Refusal] = [.invalidArgument, .insufficientPermission, .projectNotFound, .tenantsNotOffered, .tooManyAttempts]
}

extension [Property] {
    static func kind(_ name: String) -> [Property] { [.always("kind", .choice(["identitytoolkit#\(name)"]))] }

    /// What a sign-in gives.
    static let tokens: [Property] = [
        .always("idToken", .text, "A JWT of an hour."), .always("refreshToken", .text), .always("expiresIn", .int64, "Seconds."),
    ]

    /// The same where only some callers get it.
    static let tokensIfAny: [Property] = tokens.map { Property($0.name, $0.schema, $0.note) }

    /// Action code settings, on `sendOobCode`.
    static let actionCodeSettings: [Property] = [
        Property("continueUrl", .text, "Where the person goes on to; its host must be an authorised domain."),
        Property("canHandleCodeInApp", .flag, "Whether the mailed link opens the app first."),
        Property("iOSBundleId", .text), Property("iOSAppStoreId", .text), Property("androidPackageName", .text),
        Property("androidInstallApp", .flag), Property("androidMinimumVersion", .text, "Android's versionCode."),
        Property("androidMinimumVersionCode", .text, "The same, as the JavaScript SDK calls it."),
        Property("linkDomain", .text, "One of the project's link domains."),
        Property("dynamicLinkDomain", .text, "The same by its old name."),
    ]
}
