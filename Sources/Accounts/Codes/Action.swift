internal import Base

/// An action that a link in an e-mail can ask for. The raw value is the `mode` of the link, as
/// Firebase spells it.
///
/// To add an action: a case and its row in `properties` here, its effect in
/// `Accounts/Codes/Apply/Action+Effect.swift`, the words of the page of `onward dev` after it in
/// `DevPages+Arrival.swift` (the compiler asks for these), a migration that extends the CHECK of
/// `code.action` (`Store/Schema`), and its strings below `confirm`, `done` and `letters.action` in
/// each file of `Config/languages`.
public enum Action: String, Sendable, Hashable, CaseIterable, Codable, CodingKeyRepresentable {
    case resetPassword, verifyEmail, signIn, verifyAndChangeEmail, recoverEmail, revertSecondFactorAddition

    /// The role of an address in an action, for the label beside it on pages and in mails.
    public enum AddressRole: Sendable, Hashable {
        /// The account's address.
        case account
        /// The address that a change replaces.
        case old
        /// The address that a change puts in its place.
        case new
        /// The address that undoing a change restores.
        case restored
        /// The address that undoing a change replaces.
        case current
    }

    /// Everything in which actions differ, except for their effects.
    private struct Properties {
        let requestType: String
        let templateField: String
        let lifetime: Duration
        var addresses: [AddressRole] = [.account]
        var isUndo = false
        var setsPassword = false
        var removesSecondFactor = false
        var isAppliedByApp = false
    }

    private var properties: Properties {
        switch self {
        case .resetPassword:
            Properties(requestType: "PASSWORD_RESET", templateField: "resetPasswordTemplate", lifetime: .hours(1), setsPassword: true)
        case .verifyEmail:
            Properties(requestType: "VERIFY_EMAIL", templateField: "verifyEmailTemplate", lifetime: .hours(3 * 24))
        case .signIn:
            Properties(requestType: "EMAIL_SIGNIN", templateField: "signInTemplate", lifetime: .hours(1), isAppliedByApp: true)
        case .verifyAndChangeEmail:
            Properties(
                requestType: "VERIFY_AND_CHANGE_EMAIL", templateField: "verifyAndChangeEmailTemplate", lifetime: .hours(24),
                addresses: [.new, .old])
        case .recoverEmail:
            Properties(
                requestType: "RECOVER_EMAIL", templateField: "changeEmailTemplate", lifetime: .hours(30 * 24),
                addresses: [.restored, .current], isUndo: true)
        case .revertSecondFactorAddition:
            Properties(
                requestType: "REVERT_SECOND_FACTOR_ADDITION", templateField: "revertSecondFactorAdditionTemplate",
                lifetime: .hours(30 * 24), isUndo: true, removesSecondFactor: true)
        }
    }
}

extension Action {
    /// The `requestType` of the REST API. Source: Identity Toolkit `GetOobCodeRequest`.
    public var requestType: String { properties.requestType }

    public init?(requestType: String) {
        guard let action = Self.allCases.first(where: { $0.requestType == requestType }) else { return nil }
        self = action
    }

    /// The name of the action's mail template in a project's settings.
    ///
    /// Source: Identity Toolkit `SendEmail`, whose `changeEmailTemplate` is the mail to the address
    /// that an account leaves. It has no templates for sign-in links and for mails to a new
    /// address; those names are Onward's.
    public var templateField: String { properties.templateField }

    /// How long a code works unless the project sets another lifetime. The values are Firebase's,
    /// if those are known.
    public var defaultLifetime: Duration { properties.lifetime }

    /// The addresses that the action is about, in the order in which pages and mails list them: the
    /// one that will be in use afterwards comes first.
    public var addresses: [AddressRole] { properties.addresses }

    /// Whether the action replaces the account's address by one that its link was mailed to.
    public var setsNewAddress: Bool { properties.addresses.contains(.new) }

    /// Whether the action verifies an address that the account wishes to have, so that a newer wish
    /// ends it.
    public var verifiesAddress: Bool { self == .verifyEmail || self == .verifyAndChangeEmail }

    /// Whether the action undoes a change on behalf of an owner who may not have made it. Such
    /// codes survive changes of password and address, because an intruder may have made those
    /// changes.
    public var isUndo: Bool { properties.isUndo }

    /// Whether the user enters a new password on the action's page.
    public var setsPassword: Bool { properties.setsPassword }

    /// Whether the action removes a second factor, which its page and mail name.
    public var removesSecondFactor: Bool { properties.removesSecondFactor }

    /// Whether the app applies the code by the REST API, and the action's page only forwards it.
    public var isAppliedByApp: Bool { properties.isAppliedByApp }
}
