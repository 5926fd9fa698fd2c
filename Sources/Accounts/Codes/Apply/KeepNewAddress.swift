internal import Base

/// Ends the undo links of a change that the user made, so that an address which they gave up has no
/// power over the account.
struct KeepNewAddress: Effect {
    func apply(_ code: StoredCode, in records: any Records, at now: Timestamp) throws(ActionError) -> AppliedEffect {
        let account = try records.openAccount(of: code)
        try records.withdrawUndoLinks(of: account.id, to: code.email, in: account.project, at: now)
        return AppliedEffect(email: account.email)
    }
}
