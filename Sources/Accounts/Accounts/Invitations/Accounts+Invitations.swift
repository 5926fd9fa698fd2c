internal import Base

/// The account that an invitation is for.
public struct InvitedAccount: Sendable {
    public let id: AccountID
    /// The link to the choice of a password; nil if the account was left as it is.
    public let link: IssuedCode?
    /// Whether a mail was stored. None is for a returned link, and for a suppressed address.
    public let isMailed: Bool
}

extension Accounts {
    /// Invites the owner of an address for an admin: mails a link to the choice of a first
    /// password, for an account that is made unless it waits already.
    ///
    /// An account that someone has entered, or can, is left as it is, and its address gets a mail
    /// that says so (V12). If it was another user's before it got the address, and never proved it,
    /// the press makes a new account and passes the address on.
    ///
    /// Refuses `PASSWORD_LOGIN_DISABLED`, and `USER_DISABLED` for an account that is disabled.
    /// - Parameters:
    ///   - settings: where the person continues.
    ///   - language: nil: that of the account, or of the project.
    ///   - mails: whether the link is mailed, and not only returned.
    public func invite(
        _ email: EmailAddress, named displayName: String? = nil, with settings: ApprovedSettings, in language: String? = nil,
        mails: Bool = true, apiKey: String? = nil
    ) async throws(ActionError) -> InvitedAccount {
        let project = settings.project
        guard project.signIn.password else {
            throw .refused(
                .passwordLoginDisabled, detail: "An invitation asks for a password, and passwords are switched off for this project")
        }
        var request = CodeRequest(.resetPassword, for: .address(email), with: settings)
        (request.invites, request.isByAdmin, request.mails) = (true, true, mails)
        (request.language, request.apiKey) = (language, apiKey)
        // Someone may enter the account, or take the address, just now.
        for _ in 1...3 {
            let invitee = try await store.read { (records) throws(ActionError) in try records.invitee(at: email, in: project) }
            if let invited = try await invite(invitee, at: email, named: displayName, request) { return invited }
        }
        throw .tooSoon(retryAfter: .seconds(1))
    }

    /// - Returns: nil if the account has changed since it was read.
    private func invite(
        _ invitee: Invitee, at email: EmailAddress, named displayName: String?, _ request: CodeRequest
    ) async throws(ActionError) -> InvitedAccount? {
        let (project, moment) = (request.project, now())
        if case .member(let member, let waysIn) = invitee {
            let page = request.settings.continueURL.map(\.url).flatMap { $0.isWeb ? $0 : nil }
            let notice = drafts.notice(
                .alreadyMember, to: email, provider: waysIn.names.isEmpty ? nil : waysIn.names.joined(separator: " · "), leadingTo: page,
                language: request.language, for: member, by: request.client, in: project)
            return try await store.transaction { (records) throws(ActionError) -> InvitedAccount in
                if request.mails { try records.post(notice) }
                let isSuppressed = try records.suppresses(notice)
                return InvitedAccount(id: member.id, link: nil, isMailed: request.mails && !isSuppressed)
            }
        }
        if case .anothers(let holder) = invitee { return try await invite(at: email, heldBy: holder, named: displayName, request) }
        var account = invitee.waiting ?? Account(project: project.id, id: .random(random), createdAt: moment)
        if invitee.waiting == nil { account.setAddress(email, verified: false, at: moment) }
        if let displayName { (account.displayName, account.namedByAdminAt) = (displayName, moment) }
        account.language = request.language ?? account.language
        let (invited, link) = (account, drafts.draft(request, to: email, for: account))
        let result = try await store.transaction { (records) throws(ActionError) -> InvitedAccount? in
            guard try records.invitee(at: email, in: project) == invitee else { return nil }
            if invitee.waiting == nil { try records.insert(invited) } else { try records.update(invited) }
            try link.store(in: records)
            try records.extendInvitation(of: invited, until: link.stored.expiresAt, at: moment, madeAccount: invitee.waiting == nil)
            return InvitedAccount(id: invited.id, link: link.issued, isMailed: try link.mail.map(records.suppresses) == false)
        }
        if result != nil { drafts.observe(link.issued) }
        return result
    }

    /// Invites the owner of an address that an account of another user has, who never proved it.
    /// - Returns: nil if that account has changed since it was read.
    private func invite(
        at email: EmailAddress, heldBy holder: Account, named displayName: String?, _ request: CodeRequest
    ) async throws(ActionError) -> InvitedAccount? {
        let (project, moment, id) = (request.project, now(), AccountID.random(random))
        var addressee = holder
        (addressee.displayName, addressee.language) = (displayName, request.language)
        (addressee.passwordHash, addressee.passwordUpdatedAt) = (nil, nil)
        let link = drafts.draft(request, to: email, for: addressee)
        let result = try await store.transaction { (records) throws(ActionError) -> InvitedAccount? in
            guard try records.invitee(at: email, in: project) == .anothers(holder) else { return nil }
            try link.store(in: records)
            let former = try records.invitation(of: holder)?.newcomer
            let newcomer = Invitation.Newcomer(id: former?.id ?? id, displayName: displayName ?? former?.displayName)
            try records.extendInvitation(
                of: holder, until: link.stored.expiresAt, at: moment, madeAccount: false, newcomer: newcomer)
            return InvitedAccount(id: newcomer.id, link: link.issued, isMailed: try link.mail.map(records.suppresses) == false)
        }
        if result != nil { drafts.observe(link.issued) }
        return result
    }

    /// Withdraws what an admin's invitation of an address gave: its links end, and so does the
    /// account if it was made for the invitation and no one has entered it. Links to a new password
    /// end in any case.
    ///
    /// Refuses `USER_NOT_FOUND` if no invitation of the address waits.
    /// - Returns: the account, and whether it was deleted.
    public func withdrawInvitation(
        of email: EmailAddress, in project: Project
    ) async throws(ActionError) -> (account: AccountID, isDeleted: Bool) {
        let moment = now()
        let withdrawn = try await store.transaction { [erasure] (records) throws(ActionError) -> (AccountID, Bool)? in
            guard let account = try records.account(withEmail: email, in: project.id) else { return nil }
            let invitation = try records.invitation(of: account)
            if invitation?.madeAccount == true, try records.profile(of: account).isUntouched {
                try erasure.delete(account, from: records)
                return (account.id, true)
            }
            try records.withdrawCodes(of: account.id, in: project.id, for: [.resetPassword], at: moment)
            try records.set(nil, of: account)
            return invitation.map { ($0.newcomer?.id ?? account.id, false) }
        }
        // Thrown outside of the transaction, because a throw inside would leave the links.
        guard let withdrawn else { throw .refused(.userNotFound, detail: "No invitation of this address waits") }
        return withdrawn
    }
}

/// The account that has the address of an invitation.
private enum Invitee: Hashable {
    case stranger
    /// It waits for its owner: no one has entered it, or can.
    case waiting(Account)
    /// It was another user's before it got the address, and has not proved it.
    case anothers(Account)
    /// Its owner, or someone else, can enter it.
    case member(Account, WaysIn)

    var waiting: Account? { if case .waiting(let account) = self { account } else { nil } }
}

extension Records {
    /// Refuses `USER_DISABLED`.
    fileprivate func invitee(at email: EmailAddress, in project: Project) throws(ActionError) -> Invitee {
        guard let account = try account(withEmail: email, in: project.id) else { return .stranger }
        guard !account.disabled else { throw .refused(.userDisabled, detail: "Enable the account first") }
        guard try !profile(of: account).isUntouched else { return .waiting(account) }
        let facts = Arrival.Facts(account, proved: try provedAddresses(of: account))
        return facts.wasAnothers ? .anothers(account) : .member(account, try waysIn(to: account, in: project))
    }

    fileprivate func extendInvitation(
        of account: Account, until expiresAt: Timestamp, at now: Timestamp, madeAccount: Bool, newcomer: Invitation.Newcomer? = nil
    ) throws(ActionError) {
        let former = try invitation(of: account)
        try set(
            Invitation(
                sentAt: now, expiresAt: max(expiresAt, former?.expiresAt ?? expiresAt), madeAccount: former?.madeAccount ?? madeAccount,
                newcomer: newcomer),
            of: account)
    }
}
