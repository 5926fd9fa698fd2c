internal import Base

extension Accounts {
    /// Changes an account.
    ///
    /// If the address changes or is removed, the old address is sent a link that undoes the change
    /// or, if an admin made the change, a notice. A new password ends all sessions, and a notice of
    /// it is mailed; a notice is also mailed if a second factor is removed.
    ///
    /// Refuses `USER_NOT_FOUND`, `PHONE_NUMBER_EXISTS`, `FEDERATED_USER_ID_ALREADY_LINKED`, what
    /// `takes` refuses for a new address, `OPERATION_NOT_ALLOWED` for the last sign-in method if
    /// the project keeps it, `EMAIL_CHANGE_NEEDS_VERIFICATION` for a user with a second factor, and
    /// the errors of `PasswordPolicy.check`.
    ///
    /// - Parameters:
    ///   - before: the account as the caller saw it. Refuses `TOKEN_EXPIRED` if that is outdated
    ///     (for example after a reset), unless the caller is an admin.
    ///   - byAdmin: whether an admin acts. A user may act by an admin's program.
    ///   - client: its device is named in the mails.
    ///   - mayRemoveLastSignIn: whether the caller may remove the last way to sign in. Refuses
    ///     `TOKEN_EXPIRED` if it is the last one only now, because another was removed since.
    public func update(
        _ before: Account, with change: AccountChange, mayRemoveLastSignIn: Bool = true, byAdmin: Bool = false, from client: Client,
        in project: Project
    ) async throws(ActionError) -> Accounts.Profile {
        let prepared = try await prepare(change, of: before, byAdmin: byAdmin, from: client, in: project)
        let moment = now()
        let (profile, undo) = try await store.transaction { (records) throws(ActionError) in
            guard var account = try records.account(before.id, in: project.id) else { throw ActionError.refused(.userNotFound) }
            guard byAdmin || account.isUnchanged(since: before) else { throw ActionError.refused(.tokenExpired) }
            if !byAdmin, change.removesMethods, change.removesLastSignIn(of: try records.profile(of: account), in: project) {
                guard !project.signIn.keepsLastMethod else {
                    throw ActionError.refused(
                        .operationNotAllowed, detail: "This is the last way to sign in to the account. Link another one first")
                }
                guard mayRemoveLastSignIn else { throw ActionError.refused(.tokenExpired) }
            }
            // First, because the other answer tells whether the address is taken.
            if !byAdmin, change.email != nil || change.deletesEmail { try records.requireNoSecondFactor(of: account) }
            if let email = change.email, !byAdmin { _ = try records.takes(email, as: .wished, account, in: project) }
            for notice in prepared.notices { try records.tell(notice, about: account) }
            if byAdmin, change.changesAddress(of: account) { account = try records.end(.addressSetByAdmin, of: account, at: moment) }
            try records.changeAddress(of: &account, by: change, byAdmin: byAdmin, at: moment)
            change.apply(to: &account, hash: prepared.hash, byAdmin: byAdmin, at: moment)
            try records.changeProviders(of: account, by: change, at: moment)
            // An admin says that someone has entered the account.
            if change.lastLoginAt != nil { try records.set(nil, of: account) }
            let asksForMore = try records.changeSecondFactors(of: account, by: change, byAdmin: byAdmin, at: moment)
            if change.disabled == true {
                account = try records.end(.disabled, of: account, at: moment)
            } else if change.endsSessions || asksForMore {
                account = try records.end(.credentialsChanged, of: account, at: moment)
            } else if change.deletesCredentials {
                account = try records.end(.methodRemoved, of: account, at: moment)
            } else {
                try records.update(account)
            }
            let undo = try prepared.departure?.store(for: account, in: records)
            return (try records.profile(of: account), undo)
        }
        if let undo { drafts.observe(undo) }
        return profile
    }

    private func prepare(
        _ change: AccountChange, of account: Account, byAdmin: Bool, from client: Client, in project: Project
    ) async throws(ActionError) -> PreparedChange {
        var prepared = PreparedChange()
        // Before a password is hashed.
        if let email = change.email, !byAdmin { try account.requireWish(for: email, in: project) }
        if let password = change.password {
            guard byAdmin || project.signIn.password else { throw .refused(.operationNotAllowed) }
            try project.passwordPolicy.check(password, words: account.words)
            prepared.hash = try await passwords.hash(password)
        }
        guard let old = account.email else { return prepared }
        var told = account
        if change.password != nil || change.deletesPassword { told.passwordHash = prepared.hash }
        if byAdmin, change.validSince != nil, !change.replacesCredentials, change.disabled != true {
            prepared.notices.append(drafts.notice(ifMailed: .sessionsEnded, to: old, for: told, by: client, in: project))
        }
        if let removed = try await nameOfMethodsToGo(by: change, from: account, in: project) {
            prepared.notices.append(
                drafts.notice(ifMailed: .providerRemoved, to: old, provider: removed, for: told, by: client, in: project))
        }
        if change.password != nil || change.deletesPassword {
            let kind: LetterKind.Notice =
                change.password == nil ? .passwordRemoved : account.passwordHash == nil ? .passwordAdded : .passwordChanged
            prepared.notices.append(drafts.notice(kind, to: old, for: told, by: client, in: project))
        }
        for factor in try await secondFactorsToGo(by: change, from: account) {
            prepared.notices.append(
                drafts.notice(ifMailed: .secondFactorRemoved, to: old, secondFactor: factor.shownName, for: told, by: client, in: project))
        }
        guard change.changesAddress(of: account) else { return prepared }
        if byAdmin {
            prepared.notices.append(drafts.notice(.emailChanged, to: old, otherEmail: change.email, for: account, by: client, in: project))
        } else {
            prepared.departure = drafts.departure(from: old, to: change.email, for: account, by: client, in: project)
        }
        return prepared
    }

    /// The names of the providers and the phone number that a change removes; nil for none.
    private func nameOfMethodsToGo(
        by change: AccountChange, from account: Account, in project: Project
    ) async throws(ActionError) -> String? {
        var names: [String] = []
        if !change.unlinks.isEmpty {
            let linked = try await store.read { (records) throws(ActionError) in
                try records.linkedProviders(of: account.id, in: account.project)
            }
            // One that is linked anew was not removed.
            names = linked.map(\.provider).filter { change.unlinks.contains($0) && change.link?.provider != $0 }
                .map(project.name(ofProvider:))
        }
        if change.deletesPhoneNumber, let number = account.phoneNumber { names.append(number.masked) }
        return names.isEmpty ? nil : names.joined(separator: " · ")
    }

    private func secondFactorsToGo(by change: AccountChange, from account: Account) async throws(ActionError) -> [SecondFactor] {
        guard change.changesFactors else { return [] }
        let factors = try await store.read { (records) throws(ActionError) in
            try records.secondFactors(of: account.id, in: account.project)
        }
        let wanted = change.secondFactors(of: factors)
        return factors.filter { factor in !wanted.contains { $0.hasSameKey(as: factor) } }
    }
}

/// The parts of a change that are slow and prepared before its transaction.
private struct PreparedChange: Sendable {
    var hash: String?
    var departure: AddressDeparture?
    var notices: [StoredMail?] = []
}

extension SecondFactor {
    /// Whether id, kind and phone number are equal; only the name may differ.
    fileprivate func hasSameKey(as other: SecondFactor) -> Bool {
        id == other.id && kind == other.kind && phoneNumber == other.phoneNumber
    }
}

extension Records {
    /// Gives the account the address of a change, or removes its own, and verifies it if an admin
    /// says so.
    fileprivate func changeAddress(
        of account: inout Account, by change: AccountChange, byAdmin: Bool, at now: Timestamp
    ) throws(ActionError) {
        let left = account.email
        if let email = change.email, email != left { try move(&account, to: email, proved: false, at: now) }
        if change.deletesEmail {
            try move(&account, to: nil, proved: false, at: now)
            if !byAdmin { account.removedEmail = left }
        }
        if let isVerified = change.emailVerified { try move(&account, to: account.email, proved: isVerified, at: now) }
    }

    fileprivate func changeProviders(of account: Account, by change: AccountChange, at now: Timestamp) throws(ActionError) {
        // A client may name any number of providers.
        let linked =
            change.unlinks.isEmpty && change.link == nil ? [] : try linkedProviders(of: account.id, in: account.project)
        for provider in change.unlinks.intersection(linked.map(\.provider)) {
            try deleteLinkedProvider(provider, of: account.id, in: account.project)
        }
        if let link = change.link { try insert(stated: link, of: account, after: linked, at: now) }
    }

    /// Refuses `EMAIL_CHANGE_NEEDS_VERIFICATION` for an account with a second factor. Its address
    /// has to be verified: it gets the notices of changes and lets the owner regain the account.
    fileprivate func requireNoSecondFactor(of account: Account) throws(ActionError) {
        guard try secondFactors(of: account.id, in: account.project).isEmpty else { throw .refused(.emailChangeNeedsVerification) }
    }

    /// Replaces the second factors, or removes one, if the change does. An admin's change is final:
    /// links that would remove a factor are withdrawn. They stay after a user's change, because the
    /// user may be an intruder.
    /// - Returns: whether a factor was added, or has another phone number than before. Existing
    ///   sessions then lack a second factor (S7).
    fileprivate func changeSecondFactors(
        of account: Account, by change: AccountChange, byAdmin: Bool, at now: Timestamp
    ) throws(ActionError) -> Bool {
        guard change.changesFactors else { return false }
        let present = try secondFactors(of: account.id, in: account.project)
        let wanted = change.secondFactors(of: present)
        for factor in present where !wanted.contains(factor) {
            _ = try deleteSecondFactor(factor.id, of: account.id, in: account.project)
        }
        for factor in wanted where !present.contains(factor) {
            try insert(factor, of: account.id, in: account.project, byAdmin: byAdmin)
        }
        try orderSecondFactors(wanted.map(\.id), of: account.id, in: account.project)
        if byAdmin {
            try withdrawCodes(of: account.id, in: account.project, for: [.revertSecondFactorAddition], at: now)
        }
        return wanted.contains { factor in !present.contains { $0.hasSameKey(as: factor) } }
    }
}
