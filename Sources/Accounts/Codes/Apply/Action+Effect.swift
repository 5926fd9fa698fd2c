extension Action {
    /// The source of an action's effect, and when it is prepared.
    enum EffectSource {
        /// The effect needs only the code, so pressing the button applies it in one transaction.
        case immediate(any Effect)
        /// The effect is prepared from the account before its transaction.
        case prepared(any PreparedEffect.Type)
        /// The app applies the code, by `Accounts.signIn`.
        case app
    }

    /// - Parameter choice: what the user chose in place of the button.
    /// - Returns: nil if the action does not offer the choice.
    func effectSource(_ choice: ActionChoice?) -> EffectSource? {
        switch choice {
        case let choice? where choice.action != self: nil
        case .notMine: .immediate(DisownAccount())
        case .itWasMe: .immediate(KeepNewAddress())
        case .takeAddress, nil: effectSource
        }
    }

    private var effectSource: EffectSource {
        switch self {
        case .resetPassword: .prepared(ResetPassword.self)
        case .verifyEmail: .immediate(VerifyEmail())
        case .signIn: .app
        case .verifyAndChangeEmail: .prepared(ChangeEmail.self)
        case .recoverEmail: .prepared(RecoverEmail.self)
        case .revertSecondFactorAddition: .prepared(RevertSecondFactorAddition.self)
        }
    }

    /// Whether the effect is prepared from the account, or the page says something about it.
    var readsAccount: Bool {
        if case .prepared = effectSource { true } else { verifiesAddress }
    }
}
