/// The mail to an address that an account leaves, prepared before the transaction of the change: a
/// link that undoes the change, or a notice without a link if the link would serve an intruder.
struct AddressDeparture: Sendable {
    private let undo: CodeDrafts.Draft
    private let notice: StoredMail

    /// The account that leaves the address.
    var account: AccountID? { undo.stored.account }

    /// Stores the undo code with its mail.
    ///
    /// An address that the account never proved gets nothing (A1). If the account goes back, with
    /// proof, to an address that it proved before the one that it leaves, the change is itself an
    /// undo, and only the notice is stored.
    /// - Parameter account: the account after the change.
    /// - Returns: the undo code, if it was stored.
    func store(for account: Account, in records: any Records) throws(ActionError) -> IssuedCode? {
        let proved = try records.provedAddresses(of: account)
        guard let left = proved[undo.stored.email], left.email != account.email else { return nil }
        if account.emailVerified, let back = proved[account.email], back.provedAt < left.provedAt {
            try records.post(notice)
            try records.forgetProvedAddress(left.email, of: account.id, in: account.project)
            return nil
        }
        try undo.store(in: records)
        return undo.issued
    }

    fileprivate init(undo: CodeDrafts.Draft, notice: StoredMail) { (self.undo, self.notice) = (undo, notice) }
}

extension CodeDrafts {
    /// Prepares the mail to an address that an account leaves.
    /// - Parameters:
    ///   - new: the address that replaces `old`; nil if none does.
    ///   - kind: the notice in place of a link.
    func departure(
        from old: EmailAddress, to new: EmailAddress?, telling kind: LetterKind.Notice = .emailChanged, for account: Account,
        by client: Client, in project: Project
    ) -> AddressDeparture {
        var request = CodeRequest(.recoverEmail, for: .address(old), with: ApprovedSettings(in: project))
        (request.newEmail, request.client) = (new, client)
        return AddressDeparture(
            undo: draft(request, to: old, for: account),
            notice: notice(kind, to: old, otherEmail: new, for: account, by: client, in: project))
    }
}
