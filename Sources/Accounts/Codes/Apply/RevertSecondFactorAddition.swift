internal import Base

/// Removes the second factor that was added, and ends all sessions, because the intruder who may
/// have added the factor may still be signed in.
struct RevertSecondFactorAddition: PreparedEffect {
    private let secondFactor: SecondFactor
    private let notice: StoredMail?

    init(_ context: EffectContext) throws(ActionError) {
        guard let factor = context.secondFactor else { throw .refused(.invalidOobCode) }
        secondFactor = factor
        notice = context.drafts.notice(
            ifMailed: .secondFactorRemoved, to: context.account.email ?? context.code.email, secondFactor: factor.shownName,
            for: context.account, by: context.client, in: context.project)
    }

    func apply(_ code: StoredCode, in records: any Records, at now: Timestamp) throws(ActionError) -> AppliedEffect {
        let account = try records.openAccount(of: code)
        guard try records.deleteSecondFactor(secondFactor.id, of: account.id, in: account.project) else {
            throw .refused(.invalidOobCode)
        }
        records.note(.secondFactorReverted, of: account)
        try records.tell(notice, about: account)
        return AppliedEffect(email: try records.end(.credentialsChanged, of: account, at: now).email)
    }
}
