internal import Accounts

/// The old address is back. Undo links made since belong to whoever changed it away, so they end; older ones stay: each can only
/// lead further back.
struct RecoverEmail: Effect {
    let noticeToOther: StoredMail?

    func carryOut(
        on account: Account, for code: StoredCode, in records: any ActionRecords, at now: Timestamp
    ) throws(ActionError) -> Account {
        var account = account
        account.email = code.email
        account.emailVerified = true
        account.endSessions(at: now)
        try records.update(account)
        try records.deleteSessions(of: account.id, in: account.project)
        try records.withdrawOrdinaryCodes(of: account, at: now)
        try records.withdrawCodes(of: account.id, in: account.project, for: [.recoverEmail], madeSince: code.createdAt, at: now)
        if let noticeToOther { try records.insert(noticeToOther) }
        return account
    }
}
