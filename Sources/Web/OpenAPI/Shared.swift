internal import JSON

/// The schemas that several methods share, under `components/schemas`.
enum Shared: String, Sendable, CaseIterable {
    case account = "Account"
    case provider = "ProviderUserInfo"
    case secondFactor = "MfaEnrollment"
    case template = "EmailTemplate"
    case error = "Error"

    var schema: Schema {
        switch self {
        case .account: .object(Self.accountFields)
        case .template:
            .object([
                Property("subject", .text), Property("body", .text), Property("format", .choice(["PLAIN_TEXT", "HTML"])),
                Property("from", .text), Property("fromDisplayName", .text), Property("replyTo", .text), .always("customized", .flag),
            ])
        case .provider:
            .object([
                .always("providerId", .text, "`password`, `phone`, or the provider's own, such as `google.com`."),
                .always("rawId", .text, "The person's id at the provider; for a password the address."),
                .always("federatedId", .text, "The same: Apple's SDK reads it here."),
                Property("email", .text), Property("phoneNumber", .text), Property("displayName", .text), Property("photoUrl", .text),
            ])
        case .secondFactor:
            .object([
                .always("mfaEnrollmentId", .text), Property("displayName", .text),
                Property("phoneInfo", .text, "The number, of a second factor by phone."),
                Property("totpInfo", .object([]), "Present, of a second factor by an authenticator app."),
                .always("enrolledAt", .text, "ISO 8601."),
            ])
        case .error:
            .object([
                .always(
                    "error",
                    .object([
                        .always("code", .integer, "The HTTP status again."),
                        .always("message", .text, "`CODE`, or `CODE : a sentence for the developer`."),
                        .always(
                            "errors",
                            .list(
                                .object([
                                    .always("message", .text), .always("reason", .text), Property("domain", .text),
                                    Property("location", .text), Property("locationType", .text),
                                ]))),
                        Property("status", .text, "Google's canonical status; absent on refusals of the domain."),
                        Property("details", .list(.map(.anything))),
                    ]))
            ])
        }
    }

    private static let accountFields: [Property] = [
        .always("localId", .text), Property("email", .text), Property("emailVerified", .flag), Property("displayName", .text),
        Property("photoUrl", .text), Property("phoneNumber", .text, "E.164."),
        .always("providerUserInfo", .list(.shared(.provider))),
        .always("validSince", .int64, "Seconds since 1970: tokens of sign-ins before it are refused."),
        .always("disabled", .flag),
        .always("createdAt", .int64, "Milliseconds since 1970."), Property("lastLoginAt", .int64, "Milliseconds since 1970."),
        Property("passwordUpdatedAt", .number, "Milliseconds since 1970."),
        Property("initialEmail", .text, "The address before the first change."), Property("emailLinkSignin", .flag),
        Property("customAttributes", .text, "Custom claims, a JSON object in a string."),
        Property("mfaInfo", .list(.shared(.secondFactor))),
    ]
}
