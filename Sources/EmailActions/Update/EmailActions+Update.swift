public import Accounts

extension EmailActions {
    /// Changes an account.
    ///
    /// If the address changes or is removed, the old address is sent a link that undoes the change
    /// or, if an admin made the change, a notice. A new password ends all sessions, and a notice of
    /// it is mailed; a notice is also mailed if a second factor is removed.
    ///
    /// Refuses `USER_NOT_FOUND`, `EMAIL_EXISTS`, `PHONE_NUMBER_EXISTS`,
    /// `FEDERATED_USER_ID_ALREADY_LINKED`, `OPERATION_NOT_ALLOWED` for the last sign-in method if
    /// the project keeps it, `EMAIL_CHANGE_NEEDS_VERIFICATION` for a user with a second factor, and
    /// the errors of `PasswordPolicy.check`.
    ///
    /// - Parameters:
    ///   - before: the account as the caller saw it. Refuses `TOKEN_EXPIRED` if that is outdated
    ///     (for example after a reset), unless the caller is an admin.
    ///   - mayStrand: whether the caller may remove the last way to sign in. Refuses
    ///     `TOKEN_EXPIRED` if it is the last one only now, because another was removed meanwhile.
    public func update(
        _ before: Account, with change: AccountChange, mayStrand: Bool = true, byAdmin: Bool = false, in project: Project
    ) async throws(ActionError) -> Accounts.Profile {
        let prepared = try await prepare(change, of: before, byAdmin: byAdmin, in: project)
        let moment = now()
        let (profile, undo) = try await store.transaction { (records: any ActionRecords) throws(ActionError) in
            guard var account = try records.account(before.id, in: project.id) else { throw ActionError.refused(.userNotFound) }
            guard byAdmin || account.isUnchanged(since: before) else { throw ActionError.refused(.tokenExpired) }
            if !byAdmin, change.removesMethods, change.strands(try records.profile(of: account), in: project) {
                guard !project.signIn.keepsLastMethod else {
                    throw ActionError.refused(
                        .operationNotAllowed, detail: "This is the last way to sign in to the account. Link another one first")
                }
                guard mayStrand else { throw ActionError.refused(.tokenExpired) }
            }
            if !byAdmin, change.email != nil || change.deletesEmail { try records.requireNoSecondFactor(of: account) }
            let left = account.email
            change.apply(to: &account, hash: prepared.hash, at: moment)
            try records.changeProviders(of: account, by: change)
            let asksForMore = try records.changeSecondFactors(of: account, by: change, byAdmin: byAdmin, at: moment)
            if change.endsSessions || asksForMore {
                account = try records.updateEndingSessions(account, at: moment)
            } else {
                try records.update(account)
                if change.deletesCredentials { try records.withdrawOrdinaryCodes(of: before, at: moment) }
            }
            if change.disabled == true { try records.withdrawAllCodes(of: account, at: moment) }
            // This is not compared with the address that the admin saw: if the address was changed
            // meanwhile, its owner must still be able to restore it.
            if byAdmin, account.email != left {
                try records.withdrawRecoveryLinks(of: account, madeSince: Timestamp(milliseconds: 0), at: moment)
            }
            let undo = try prepared.oldAddressNotice?.store(for: account, in: records, at: moment)
            for notice in prepared.notices { try records.post(notice) }
            return (try records.profile(of: account), undo)
        }
        if let undo { drafts.observe(undo) }
        return profile
    }

    private func prepare(
        _ change: AccountChange, of account: Account, byAdmin: Bool, in project: Project
    ) async throws(ActionError) -> PreparedChange {
        var prepared = PreparedChange()
        if let password = change.password {
            guard byAdmin || project.signIn.password else { throw .refused(.operationNotAllowed) }
            try project.passwordPolicy.check(password, words: account.words + [project.displayName])
            prepared.hash = try await passwords.hash(password)
        }
        guard let old = account.email else { return prepared }
        if change.password != nil || change.deletesPassword {
            prepared.notices.append(drafts.notice(.passwordChanged, to: old, for: account, in: project))
        }
        for factor in try await secondFactorsToGo(by: change, from: account) {
            prepared.notices.append(
                drafts.notice(.secondFactorRemoved, to: old, secondFactor: factor.shownName, for: account, in: project))
        }
        guard change.deletesEmail || change.email.map({ $0 != old }) ?? false else { return prepared }
        if byAdmin {
            prepared.notices.append(drafts.notice(.emailChanged, to: old, otherEmail: change.email, for: account, in: project))
        } else {
            prepared.oldAddressNotice = drafts.oldAddressNotice(to: old, changingTo: change.email, for: account, in: project)
        }
        return prepared
    }

    private func secondFactorsToGo(by change: AccountChange, from account: Account) async throws(ActionError) -> [SecondFactor] {
        guard let wanted = change.secondFactors else { return [] }
        let factors = try await store.read { (records: any ActionRecords) throws(ActionError) in
            try records.secondFactors(of: account.id, in: account.project)
        }
        return factors.filter { factor in !wanted.contains { $0.hasSameKey(as: factor) } }
    }
}

/// The parts of a change that are slow and prepared before its transaction.
private struct PreparedChange: Sendable {
    var hash: String?
    var oldAddressNotice: OldAddressNotice?
    var notices: [StoredMail] = []
}

extension SecondFactor {
    /// Whether id, kind and phone number are equal; only the name may differ.
    fileprivate func hasSameKey(as other: SecondFactor) -> Bool {
        id == other.id && kind == other.kind && phoneNumber == other.phoneNumber
    }
}

extension ActionRecords {
    fileprivate func changeProviders(of account: Account, by change: AccountChange) throws(ActionError) {
        // A client may name any number of providers.
        let linked = change.unlinks.isEmpty ? [] : try linkedProviders(of: account.id, in: account.project).map(\.provider)
        for provider in change.unlinks.intersection(linked) {
            try deleteLinkedProvider(provider, of: account.id, in: account.project)
        }
        if let link = change.link { try insert(link, of: account.id, in: account.project) }
    }

    /// Refuses `EMAIL_CHANGE_NEEDS_VERIFICATION` for an account with a second factor: the address
    /// that is told of its changes, and by which the owner gets it back, has to be verified.
    fileprivate func requireNoSecondFactor(of account: Account) throws(ActionError) {
        guard try secondFactors(of: account.id, in: account.project).isEmpty else { throw .refused(.emailChangeNeedsVerification) }
    }

    /// Replaces the second factors. An admin's change is final: links that would remove a factor
    /// are withdrawn. They stay after a user's change, because the user may be an intruder.
    /// - Returns: whether a factor was added. Existing sessions then lack a second factor (S7).
    fileprivate func changeSecondFactors(
        of account: Account, by change: AccountChange, byAdmin: Bool, at now: Timestamp
    ) throws(ActionError) -> Bool {
        guard let wanted = change.secondFactors else { return false }
        let present = try secondFactors(of: account.id, in: account.project)
        for factor in present where !wanted.contains(factor) {
            _ = try deleteSecondFactor(factor.id, of: account.id, in: account.project)
        }
        for factor in wanted where !present.contains(factor) { try insert(factor, of: account.id, in: account.project) }
        try orderSecondFactors(wanted.map(\.id), of: account.id, in: account.project)
        if byAdmin {
            try withdrawCodes(
                of: account.id, in: account.project, for: [.revertSecondFactorAddition], madeSince: Timestamp(milliseconds: 0), at: now)
        }
        return wanted.contains { factor in !present.contains { $0.hasSameKey(as: factor) } }
    }
}
