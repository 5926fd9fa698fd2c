internal import Base

/// Restores the address that an account had before a change.
///
/// The change may be an intruder's, who may know the password and may have added what can be used
/// to sign in. `OwnershipEvent.changeUndone` says what ends. Undo links of addresses that were
/// proved later end, too; older ones keep working, as each restores an earlier address.
///
/// The password ends as well, so a user on the page gets the code of a reset for the same visit.
struct RecoverEmail: PreparedEffect {
    private let departure: AddressDeparture?
    /// The departure of another account that has proved the address; nil unless the user takes it.
    private let rival: AddressDeparture?
    /// The mail to the restored address.
    private let notice: StoredMail
    private let passwordReset: CodeDrafts.Draft?

    init(_ context: EffectContext) throws(ActionError) {
        let (restored, project, drafts, client) = (context.code.email, context.project, context.drafts, context.client)
        departure = context.account.email.map {
            // The address may be an intruder's, who must not learn of the owner's device.
            drafts.departure(from: $0, to: restored, telling: .addressLeft, for: context.account, by: .admin, in: project)
        }
        notice = drafts.notice(.emailRestored, to: restored, for: context.account, by: client, in: project)
        rival =
            context.input.choice == .takeAddress
            ? context.findings.rival.map { drafts.departure(from: restored, to: nil, for: $0, by: client, in: project) } : nil
        if case .press = context.input, project.signIn.password, project.offersResetAfterUndo {
            var request = CodeRequest(.resetPassword, for: .address(restored), with: ApprovedSettings(in: project))
            request.mails = false
            request.language = context.code.language
            passwordReset = drafts.draft(request, to: restored, for: context.account)
        } else {
            passwordReset = nil
        }
    }

    func apply(_ code: StoredCode, in records: any Records, at now: Timestamp) throws(ActionError) -> AppliedEffect {
        var account = try records.openAccount(of: code)
        let undo = try records.takeBack(code.email, for: account.id, in: account.project, leavingBy: rival, at: now)
        try records.move(&account, to: code.email, proved: true, at: now)
        account = try records.end(.changeUndone, of: account, since: code.createdAt, at: now)
        records.note(.emailRestored, of: account)
        let issued = [undo, try departure?.store(for: account, in: records)].compactMap(\.self)
        try records.tell(notice, about: account)
        try passwordReset?.store(in: records)
        return AppliedEffect(email: account.email, issued: issued, passwordReset: passwordReset?.issued)
    }
}
