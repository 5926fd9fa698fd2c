internal import Base

/// The result of signing in by a link.
public struct LinkSignIn: Sendable {
    public let account: Account
    /// Whether the sign-in created the account.
    public let isNew: Bool
}

extension PendingAction {
    /// The address that signing in with this code gives to an account that does not have it.
    func addressGiven(to account: Account) -> EmailAddress? {
        guard let code = try? stored().code else { return nil }
        return account.email == code.email ? nil : code.email
    }
}

extension Accounts {
    /// Signs in by a link, or gives the account of a user the link's address. Refuses
    /// `CREDENTIAL_TOO_OLD_LOGIN_AGAIN`, `ADMIN_ONLY_OPERATION` for an address that may have no
    /// account, and what `signIn` of an account refuses.
    public func signIn(
        by pending: PendingAction, as email: EmailAddress?, for user: SignedInUser?, from client: Client
    ) async throws(ActionError) -> (LinkSignIn, FirstFactorResult) {
        if let user, let address = pending.addressGiven(to: user.account) {
            try requireRecentSignIn(toLink: user)
            try pending.project.requireAddition(of: address, by: user)
        }
        let (link, step) = try await observingUse(of: .signIn) { () throws(ActionError) in
            // A client that only found the link has to guess the address.
            try await counted(by: [.code], from: client, in: pending.project) { () throws(ActionError) in
                try await spend(pending, as: email, for: user, from: client)
            }
        }
        return (link, try await result(of: step))
    }

    /// Spends a sign-in code and opens the session, in one transaction. A user without a session
    /// comes from outside to the account of the code's address (`Arrival`), or gets a new one.
    /// Otherwise the address replaces that of the user's account, and the previous address is
    /// notified.
    ///
    /// Refuses `INVALID_OOB_CODE`, `EXPIRED_OOB_CODE`, `INVALID_EMAIL` if the address differs from
    /// the link's, `USER_DISABLED`, and `EMAIL_EXISTS` if the address to link belongs to another
    /// account. A refusal does not spend the code.
    private func spend(
        _ pending: PendingAction, as email: EmailAddress?, for user: SignedInUser?, from client: Client
    ) async throws(ActionError) -> (LinkSignIn, FirstStep) {
        let asked = try pending.stored().code
        guard asked.action.isAppliedByApp else { throw .refused(.invalidOobCode) }
        guard email == asked.email else {
            throw .refused(.invalidEmail, detail: "The email provided does not match the sign-in email address.")
        }
        let (linked, moment) = (user?.account, now())
        let opening = SessionOpening(
            provider: .password, factor: user?.secondFactor, claims: user?.claims, client: user == nil ? client : .admin,
            project: pending.project, moment: moment)
        let departure = linked.flatMap { linked in
            linked.email.map { drafts.departure(from: $0, to: asked.email, for: linked, by: client, in: pending.project) }
        }
        var fresh = Account(project: asked.project, id: .random(random), createdAt: moment)
        fresh.setAddress(asked.email, verified: true, at: moment)
        let project = pending.project
        let (new, mayCreate) = (fresh, project.refusal(ofSignUpWith: asked.email) == nil)
        let (link, undo, step) = try await store.transaction { (records) throws(ActionError) -> (LinkSignIn, IssuedCode?, FirstStep) in
            let code = try records.spend(asked, at: moment)
            let done: (LinkSignIn, IssuedCode?)
            if let linked {
                let account = try records.link(code, to: linked, in: project, at: moment)
                done = (LinkSignIn(account: account, isNew: false), try departure?.store(for: account, in: records))
            } else {
                done = (try records.signIn(by: code, creating: new, ifAllowed: mayCreate, at: moment), nil)
            }
            records.note(.signedInByLink, of: done.0.account)
            try records.withdrawOthers(like: code, at: moment)
            let step =
                if let user { FirstStep.opened(try open(opening, replacing: user, for: done.0.account, in: records)) } else {
                    try firstStep(opening, for: done.0.account, in: records)
                }
            return (done.0, done.1, step)
        }
        if let undo { drafts.observe(undo) }
        return (link, step)
    }
}

extension Records {
    /// Lets the owner of a mailbox in by a sign-in link. One factor alone changes nothing of an
    /// account with two.
    fileprivate func signIn(
        by code: StoredCode, creating fresh: Account, ifAllowed mayCreate: Bool, at now: Timestamp
    ) throws(ActionError) -> LinkSignIn {
        func create(_ invited: Account? = nil) throws(ActionError) -> LinkSignIn {
            guard mayCreate || invited != nil else { throw .refused(.adminOnlyOperation) }
            var new = invited ?? fresh
            new.emailLinkSignIn = true
            try insert(new)
            return LinkSignIn(account: new, isNew: true)
        }
        guard var account = try account(withEmail: code.email, in: code.project) else { return try create() }
        guard !account.disabled else { throw .refused(.userDisabled) }
        let proved = try provedAddresses(of: account)
        let arrival = Arrival(by: .link, at: .init(account, proved: proved))
        if arrival == .passedOn {
            let invited = try newcomersAccount(at: account, or: fresh.id, at: now)
            try passOn(account, proved: proved, now: now)
            return try create(invited)
        }
        if arrival == .joins, try !secondFactors(of: account.id, in: account.project).isEmpty {
            return LinkSignIn(account: account, isNew: false)
        }
        account = try settle(arrival, by: .link, at: account, proved: proved, now: now)
        account.emailLinkSignIn = true
        try update(account)
        return LinkSignIn(account: account, isNew: false)
    }

    /// Gives the address of a sign-in link to an account that is signed in.
    fileprivate func link(_ code: StoredCode, to seen: Account, in project: Project, at now: Timestamp) throws(ActionError) -> Account {
        guard var account = try account(seen.id, in: code.project) else { throw .refused(.userNotFound) }
        guard account.isUnchanged(since: seen) else { throw .refused(.tokenExpired) }
        _ = try takes(code.email, as: .proved, account, in: project)
        let isReplaced = account.email != nil && account.email != code.email
        try move(&account, to: code.email, proved: true, at: now)
        account.emailLinkSignIn = true
        if isReplaced { return try end(.credentialsChanged, of: account, at: now) }
        try update(account)
        return account
    }
}
