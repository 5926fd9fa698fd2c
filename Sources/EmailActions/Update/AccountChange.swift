package import Accounts

/// What `accounts:update` may change, by the account itself or by an admin. Nil: left as it is.
package struct AccountChange: Sendable {
    package var email: EmailAddress?
    package var password: String?
    package var displayName: Change<String>?
    package var photoURL: Change<String>?
    package var deletesEmail = false
    package var deletesPassword = false
    // By an admin only.
    package var emailVerified: Bool?
    package var disabled: Bool?
    package var validSince: Timestamp?
    package var customAttributes: Change<String>?

    /// A new value, or none at all.
    package enum Change<Value: Sendable>: Sendable {
        case set(Value)
        case clear

        var value: Value? {
            switch self {
            case .set(let value): value
            case .clear: nil
            }
        }
    }

    package init() {}
}

extension EmailActions {
    /// Changes an account. A new address, or none, is told to the old one: with a link that takes it back, or, when an admin did it,
    /// as a notice. A new password ends all sessions and is told, too. Refuses `USER_NOT_FOUND`, `EMAIL_EXISTS`, `WEAK_PASSWORD`.
    ///
    /// - Parameter before: the account as the caller saw it. Refuses `TOKEN_EXPIRED` when that does not count any more (a reset came
    ///   between), unless an admin speaks.
    package func update(
        _ before: Account, with change: AccountChange, byAdmin: Bool = false, in project: Project
    ) async throws(ActionError) -> Account {
        let prepared = try await prepare(change, of: before, byAdmin: byAdmin, in: project)
        let moment = now()
        let (account, undo) = try await store.transaction { (records: any ActionRecords) throws(ActionError) in
            guard var account = try records.account(before.id, in: project.id) else { throw ActionError.refused(.userNotFound) }
            guard byAdmin || account.stillStands(as: before) else { throw ActionError.refused(.tokenExpired) }
            prepared.apply(change, to: &account, at: moment)
            try records.update(account)
            if prepared.endsSessions(change) {
                try records.deleteSessions(of: account.id, in: project.id)
                try records.withdrawOrdinaryCodes(of: account, at: moment)
            }
            if change.disabled == true { try records.withdrawAllCodes(of: account, at: moment) }
            if byAdmin, account.email != before.email {
                try records.withdrawUndoLinks(of: account, madeSince: Timestamp(milliseconds: 0), at: moment)
            }
            let undo = try prepared.farewell?.say(for: account, in: records, at: moment)
            for notice in prepared.notices { try records.insert(notice) }
            return (account, undo)
        }
        if let undo { post.observe(undo) }
        return account
    }

    private func prepare(
        _ change: AccountChange, of account: Account, byAdmin: Bool, in project: Project
    ) async throws(ActionError) -> PreparedChange {
        var prepared = PreparedChange()
        if let password = change.password {
            guard byAdmin || project.signIn.password else { throw .refused(.operationNotAllowed) }
            let policy = project.passwordPolicy
            if let objection = policy.objection(to: password, words: account.words + [project.displayName]) {
                throw policy.refusal(for: objection)
            }
            prepared.hash = try await passwords.hash(password)
        }
        guard let old = account.email else { return prepared }
        if change.password != nil || change.deletesPassword {
            prepared.notices.append(try post.notice(.passwordChanged, to: old, for: account, in: project))
        }
        guard change.deletesEmail || change.email.map({ $0 != old }) ?? false else { return prepared }
        if byAdmin {
            prepared.notices.append(try post.notice(.emailChanged, to: old, otherEmail: change.email, for: account, in: project))
        } else {
            prepared.farewell = try post.farewell(to: old, changingTo: change.email, for: account, in: project)
        }
        return prepared
    }
}

/// The slow parts of a change, done before its transaction.
private struct PreparedChange: Sendable {
    var hash: String?
    var farewell: Farewell?
    var notices: [StoredMail] = []

    func apply(_ change: AccountChange, to account: inout Account, at now: Timestamp) {
        if let hash {
            account.passwordHash = hash
            account.passwordUpdatedAt = now
        }
        if let email = change.email, email != account.email {
            account.initialEmail = account.initialEmail ?? account.email
            account.email = email
            account.emailVerified = false
        }
        if change.deletesPassword { account.passwordHash = nil }
        if change.deletesEmail {
            account.initialEmail = account.initialEmail ?? account.email
            account.email = nil
            account.emailVerified = false
        }
        if let name = change.displayName { account.displayName = name.value }
        if let photo = change.photoURL { account.photoURL = photo.value }
        if let verified = change.emailVerified { account.emailVerified = verified }
        if let disabled = change.disabled { account.disabled = disabled }
        if let claims = change.customAttributes { account.customAttributes = claims.value }
        if endsSessions(change) { account.endSessions(at: now) }
        if let validSince = change.validSince { account.validSince = max(account.validSince, validSince) }
    }

    func endsSessions(_ change: AccountChange) -> Bool {
        hash != nil || change.email != nil || change.deletesEmail || change.deletesPassword || change.validSince != nil
            || change.disabled == true
    }
}
