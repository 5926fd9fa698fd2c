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
    /// Changes an account. A new address, or none, is told to the old one with a link that takes it back; a new password ends all sessions and
    /// is told too. Refuses `USER_NOT_FOUND`, `EMAIL_EXISTS`, `WEAK_PASSWORD`.
    package func update(_ id: AccountID, with change: AccountChange, in project: Project) async throws(ActionError) -> Account {
        let before = try await store.read { (records: any ActionRecords) throws(ActionError) in try records.account(id, in: project.id) }
        guard let before else { throw .refused(.userNotFound) }
        let prepared = try await prepare(change, of: before, in: project)
        let moment = now()
        return try await store.transaction { (records: any ActionRecords) throws(ActionError) in
            guard var account = try records.account(id, in: project.id) else { throw ActionError.refused(.userNotFound) }
            prepared.apply(change, to: &account, at: moment)
            try records.update(account)
            if prepared.endsSessions(change) {
                try records.deleteSessions(of: id, in: project.id)
                try records.withdrawOrdinaryCodes(of: account, at: moment)
            }
            if change.disabled == true {
                try records.withdrawCodes(
                    of: id, in: project.id, for: Action.allCases, madeSince: Timestamp(milliseconds: 0), at: moment)
            }
            try prepared.undo?.store(in: records)
            if let notice = prepared.notice { try records.insert(notice) }
            return account
        }
    }

    private func prepare(_ change: AccountChange, of account: Account, in project: Project) async throws(ActionError) -> PreparedChange {
        var prepared = PreparedChange()
        if let password = change.password {
            let policy = project.passwordPolicy
            if let objection = policy.objection(to: password, words: account.words + [project.displayName]) {
                throw policy.refusal(for: objection)
            }
            prepared.hash = try await passwords.hash(password)
            if let email = account.email, account.passwordHash != nil {
                prepared.notice = try post.notice(.passwordChanged, to: email, for: account, in: project)
            }
        }
        if let old = account.email, change.deletesEmail || change.email.map({ $0 != old }) ?? false {
            var purpose = Purpose(.recoverEmail, email: old)
            purpose.newEmail = change.email
            prepared.undo = try post.draft(purpose, for: account, in: project)
        }
        return prepared
    }
}

/// The slow parts of a change, done before its transaction.
private struct PreparedChange: Sendable {
    var hash: String?
    var undo: Post.Draft?
    var notice: StoredMail?

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
            account.email = nil
            account.emailVerified = false
        }
        if let name = change.displayName { account.displayName = name.value }
        if let photo = change.photoURL { account.photoURL = photo.value }
        if let verified = change.emailVerified { account.emailVerified = verified }
        if let disabled = change.disabled { account.disabled = disabled }
        if let claims = change.customAttributes { account.customAttributes = claims.value }
        if endsSessions(change) { account.endSessions(at: now) }
        if let validSince = change.validSince { account.validSince = validSince }
    }

    func endsSessions(_ change: AccountChange) -> Bool {
        hash != nil || undo != nil || change.email != nil || change.deletesPassword || change.validSince != nil || change.disabled == true
    }
}
