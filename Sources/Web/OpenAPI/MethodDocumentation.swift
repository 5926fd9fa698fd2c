internal import Accounts

/// The description of an API method in the OpenAPI document.
struct MethodDocumentation: Sendable {
    let summary: String
    /// The fields that every caller may send.
    var fields: [Property] = []
    /// The fields that only admins may send.
    var adminFields: [Property] = []
    /// The query parameters beside a body.
    var parameters: [Property] = []
    let response: [Property]
    /// The refusals beside `commonRefusals`.
    var refusals: [Refusal] = []

    /// The refusals of every method: of its body, its project or its caller.
    static let commonRefusals: [Refusal] = [
        .invalidArgument, .insufficientPermission, .projectNotFound, .tenantsNotOffered, .tooManyAttempts,
    ]
}

extension [Property] {
    static func kind(_ name: String) -> [Property] { [.always("kind", .choice(["identitytoolkit#\(name)"]))] }

    /// The result of a sign-in.
    static let tokens: [Property] = [
        .always("idToken", .text, "A JWT that expires after an hour."), .always("refreshToken", .text),
        .always("expiresIn", .int64, "Seconds."),
    ]

    /// The result of a sign-in, if the call signs in.
    static let tokensIfAny: [Property] = tokens.map { Property($0.name, $0.schema, $0.note) }

    /// The result of a first factor, if the account has a second one.
    static let secondFactorIfAny: [Property] = [
        Property("mfaPendingCredential", .text, "For `mfaSignIn:finalize`, within ten minutes; instead of tokens."),
        Property("mfaInfo", .list(.shared(.secondFactor)), "The second factors to choose from; of phone numbers four digits."),
    ]

    static let tokensOrSecondFactor: [Property] = tokensIfAny + secondFactorIfAny
}
