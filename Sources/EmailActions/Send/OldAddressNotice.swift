internal import Accounts

/// The mail to the previous address of an account, prepared before the transaction of the change: a
/// link that undoes the change, or a notice without a link if the link would serve an intruder.
struct OldAddressNotice: Sendable {
    let undo: CodeDrafts.Draft
    let notice: StoredMail

    /// Stores the undo code with its mail.
    ///
    /// A change to an address that a live undo link would restore is itself an undo: the undo links
    /// created since the account left that address may be an intruder's, so they are withdrawn, and
    /// only the notice is stored.
    /// - Returns: the undo code, if it was stored.
    func store(for account: Account, in records: any ActionRecords, at now: Timestamp) throws(ActionError) -> IssuedCode? {
        let left = try account.email.flatMap { (email) throws(ActionError) in
            try records.liveUndo(of: account.id, in: account.project, restoring: email, at: now)
        }
        if let left {
            try records.withdrawRecoveryLinks(of: account, madeSince: left, at: now)
            try records.post(notice)
            return nil
        }
        try undo.store(in: records)
        return undo.issued
    }
}

extension CodeDrafts {
    /// Creates the mail to the previous address of an account.
    /// - Parameter new: the address that replaces `old`; nil if none does.
    func oldAddressNotice(to old: EmailAddress, changingTo new: EmailAddress?, for account: Account, in project: Project)
        -> OldAddressNotice
    {
        var purpose = CodePurpose(.recoverEmail, email: old, settings: ApprovedSettings(restoringAddressOf: account, in: project))
        purpose.newEmail = new
        return OldAddressNotice(
            undo: draft(purpose, for: account),
            notice: notice(.emailChanged, to: old, otherEmail: new, for: account, in: project))
    }
}
