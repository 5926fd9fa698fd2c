internal import Accounts
internal import Base

extension ConfigField {
    /// Source: Identity Toolkit `MultiFactorAuthConfig`, which Node's Admin SDK calls
    /// `multiFactorConfig`.
    static let ofSecondFactors = [
        ConfigField(
            SettingsField.offersSecondFactors, .choice(["DISABLED", "ENABLED"]), \.offersSecondFactors,
            read: { fields, name throws(ActionError) in
                try fields.secondFactorState(name, of: SettingsField.offersSecondFactors)
            },
            value: { .string($0.secondFactors.isOffered ? "ENABLED" : "DISABLED") }),
        ConfigField(
            SettingsField.offersTOTP,
            .list(
                .object([
                    .always("state", .choice(["DISABLED", "ENABLED"])),
                    .always("totpProviderConfig", .object([Property("adjacentIntervals", .integer, "1: a code works one step longer.")])),
                ])),
            \.offersTOTP,
            read: { fields, name throws(ActionError) in
                guard fields.has(name) else { return nil }
                return try fields.objects(name).map { item throws(ActionError) in try item.offersTOTP() }.contains(true)
            },
            value: { project in
                .array([
                    .object([
                        "state": .string(project.secondFactors.totp ? "ENABLED" : "DISABLED"),
                        "totpProviderConfig": .object(["adjacentIntervals": .int(TOTP.adjacentSteps)]),
                    ])
                ])
            }),
        flag(SettingsField.givesRecoveryCodes, \.givesRecoveryCodes) { $0.secondFactors.recoveryCodes },
    ]
}

extension JSONFields {
    /// Whether a state is on; nil if it is absent. Refuses `OPERATION_NOT_ALLOWED` for a second
    /// factor that all users must have.
    fileprivate func secondFactorState(_ name: String, of path: String) throws(ActionError) -> Bool? {
        let names = ["STATE_UNSPECIFIED", "MFA_STATE_UNSPECIFIED", "DISABLED", "ENABLED", "MANDATORY"]
        guard let state = try choice(name, of: names), !state.hasSuffix("_UNSPECIFIED") else { return nil }
        guard state != "MANDATORY" else {
            throw .refused(.operationNotAllowed, detail: "\(path): this server asks those users for a second factor who have one")
        }
        return state == "ENABLED"
    }

    /// Whether one of the `providerConfigs` offers authenticator apps.
    fileprivate func offersTOTP() throws(ActionError) -> Bool {
        guard let totp = try object("totpProviderConfig") else {
            throw .refused(.invalidConfig, detail: "\(SettingsField.offersTOTP) needs totpProviderConfig")
        }
        guard try totp.integer("adjacentIntervals").map({ $0 == TOTP.adjacentSteps }) ?? true else {
            throw .refused(
                .operationNotAllowed,
                detail: "adjacentIntervals must be \(TOTP.adjacentSteps): this server takes a code that many steps early and late")
        }
        return try secondFactorState("state", of: SettingsField.offersTOTP) ?? false
    }
}
