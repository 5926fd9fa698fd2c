extension Action {
    /// The source of an action's effect, and when it is prepared.
    enum EffectSource {
        /// The effect needs only the code, so pressing the button applies it in one transaction.
        case immediate(any Effect)
        /// The effect is prepared from the account before its transaction.
        case prepared(any PreparedEffect.Type)
        /// The app applies the code, by `EmailActions.signIn`.
        case app
    }

    var effectSource: EffectSource {
        switch self {
        case .resetPassword: .prepared(ResetPassword.self)
        case .verifyEmail: .immediate(VerifyEmail())
        case .signIn: .app
        case .verifyAndChangeEmail: .prepared(ChangeEmail.self)
        case .recoverEmail: .prepared(RecoverEmail.self)
        case .revertSecondFactorAddition: .prepared(RevertSecondFactorAddition.self)
        }
    }

    /// Whether the effect is prepared from the account.
    var readsAccount: Bool {
        if case .prepared = effectSource { true } else { false }
    }
}
