internal import Base

/// The account that an invitation is for.
public struct InvitedAccount: Sendable {
    public let id: AccountID
    /// The link to the choice of a password; nil if the account was left as it is.
    public let link: IssuedCode?
    /// Whether a mail was stored. None is for a returned link, and for a mailbox that does not
    /// exist, by what relays and providers reported.
    public let isMailed: Bool
}

extension Accounts {
    /// Invites the owner of an address for an admin: mails a link to the choice of a first
    /// password, for an account that is made unless it waits already.
    ///
    /// An account that someone has entered, or can, is left as it is, and its address gets a mail
    /// that says so (V12). An unproved address of an account that was another user's is passed on.
    ///
    /// Refuses `PASSWORD_LOGIN_DISABLED`, and `USER_DISABLED` for an account that is disabled.
    /// - Parameters:
    ///   - settings: where the person continues.
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
        let moment = now()
        let invitee = try await store.read { (records) throws(ActionError) in try records.invitee(at: email, in: project.id) }
        var account = invitee.waiting ?? Account(project: project.id, id: .random(random), createdAt: moment)
        if invitee.waiting == nil { account.setAddress(email, verified: false, at: moment) }
        if let displayName { (account.displayName, account.namedByAdminAt) = (displayName, moment) }
        account.language = language ?? account.language
        let (invited, link) = (account, drafts.draft(request, to: email, for: account))
        let page = settings.continueURL.map(\.url).flatMap { $0.isWeb ? $0 : nil } ?? project.homeURL
        let notice = invitee.member.map {
            drafts.notice(.alreadyMember, to: email, leadingTo: page?.serialized, for: $0, in: project)
        }
        let result = try await store.transaction { (records) throws(ActionError) -> InvitedAccount in
            guard try records.invitee(at: email, in: project.id) == invitee else { throw .tooSoon(retryAfter: .seconds(1)) }
            func isMailed(_ mail: StoredMail?) throws(ActionError) -> Bool { try mail.map(records.suppresses) == false }
            switch invitee {
            case .member(let member):
                guard mails, let notice else { return InvitedAccount(id: member.id, link: nil, isMailed: false) }
                try records.post(notice)
                return InvitedAccount(id: member.id, link: nil, isMailed: try isMailed(notice))
            case .waiting: try records.update(invited)
            case .stranger: try records.insert(invited)
            case .another(let former):
                try records.passOn(former, proved: try records.provedAddresses(of: former), now: moment)
                try records.insert(invited)
            }
            try link.store(in: records)
            try records.extendInvitation(of: invited, until: link.stored.expiresAt, at: moment, madeAccount: invitee.waiting == nil)
            return InvitedAccount(id: invited.id, link: link.issued, isMailed: try isMailed(link.mail))
        }
        if result.link != nil { drafts.observe(link.issued) }
        return result
    }

    /// Withdraws what an admin's invitation of an address gave: its links end, and so does the
    /// account if it was made for the invitation and no one has entered it.
    ///
    /// Refuses `USER_NOT_FOUND` if no invitation of the address waits.
    /// - Returns: the account.
    public func withdrawInvitation(of email: EmailAddress, in project: Project) async throws(ActionError) -> AccountID {
        let moment = now()
        return try await store.transaction { [erasure] (records) throws(ActionError) in
            guard let account = try records.account(withEmail: email, in: project.id),
                let invitation = try records.invitation(of: account)
            else { throw .refused(.userNotFound, detail: "No invitation of this address waits") }
            if invitation.madeAccount, try records.profile(of: account).isUntouched {
                try erasure.delete(account, from: records)
            } else {
                try records.withdrawCodes(of: account.id, in: project.id, for: [.resetPassword], at: moment)
                try records.set(nil, of: account)
            }
            return account.id
        }
    }
}

/// The account that has the address of an invitation.
private enum Invitee: Hashable {
    case stranger
    /// It waits for its owner: no one has entered it, or can.
    case waiting(Account)
    /// Its owner, or someone else, can enter it.
    case member(Account)
    /// It was another user's before it got the address, which it never proved.
    case another(Account)

    var waiting: Account? { if case .waiting(let account) = self { account } else { nil } }
    var member: Account? { if case .member(let account) = self { account } else { nil } }
}

extension Records {
    /// Refuses `USER_DISABLED`.
    fileprivate func invitee(at email: EmailAddress, in project: ProjectID) throws(ActionError) -> Invitee {
        guard let account = try account(withEmail: email, in: project) else { return .stranger }
        guard !account.disabled else { throw .refused(.userDisabled) }
        guard try !profile(of: account).isUntouched else { return .waiting(account) }
        let arrival = Arrival(by: .link, at: .init(account, proved: try provedAddresses(of: account)))
        return arrival == .passedOn ? .another(account) : .member(account)
    }

    fileprivate func extendInvitation(
        of account: Account, until expiresAt: Timestamp, at now: Timestamp, madeAccount: Bool
    ) throws(ActionError) {
        let former = try invitation(of: account)
        try set(
            Invitation(
                sentAt: now, expiresAt: max(expiresAt, former?.expiresAt ?? expiresAt), madeAccount: former?.madeAccount ?? madeAccount),
            of: account)
    }
}
