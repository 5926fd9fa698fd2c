internal import Accounts

/// What the address hears that an account leaves: a link that takes the change back, or, where such a link would be an intruder's, a
/// notice. Prepared before the transaction of the change.
struct OldAddressNotice: Sendable {
    let undo: CodeDrafts.Draft
    let notice: StoredMail

    /// Returning to an address that an undo link would restore is an undoing itself: the links made since it was left belong to whoever
    /// changed it away, so they end, and no new one is made.
    /// - Returns: The undo code, if one was made.
    func store(for account: Account, in records: any ActionRecords, at now: Timestamp) throws(ActionError) -> IssuedCode? {
        let left = try account.email.flatMap { (email) throws(ActionError) in
            try records.liveUndo(of: account.id, in: account.project, restoring: email, at: now)
        }
        if let left {
            try records.withdrawUndoLinks(of: account, madeSince: left, at: now)
            try records.insert(notice)
            return nil
        }
        try undo.store(in: records)
        return undo.issued
    }
}

extension CodeDrafts {
    /// - Parameter new: the address that takes the place of `old`; nil for none.
    func oldAddressNotice(to old: EmailAddress, changingTo new: EmailAddress?, for account: Account, in project: Project)
        throws(ActionError)
        -> OldAddressNotice
    {
        var purpose = CodePurpose(.recoverEmail, email: old)
        purpose.newEmail = new
        return OldAddressNotice(
            undo: try draft(purpose, for: account, in: project),
            notice: try notice(.emailChanged, to: old, otherEmail: new, for: account, in: project))
    }
}
