internal import Base

/// Marks the account's address as verified, and withdraws the other verification codes for it.
struct VerifyEmail: Effect {
    func apply(_ code: StoredCode, in records: any Records, at now: Timestamp) throws(ActionError) -> AppliedEffect {
        guard let account = code.account, try records.verify(code.email, of: account, in: code.project, at: now) else {
            _ = try records.openAccount(of: code)
            throw .refused(.invalidOobCode)
        }
        try records.withdrawOthers(like: code, at: now)
        return AppliedEffect(email: code.email)
    }
}
