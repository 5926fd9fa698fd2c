package import Accounts

extension EmailActions {
    /// Changes an account. A new address, or none, is told to the old one: with a link that takes it back, or, when an admin did it,
    /// as a notice. A new password ends all sessions and is told, too; so is a second step that goes. Refuses `USER_NOT_FOUND`,
    /// `EMAIL_EXISTS`, `PHONE_NUMBER_EXISTS`, `FEDERATED_USER_ID_ALREADY_LINKED` and what `PasswordPolicy.check` refuses.
    ///
    /// - Parameter before: the account as the caller saw it. Refuses `TOKEN_EXPIRED` when that does not count any more (a reset came
    ///   between), unless an admin speaks.
    package func update(
        _ before: Account, with change: AccountChange, byAdmin: Bool = false, in project: Project
    ) async throws(ActionError) -> Accounts.Profile {
        let prepared = try await prepare(change, of: before, byAdmin: byAdmin, in: project)
        let moment = now()
        let (profile, undo) = try await store.transaction { (records: any ActionRecords) throws(ActionError) in
            guard var account = try records.account(before.id, in: project.id) else { throw ActionError.refused(.userNotFound) }
            guard byAdmin || account.isUnchanged(since: before) else { throw ActionError.refused(.tokenExpired) }
            let left = account.email
            change.apply(to: &account, hash: prepared.hash, at: moment)
            try records.changeProviders(of: account, by: change)
            let asksForMore = try records.changeSecondFactors(of: account, by: change, at: moment)
            if change.endsSessions || asksForMore {
                account = try records.updateEndingSessions(account, at: moment)
            } else {
                try records.update(account)
                if change.deletesCredentials { try records.withdrawOrdinaryCodes(of: before, at: moment) }
            }
            if change.disabled == true { try records.withdrawAllCodes(of: account, at: moment) }
            // Not as the admin saw it: an address that somebody changed meanwhile is still the owner's to take back.
            if byAdmin, account.email != left {
                try records.withdrawUndoLinks(of: account, madeSince: Timestamp(milliseconds: 0), at: moment)
            }
            let undo = try prepared.oldAddressNotice?.store(for: account, in: records, at: moment)
            for notice in prepared.notices { try records.insert(notice) }
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
            prepared.notices.append(try drafts.notice(.passwordChanged, to: old, for: account, in: project))
        }
        for factor in try await secondFactorsToGo(by: change, from: account) {
            let name = factor.displayName ?? factor.phoneNumber
            prepared.notices.append(try drafts.notice(.secondFactorRemoved, to: old, secondFactor: name, for: account, in: project))
        }
        guard change.deletesEmail || change.email.map({ $0 != old }) ?? false else { return prepared }
        if byAdmin {
            prepared.notices.append(try drafts.notice(.emailChanged, to: old, otherEmail: change.email, for: account, in: project))
        } else {
            prepared.oldAddressNotice = try drafts.oldAddressNotice(to: old, changingTo: change.email, for: account, in: project)
        }
        return prepared
    }

    private func secondFactorsToGo(by change: AccountChange, from account: Account) async throws(ActionError) -> [SecondFactor] {
        guard let wanted = change.secondFactors else { return [] }
        let factors = try await store.read { (records: any ActionRecords) throws(ActionError) in
            try records.secondFactors(of: account.id, in: account.project)
        }
        return factors.filter { factor in !wanted.contains { $0.isSameStep(as: factor) } }
    }
}

/// The slow parts of a change, done before its transaction.
private struct PreparedChange: Sendable {
    var hash: String?
    var oldAddressNotice: OldAddressNotice?
    var notices: [StoredMail] = []
}

extension SecondFactor {
    /// Whether only its name differs, if anything.
    fileprivate func isSameStep(as other: SecondFactor) -> Bool {
        id == other.id && kind == other.kind && phoneNumber == other.phoneNumber
    }
}

extension ActionRecords {
    fileprivate func changeProviders(of account: Account, by change: AccountChange) throws(ActionError) {
        for provider in change.unlinks { try deleteLinkedProvider(provider, of: account.id, in: account.project) }
        if let link = change.link { try insert(link, of: account.id, in: account.project) }
    }

    /// An admin's word is the last: links that would take a step off again end. Returns whether there is a step that was not there:
    /// then every session has one too few (S7).
    fileprivate func changeSecondFactors(of account: Account, by change: AccountChange, at now: Timestamp) throws(ActionError) -> Bool {
        guard let wanted = change.secondFactors else { return false }
        let present = try secondFactors(of: account.id, in: account.project)
        for factor in present where !wanted.contains(factor) {
            _ = try deleteSecondFactor(factor.id, of: account.id, in: account.project)
        }
        for factor in wanted where !present.contains(factor) { try insert(factor, of: account.id, in: account.project) }
        try withdrawCodes(
            of: account.id, in: account.project, for: [.revertSecondFactorAddition], madeSince: Timestamp(milliseconds: 0), at: now)
        return wanted.contains { factor in !present.contains { $0.isSameStep(as: factor) } }
    }
}
