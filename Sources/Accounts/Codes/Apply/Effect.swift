internal import Base

/// The change that an action makes to an account.
///
/// `apply` runs in the transaction that has just spent the code. If it throws, the transaction is
/// rolled back and the code works as before.
protocol Effect: Sendable {
    /// Applies the change to the account.
    ///
    /// Refuses `USER_DISABLED`, and `INVALID_OOB_CODE` if the account was deleted or the code no
    /// longer matches it.
    /// - Parameter code: the code as this transaction spent it.
    func apply(_ code: StoredCode, in records: any Records, at now: Timestamp) throws(ActionError) -> AppliedEffect
}

/// An effect whose slow parts (hashing a password, composing letters) are prepared before its
/// transaction.
protocol PreparedEffect: Effect {
    init(_ context: EffectContext) async throws(ActionError)
}

/// The result of an effect, known once its transaction is committed.
struct AppliedEffect: Sendable {
    /// The account's address after the change.
    let email: EmailAddress?
    /// The account that the change made; nil if it changed that of the code.
    var newAccount: AccountID?
    /// The codes that the effect stored: the undo links mailed to addresses that accounts left.
    var issued: [IssuedCode] = []
    /// The code that lets the user choose a new password in the same visit. It is not mailed.
    var passwordReset: IssuedCode?
}

/// The values from which an effect is prepared.
struct EffectContext: Sendable {
    let pending: PendingAction
    let code: StoredCode
    let account: Account
    let findings: CodeFindings
    let secondFactor: SecondFactor?
    let input: RedeemInput
    let client: Client
    let passwords: Passwords
    let drafts: CodeDrafts

    var project: Project { pending.project }
}

extension Records {
    /// The account that a code belongs to. Refuses `USER_DISABLED`, and `INVALID_OOB_CODE` if the
    /// account was deleted.
    func openAccount(of code: StoredCode) throws(ActionError) -> Account {
        guard let id = code.account, let account = try account(id, in: code.project) else { throw .refused(.invalidOobCode) }
        guard !account.disabled else { throw .refused(.userDisabled) }
        return account
    }
}
