internal import Accounts
internal import Base

/// The request body that inspects or applies a code.
/// Source: Identity Toolkit `ResetPasswordRequest`, `SetAccountInfoRequest`.
struct CodeCall {
    let oobCode: String
    var newPassword: String?
    /// The tenant of the Identity Platform that the account belongs to.
    var tenantId: String?

    var json: JSON {
        .object(["oobCode": .string(oobCode), "newPassword": .string(ifAny: newPassword), "tenantId": .string(ifAny: tenantId)])
    }
}

/// The request body that has a mail sent. Source: Identity Toolkit `GetOobCodeRequest`.
struct MailCall {
    let requestType, email: String
    var tenantId: String?

    var json: JSON {
        .object(["requestType": .string(requestType), "email": .string(email), "tenantId": .string(ifAny: tenantId)])
    }
}

/// The body of a successful response of an upstream. Members that are not named are ignored.
protocol UpstreamReply {
    /// Nil if a required member is missing or has another type.
    init?(_ json: JSON)
}

extension UpstreamReply {
    /// Parses a body. Nil if the bytes are not JSON, or if the JSON is not such a reply.
    init?(json bytes: [UInt8]) {
        guard let json = try? JSON(bytes) else { return nil }
        self.init(json)
    }
}

/// The configuration of a project. Source: Identity Toolkit `GetProjectConfigResponse`.
struct ProjectReply: UpstreamReply {
    let authorizedDomains: [String]

    init?(_ json: JSON) {
        guard json["projectId"]?.string != nil else { return nil }
        let domains = json["authorizedDomains"] ?? .null
        guard domains == .null || domains.items?.allSatisfy({ $0.string != nil }) == true else { return nil }
        authorizedDomains = domains.items?.compactMap(\.string) ?? []
    }
}

/// The rules for passwords of a project. Source: Identity Toolkit v2 `PasswordPolicy`.
struct PasswordPolicyReply: UpstreamReply {
    let requirements: PasswordRequirements

    init?(_ json: JSON) {
        guard case .object? = json["customStrengthOptions"] else { return nil }
        // Rules that are not enforced are only recommended to apps.
        guard json["enforcementState"]?.string == "ENFORCE" else {
            requirements = PasswordRequirements()
            return
        }
        let options = json["customStrengthOptions"] ?? .null
        func length(_ name: String) -> Int? {
            guard case .number(let digits)? = options[name], let length = Int(digits), (1...4096).contains(length) else { return nil }
            return length
        }
        let classes: [(String, CharacterClass)] = [
            ("containsLowercaseCharacter", .lowercase), ("containsUppercaseCharacter", .uppercase), ("containsNumericCharacter", .numeric),
            ("containsNonAlphanumericCharacter", .nonAlphanumeric),
        ]
        requirements = PasswordRequirements(
            minimumLength: length("minPasswordLength"), maximumLength: length("maxPasswordLength"),
            classes: Set(classes.filter { options[$0.0] == .bool(true) }.map(\.1)))
    }
}

/// The result of applying a code, or of sending a mail. Source: Identity Toolkit
/// `SetAccountInfoResponse`, `ResetPasswordResponse` and `GetOobCodeResponse`; the latter two
/// contain only the address.
struct EffectReply: UpstreamReply {
    let localId, email: String?

    init?(_ json: JSON) {
        (localId, email) = (json["localId"]?.string, json["email"]?.string)
        guard localId != nil || email != nil else { return nil }
    }
}

/// The result of inspecting a code. Source: Identity Toolkit `ResetPasswordResponse`.
struct CodeReply: UpstreamReply {
    let code: UpstreamCode?

    init?(_ json: JSON) {
        guard let requestType = json["requestType"]?.string else { return nil }
        code = Self.code(requestType, json)
    }

    /// The code, nil if a member is missing that its action requires.
    private static func code(_ requestType: String, _ json: JSON) -> UpstreamCode? {
        guard let action = Action(requestType: requestType) else { return nil }
        func text(_ value: JSON?) -> String? { value?.string.flatMap(DisplayText.init)?.text }
        let (email, newEmail) = (text(json["email"]), text(json["newEmail"]))
        let hasFactor = if case .object = json["mfaInfo"] { true } else { false }
        let factor = text(json["mfaInfo"]?["displayName"]) ?? text(json["mfaInfo"]?["phoneInfo"])
        if action.isAppliedByApp { return UpstreamCode(action: action, email: nil, newEmail: newEmail, secondFactor: factor) }
        guard (action.setsNewAddress ? newEmail : email) != nil, hasFactor || !action.removesSecondFactor else { return nil }
        return UpstreamCode(action: action, email: email, newEmail: newEmail, secondFactor: factor)
    }
}

/// One line of text from an upstream, short enough to be shown on a page.
struct DisplayText {
    let text: String

    /// Nil for an empty or long text, and for one with control or format characters.
    init?(_ text: String) {
        guard (1...320).contains(text.unicodeScalars.count), text.unicodeScalars.allSatisfy(Self.isShown) else { return nil }
        self.text = text
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar >= " " && scalar != "\u{7F}" }
        return scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format
    }
}
