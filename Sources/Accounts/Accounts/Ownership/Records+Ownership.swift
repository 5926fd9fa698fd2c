internal import Base

extension Records {
    /// Ends what an event ends of an account, and writes the account.
    ///
    /// - Parameters:
    ///   - account: the account with the change that the event is about. Its address is the one
    ///     that sign-in links may have been mailed to.
    ///   - moment: the moment since which parts count as later, for events that end such parts.
    /// - Returns: the account as written.
    func end(
        _ event: OwnershipEvent, of account: Account, since moment: Timestamp = Timestamp(milliseconds: 0), at now: Timestamp
    ) throws(ActionError) -> Account {
        var account = account
        let (id, project) = (account.id, account.project)
        for (part, extent) in event.ends {
            let since = extent == .later ? moment : Timestamp(milliseconds: 0)
            switch part {
            case .password:
                // One that was set in advance was never its owner's.
                if event.isOwnersFirst {
                    account.passwordUpdatedAt = nil
                } else if account.passwordHash != nil {
                    account.passwordUpdatedAt = now
                }
                (account.passwordHash, account.emailLinkSignIn) = (nil, false)
            case .sessions:
                account.endSessions(at: now)
                try deleteSessions(of: id, in: project)
            case .codes:
                // An invitation of another person does not end with what the account's user does.
                let invitesAnother = try invitesAnother(account)
                if !invitesAnother { try set(nil, of: account) }
                let ended = Action.allCases.filter { !$0.isUndo && !(invitesAnother && $0.setsPassword) }
                try withdrawCodes(of: id, in: project, for: ended, at: now)
                if let email = account.email { try withdrawCodes(to: email, in: project, for: .signIn, at: now) }
            case .undoLinks:
                try withdrawCodes(of: id, in: project, for: [.recoverEmail], at: now)
                try forgetProvedAddresses(of: id, in: project)
            case .factorUndoLinks: try withdrawCodes(of: id, in: project, for: [.revertSecondFactorAddition], at: now)
            case .providers: try deleteLinkedProviders(of: id, in: project, since: since)
            case .phone: if extent == .all || account.phoneLinkedAt.map({ $0 >= since }) ?? false { account.setPhoneNumber(nil, at: now) }
            case .factors: try deleteSecondFactors(of: id, in: project, since: since, sparingAdmins: extent == .usersOwn)
            case .networks: try forgetNetworks(of: id, in: project)
            case .name: if extent == .all || account.namedByAdminAt == nil { account.displayName = nil }
            case .profile: (account.photoURL, account.initialEmail) = (nil, nil)
            }
        }
        try update(account)
        return account
    }

    /// Gives an account another address, or none. The caller writes the account.
    /// - Parameter proved: whether the account has proved the address.
    func move(
        _ account: inout Account, to address: EmailAddress?, proved: Bool, at now: Timestamp
    ) throws(ActionError) {
        if account.email != address { try set(nil, of: account) }
        if account.emailVerified, let left = account.email, left != address || !proved {
            try unverify(left, of: account.id, in: account.project, at: now)
        }
        // Links that would add another first address.
        if account.email == nil { try withdrawCodes(of: account.id, in: account.project, for: [.verifyAndChangeEmail], at: now) }
        account.setAddress(address, verified: proved, at: now)
        if proved, let address { try prove(address, of: account.id, in: account.project, at: now) }
    }

    /// Frees an address for an account that gets it back: takes it from another account. Refuses
    /// `EMAIL_EXISTS` if that account is disabled, or if it has proved the address and its user
    /// did not allow it.
    /// - Parameter departure: the mail that undoes this for the other account, if its user allows
    ///   it.
    /// - Returns: the code of that mail, if it was stored.
    @discardableResult
    func takeBack(
        _ address: EmailAddress, for account: AccountID, in project: ProjectID, leavingBy departure: AddressDeparture? = nil,
        at now: Timestamp
    ) throws(ActionError) -> IssuedCode? {
        guard var other = try self.account(withEmail: address, in: project), other.id != account else { return nil }
        guard !other.disabled else { throw .refused(.emailExists) }
        let isProved = try provedAddresses(of: other)[address] != nil
        guard !isProved || departure?.account == other.id else { throw .refused(.emailExists) }
        try move(&other, to: nil, proved: false, at: now)
        other = try end(.credentialsChanged, of: other, at: now)
        return isProved ? try departure?.store(for: other, in: self) : nil
    }

    /// Posts a notice, if its recipient is an address that the account has proved: no other has to
    /// hear of the account (A1). One too many of a kind is left out (V13).
    func tell(_ notice: StoredMail?, about account: Account) throws(ActionError) {
        guard let notice, case .notice(let kind) = notice.kind, try provedAddresses(of: account)[notice.recipient] != nil,
            try isDue(kind, to: notice.recipientDigest, in: notice.project, at: notice.createdAt)
        else { return }
        try post(notice)
    }

    /// Whether a notice is not one too many of its kind for an address (V13).
    func isDue(
        _ kind: LetterKind.Notice, to recipient: Digest, in project: ProjectID, at now: Timestamp
    ) throws(ActionError) -> Bool {
        guard let pause = kind.pause else { return true }
        return try !hasMail(.notice(kind), to: recipient, in: project, since: now + (.zero - pause))
    }
}
