internal import Accounts
internal import Base

/// The schema of a JSON value: as much of JSON Schema as the API needs.
indirect enum Schema: Sendable {
    case text
    case flag
    case integer
    /// A 64-bit integer in a string, as Google writes it.
    case int64
    /// A JSON number.
    case number
    case choice([String])
    case list(Schema)
    case object([Property])
    /// An object whose members have any names.
    case map(Schema)
    /// A reference to a schema of `components/schemas`.
    case shared(SharedSchema)
    case anything

    /// Source: JSON Schema 2020-12, as OpenAPI 3.1 takes it.
    var json: JSON {
        switch self {
        case .text: .object(["type": "string"])
        case .flag: .object(["type": "boolean"])
        case .integer: .object(["type": "integer"])
        case .int64: .object(["type": "string", "format": "int64", "pattern": "^-?[0-9]+$"])
        case .number: .object(["type": "number"])
        case .choice(let names): .object(["type": "string", "enum": .array(names.map { .string($0) })])
        case .list(let items): .object(["type": "array", "items": items.json])
        case .object(let properties): Self.object(of: properties)
        case .map(let values): .object(["type": "object", "additionalProperties": values.json])
        case .shared(let shared): .object(["$ref": .string("#/components/schemas/\(shared.rawValue)")])
        case .anything: .object([:])
        }
    }

    private static func object(of properties: [Property]) -> JSON {
        let required = properties.filter(\.isRequired).map { JSON.string($0.name) }
        return .object([
            "type": "object",
            "properties": .object(properties.map { JSON.Member(name: $0.name, value: $0.json) }),
            "required": required.isEmpty ? nil : .array(required),
        ])
    }
}

/// A member of an object, with its schema.
struct Property: Sendable {
    let name: String
    let schema: Schema
    /// Nil if the name says everything.
    let note: String?
    var isRequired = false

    init(_ name: String, _ schema: Schema, _ note: String? = nil) {
        self.name = name
        self.schema = schema
        self.note = note
    }

    /// A required member.
    static func always(_ name: String, _ schema: Schema, _ note: String? = nil) -> Property {
        var property = Property(name, schema, note)
        property.isRequired = true
        return property
    }

    var json: JSON {
        guard let note, case .object(let members) = schema.json else { return schema.json }
        return .object(members + [JSON.Member(name: "description", value: .string(note))])
    }

    /// The member as a parameter of a query.
    var inQuery: JSON {
        .object(["name": .string(name), "in": "query", "schema": schema.json, "description": .string(ifAny: note)])
    }
}

/// The schemas that several methods use, under `components/schemas`.
enum SharedSchema: String, Sendable, CaseIterable {
    case account = "Account"
    case provider = "ProviderUserInfo"
    case secondFactor = "MfaEnrollment"
    case template = "EmailTemplate"
    case error = "Error"
    case event = "Event"

    var schema: Schema {
        switch self {
        case .account: .object(Self.accountFields)
        case .event:
            .object([
                .always("type", .choice(AccountEvent.Kind.allCases.map(\.rawValue)), "What the change is."),
                .always("timestamp", .text, "ISO 8601."), .always("data", .object(Self.eventFields)),
            ])
        case .template:
            .object([
                Property("subject", .text), Property("body", .text), Property("format", .choice(["PLAIN_TEXT", "HTML"])),
                Property("from", .text), Property("fromDisplayName", .text), Property("replyTo", .text), .always("customized", .flag),
            ])
        case .provider:
            .object([
                .always("providerId", .text, "`password`, `phone`, or the provider's own, such as `google.com`."),
                .always("rawId", .text, "The user's id at the provider; for a password the address."),
                .always("federatedId", .text, "The same as `rawId`; Apple's SDK reads it here."),
                Property("email", .text, "The provider's present one."), Property("phoneNumber", .text), Property("displayName", .text),
                Property("photoUrl", .text), Property("screenName", .text, "Such as GitHub's login."),
            ])
        case .secondFactor:
            .object([
                .always("mfaEnrollmentId", .text), Property("displayName", .text),
                Property("phoneInfo", .text, "The number of a second factor by phone."), Property("unobfuscatedPhoneInfo", .text),
                Property("totpInfo", .object([]), "Present for a second factor by an authenticator app."),
                .always("enrolledAt", .text, "ISO 8601."),
            ])
        case .error:
            .object([
                .always(
                    "error",
                    .object([
                        .always("code", .integer, "The HTTP status."),
                        .always("message", .text, "`CODE`, or `CODE : a sentence for the developer`."),
                        .always(
                            "errors",
                            .list(
                                .object([
                                    .always("message", .text), .always("reason", .text), Property("domain", .text),
                                    Property("location", .text), Property("locationType", .text),
                                ]))),
                        Property("status", .text, "Google's canonical status; absent if the message starts with another code."),
                        Property("details", .list(.map(.anything))),
                    ]))
            ])
        }
    }

    private static let eventFields: [Property] = [
        .always("id", .text, "Also the `webhook-id`."), .always("project", .text),
        Property("localId", .text, "The account; absent for an import."),
        Property("also", .list(.choice(AccountEvent.Kind.allCases.map(\.rawValue))), "What the change is as well, or led to."),
        Property("email", .text, "The address after the change, if `type` is about one."),
        Property("formerEmail", .text, "The address that the account left."),
        Property("fromLocalId", .text, "The account that was merged, or parted."),
        Property("linkedProviders", .list(.text)), Property("unlinkedProviders", .list(.text)),
        Property("enrolledSecondFactors", .list(.text), "Their `mfaEnrollmentId`."), Property("removedSecondFactors", .list(.text)),
        Property("added", .integer, "Imported accounts."), Property("overwritten", .integer, "Imported accounts that existed."),
    ]

    private static let accountFields: [Property] = [
        .always("localId", .text), Property("email", .text), Property("emailVerified", .flag), Property("displayName", .text),
        Property("photoUrl", .text), Property("phoneNumber", .text, "E.164."),
        .always("providerUserInfo", .list(.shared(.provider))),
        .always("validSince", .int64, "Seconds since 1970: tokens of earlier sign-ins are refused."),
        .always("disabled", .flag),
        .always("createdAt", .int64, "Milliseconds since 1970."), Property("lastLoginAt", .int64, "Milliseconds since 1970."),
        Property("lastRefreshAt", .text, "ISO 8601; at most an hour too early."),
        Property("passwordUpdatedAt", .number, "Milliseconds since 1970."),
        Property("initialEmail", .text, "The address before the first change."), Property("emailLinkSignin", .flag),
        Property("customAttributes", .text, "Custom claims, a JSON object in a string."),
        Property("mfaInfo", .list(.shared(.secondFactor))),
        Property(
            "passwordHash", .text, "If there is a password: for admins with the permission password-hashes its hash, else a constant."),
        Property("salt", .text, "Beside a hash."),
    ]
}
