/// The six things that a link in an e-mail can do. Raw values are the `mode` of links, as Firebase spells them.
package enum Action: String, Sendable, Hashable, CaseIterable, Codable, CodingKeyRepresentable {
    case resetPassword, verifyEmail, signIn, verifyAndChangeEmail, recoverEmail, revertSecondFactorAddition

    /// The `requestType` of the REST API. Source: Identity Toolkit `GetOobCodeRequest`.
    package var requestType: String {
        switch self {
        case .resetPassword: "PASSWORD_RESET"
        case .verifyEmail: "VERIFY_EMAIL"
        case .signIn: "EMAIL_SIGNIN"
        case .verifyAndChangeEmail: "VERIFY_AND_CHANGE_EMAIL"
        case .recoverEmail: "RECOVER_EMAIL"
        case .revertSecondFactorAddition: "REVERT_SECOND_FACTOR_ADDITION"
        }
    }

    package init?(requestType: String) {
        guard let action = Self.allCases.first(where: { $0.requestType == requestType }) else { return nil }
        self = action
    }

    /// Whether the link takes something back on behalf of the person who lost it. Such codes outlive changes of password and
    /// address: whoever made those changes may be the one they protect from.
    package var isUndo: Bool { self == .recoverEmail || self == .revertSecondFactorAddition }
}
