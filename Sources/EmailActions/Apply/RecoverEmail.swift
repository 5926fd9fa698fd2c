internal import Accounts

/// The old address is back. Undo links made since belong to whoever changed it away, so they end; older ones stay: each can only
/// lead further back.
struct RecoverEmail: Effect {
    let noticeToOther: StoredMail?

    func carryOut(by code: StoredCode, in records: any ActionRecords, at now: Timestamp) throws(ActionError) -> EmailAddress? {
        var account = try records.openAccount(of: code)
        try takeBack(code.email, for: account, in: records, at: now)
        account.email = code.email
        account.emailVerified = true
        account = try records.updateEndingSessions(account, at: now)
        try records.withdrawUndoLinks(of: account, madeSince: code.createdAt, at: now)
        if let noticeToOther { try records.insert(noticeToOther) }
        return account.email
    }

    /// Whoever changed the address away may have signed up with it meanwhile, to stand in the way. Only a proof by mail keeps it.
    private func takeBack(
        _ email: EmailAddress, for account: Account, in records: any ActionRecords, at now: Timestamp
    ) throws(ActionError) {
        guard var other = try records.account(withEmail: email, in: account.project), other.id != account.id, !other.emailVerified else {
            return
        }
        try records.withdrawAllCodes(of: other, at: now)
        try records.deleteSessions(of: other.id, in: other.project)
        other.email = nil
        other.endSessions(at: now)
        try records.update(other)
    }
}
