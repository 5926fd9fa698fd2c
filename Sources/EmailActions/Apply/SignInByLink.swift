public import Accounts

/// The result of signing in by a link.
public struct LinkSignIn: Sendable {
    public let account: Account
    /// Whether the sign-in created the account.
    public let isNew: Bool
}

extension PendingAction {
    /// Whether signing in with this code gives an account an address that it does not have.
    public func givesAddress(to account: Account) -> Bool {
        guard let code = try? stored().code else { return false }
        return account.email != code.email
    }
}

extension EmailActions {
    /// Spends a sign-in code. If `linked` is nil, the account of the code's address signs in, and
    /// is created if it does not exist. Otherwise the address replaces that of `linked`, the
    /// account that is signed in, and the previous address is notified.
    ///
    /// Refuses `INVALID_OOB_CODE`, `EXPIRED_OOB_CODE`, `INVALID_EMAIL` if the address differs from
    /// the link's, `USER_DISABLED`, and `EMAIL_EXISTS` if the address to link belongs to another
    /// account. A refusal does not spend the code. An account with a second factor is not changed,
    /// because the second factor is not proved yet.
    public func signIn(
        _ pending: PendingAction, as email: EmailAddress?, linking linked: Account? = nil
    ) async throws(ActionError) -> LinkSignIn {
        let asked = try pending.stored().code
        guard asked.action.isAppliedByApp else { throw .refused(.invalidOobCode) }
        guard email == asked.email else {
            throw .refused(.invalidEmail, detail: "The email provided does not match the sign-in email address.")
        }
        let oldAddressNotice = try oldAddressNotice(of: asked, on: linked, in: pending.project)
        let moment = now()
        let fresh = Account(project: asked.project, id: .random(drafts.random), createdAt: moment)
        let (signIn, undo) = try await store.transaction { (records: any ActionRecords) throws(ActionError) -> (LinkSignIn, IssuedCode?) in
            let code = try records.spend(asked, at: moment)
            let owner = try records.account(withEmail: code.email, in: code.project)
            if let linked, let owner, owner.id != linked.id { throw .refused(.emailExists) }
            let known = if let linked { try records.account(linked.id, in: code.project) } else { owner }
            guard linked == nil || known != nil else { throw .refused(.userNotFound) }
            if let linked, let known, !known.isUnchanged(since: linked) { throw .refused(.tokenExpired) }
            guard known?.disabled != true else { throw .refused(.userDisabled) }
            if linked == nil, let known, try !records.secondFactors(of: known.id, in: known.project).isEmpty {
                // One factor alone changes nothing of an account with two.
                try records.withdrawOthers(like: code, at: moment)
                return (LinkSignIn(account: known, isNew: false), nil)
            }
            var account = known ?? fresh
            switch account.acceptAddress(of: code) {
            case _ where known == nil: try records.insert(account)
            case .unchanged: try records.update(account)
            case .changed: account = try records.updateEndingSessions(account, at: moment)
            case .firstVerified:
                account = try records.updateEndingSessions(account, at: moment)
                try records.unlinkProviders(of: account)
            }
            try records.withdrawOthers(like: code, at: moment)
            let undo = try oldAddressNotice?.store(for: account, in: records, at: moment)
            return (LinkSignIn(account: account, isNew: known == nil), undo)
        }
        if let undo { drafts.observe(undo) }
        return signIn
    }

    private func oldAddressNotice(of code: StoredCode, on linked: Account?, in project: Project) throws(ActionError) -> OldAddressNotice? {
        guard let linked, let old = linked.email, old != code.email else { return nil }
        return drafts.oldAddressNotice(to: old, changingTo: code.email, for: linked, in: project)
    }
}

/// The relation between the code's address and the address that the account had.
private enum AddressChange {
    case unchanged
    case changed
    /// The address was not verified before: an existing password, phone number, session or
    /// provider may not be the owner's.
    case firstVerified
}

extension Account {
    /// Marks the address as verified and as this account's.
    fileprivate mutating func acceptAddress(of code: StoredCode) -> AddressChange {
        let change: AddressChange =
            switch email {
            case nil: .unchanged
            case code.email: emailVerified ? .unchanged : .firstVerified
            default: .changed
            }
        if change == .firstVerified {
            passwordHash = nil
            passwordUpdatedAt = nil
            phoneNumber = nil
        }
        if change == .changed { initialEmail = initialEmail ?? email }
        email = code.email
        emailVerified = true
        emailLinkSignIn = true
        return change
    }
}
