public import Accounts

/// The result of signing in with a provider.
public enum ProviderSignIn: Sendable {
    case signedIn(Account, SignedIn)
    /// The address belongs to an account, and the provider does not prove that its user owns the
    /// address. Nothing was changed.
    case needsConfirmation(Accounts.Profile)

    public struct SignedIn: Sendable, Hashable {
        /// Whether the sign-in created the account.
        public var isNew = false
        /// Whether the provider has given the address to another of its users than before.
        public var isRecycled = false
    }
}

extension EmailActions {
    /// Signs in the user of a provider: to the account that is linked to them, or else to the
    /// account with their address, if the provider proves that they own it. Otherwise creates an
    /// account.
    ///
    /// An account whose address was not verified before may be a stranger's, made in advance. Its
    /// owner gets it without anything that the stranger set up (I9).
    ///
    /// An account with a second factor is not changed, because the second factor is not proved yet
    /// (S7).
    ///
    /// Refuses `USER_DISABLED`, and `EMAIL_NOT_FOUND` if there is no account and `creates` is
    /// false: after `USER_NOT_FOUND`, JavaScript's SDK signs the present user out.
    /// - Parameter language: the language of a new account's mails.
    public func signIn(
        _ identity: VerifiedIdentity, creates: Bool = true, language: String? = nil, in project: Project
    ) async throws(ActionError) -> ProviderSignIn {
        let (moment, address) = (now(), project.address(of: identity))
        var fresh = Account(project: project.id, id: .random(drafts.random), createdAt: moment)
        fresh.email = address
        fresh.emailVerified = identity.isEmailVerified && address != nil
        fresh.language = language
        fresh.complete(from: identity.profile)
        let new = fresh
        return try await store.transaction { (records: any ActionRecords) throws(ActionError) -> ProviderSignIn in
            if let linked = try records.account(linkedTo: identity.provider, rawID: identity.rawID, in: project.id) {
                return .signedIn(try admit(identity, at: address, to: linked, in: project, by: records, now: moment), .init())
            }
            if let address, let owner = try records.account(withEmail: address, in: project.id) {
                guard identity.isEmailVerified else { return .needsConfirmation(try records.profile(of: owner)) }
                let links = try records.linkedProviders(of: owner.id, in: project.id)
                let isRecycled = links.contains { identity.hasTakenAddress(from: $0, address) }
                let account = try admit(
                    identity, at: address, to: owner, isRecycled: isRecycled, in: project, by: records, now: moment)
                return .signedIn(account, .init(isRecycled: isRecycled))
            }
            guard creates else { throw .refused(.emailNotFound) }
            try records.insert(new)
            try records.insert(identity.link, of: new.id, in: project.id)
            return .signedIn(new, .init(isNew: true))
        }
    }

    /// Links the user of a provider to an account that is signed in. An account without an address
    /// gets the provider's.
    ///
    /// Refuses `FEDERATED_USER_ID_ALREADY_LINKED`, also if the user is linked to this account,
    /// `EMAIL_EXISTS` if the provider's address belongs to another account, and `TOKEN_EXPIRED` if
    /// the account changed since it was `seen`.
    public func link(_ identity: VerifiedIdentity, to seen: Account, in project: Project) async throws(ActionError) -> Account {
        let (moment, address) = (now(), project.address(of: identity))
        return try await store.transaction { (records: any ActionRecords) throws(ActionError) -> Account in
            guard var account = try records.account(seen.id, in: project.id) else { throw .refused(.userNotFound) }
            guard account.isUnchanged(since: seen) else { throw .refused(.tokenExpired) }
            guard try records.account(linkedTo: identity.provider, rawID: identity.rawID, in: project.id) == nil else {
                throw .refused(.federatedUserIDAlreadyLinked)
            }
            if let address, let owner = try records.account(withEmail: address, in: project.id), owner.id != account.id {
                throw .refused(.emailExists)
            }
            try records.insert(identity.link, of: account.id, in: project.id)
            let isVerifiedNow = identity.isEmailVerified && address != nil && account.email == address && !account.emailVerified
            if account.email == nil { (account.email, account.emailVerified) = (address, identity.isEmailVerified && address != nil) }
            account.complete(from: identity.profile)
            try postNotice(ofLinking: project.name(ofProvider: identity.provider), to: seen, in: project, by: records)
            guard isVerifiedNow else {
                try records.update(account)
                return account
            }
            // Sessions from before the owner was known may be a stranger's.
            account.emailVerified = true
            return try records.updateEndingSessions(account, at: moment)
        }
    }

    /// Gives a phone number to an account that is signed in.
    ///
    /// Refuses `INVALID_CODE`, and what `Accounts.link` refuses.
    /// - Parameter step: of `Accounts.link`.
    public func link(_ step: @escaping PhoneStep, to seen: Account, in project: Project) async throws(ActionError) -> PhoneSignIn {
        let result = try await store.transaction { (records: any ActionRecords) throws(ActionError) -> PhoneSignIn? in
            let result = try step(records)
            if case .proven(let account, _) = result, let number = account.phoneNumber, number != seen.phoneNumber {
                try postNotice(ofLinking: number.value, to: seen, in: project, by: records)
            }
            return result
        }
        // Thrown outside of the transaction, because a throw inside would forget the wrong code.
        guard let result else { throw .refused(.invalidCode) }
        return result
    }

    /// Tells the owner of an account of a new way to sign in, which may be an intruder's (S8).
    private func postNotice(
        ofLinking name: String, to account: Account, in project: Project, by records: any ActionRecords
    ) throws(ActionError) {
        guard let email = account.email, account.emailVerified else { return }
        try records.post(drafts.notice(.providerAdded, to: email, provider: name, for: account, in: project))
    }

    /// Signs the user of a provider in to an existing account. If its address had another owner
    /// until now, or none that is known, their password, phone number, providers, second factors,
    /// sessions and links end, also those that undo a change.
    ///
    /// The setting `keepsProviders` spares an account that the user of the provider had already.
    /// - Parameter address: the user's, if it counts for accounts.
    private func admit(
        _ identity: VerifiedIdentity, at address: EmailAddress?, to before: Account, isRecycled: Bool = false, in project: Project,
        by records: any ActionRecords, now: Timestamp
    ) throws(ActionError) -> Account {
        guard !before.disabled else { throw .refused(.userDisabled) }
        var account = before
        let links = try records.linkedProviders(of: account.id, in: account.project)
        let isLinked = links.contains { $0.provider == identity.provider && $0.rawID == identity.rawID }
        let isVerifiedNow = identity.isEmailVerified && address != nil && before.email == address && !before.emailVerified
        let mayBeStrangers = isVerifiedNow && !(isLinked && project.signIn.keepsProviders)
        // A factor on an account whose owner is not known is as good as the account.
        if mayBeStrangers {
            try records.deleteSecondFactors(of: account)
        } else if try !records.secondFactors(of: account.id, in: account.project).isEmpty {
            return before
        }
        let changesOwner = mayBeStrangers || isRecycled
        if changesOwner {
            account.forgetOwner()
            try records.unlinkProviders(of: account)
            try records.withdrawAllCodes(of: account, at: now)
        }
        account.emailVerified = before.emailVerified || isVerifiedNow
        account.complete(from: identity.profile)
        let link = changesOwner ? identity.link : identity.link(after: links, at: account.email)
        if changesOwner || !links.contains(link) { try records.insert(link, of: account.id, in: account.project) }
        if !changesOwner, isVerifiedNow || !isLinked {
            try postNotice(ofLinking: project.name(ofProvider: identity.provider), to: account, in: project, by: records)
        }
        if changesOwner || isVerifiedNow { return try records.updateEndingSessions(account, at: now) }
        if account != before { try records.update(account) }
        return account
    }
}

extension VerifiedIdentity {
    /// The link of an account that may have one already. A link by the account's own address keeps
    /// it, also if the user has another one at the provider by now: it tells when someone else has
    /// taken that address.
    fileprivate func link(after links: [LinkedProvider], at address: EmailAddress?) -> LinkedProvider {
        var link = self.link
        let known = links.first { $0.provider == self.provider && $0.rawID == self.rawID }
        if let kept = known?.email, EmailAddress(kept) == address { link.email = kept }
        return link
    }

    /// Whether the address was another user's of the provider before. An account may be linked to a
    /// user with another address, such as a private one.
    ///
    /// Firebase knows users of Microsoft by an id that is shorter than `sub`, so an imported link
    /// says nothing.
    fileprivate func hasTakenAddress(from link: LinkedProvider, _ address: EmailAddress) -> Bool {
        link.provider == self.provider && link.email.flatMap { EmailAddress($0) } == address
            && (self.provider != "microsoft.com" || link.rawID.utf8.count == self.rawID.utf8.count)
    }
}

extension Project {
    /// The name of a provider for its users.
    fileprivate func name(ofProvider id: String) -> String {
        self.providers[id]?.displayName ?? IdentityProvider.Kind(id: id)?.standardName ?? String(id.trimmingPrefix("oidc."))
    }

    /// The address that an account may get from a provider. None if accounts share addresses, and
    /// none that is only claimed where a sign-up must not tell whether an address is taken (V6).
    fileprivate func address(of identity: VerifiedIdentity) -> EmailAddress? {
        guard !self.signIn.sharesAddresses, identity.isEmailVerified || self.signUps == .open else { return nil }
        return identity.email
    }
}

extension Account {
    /// Takes what the account lacks from a provider's profile.
    fileprivate mutating func complete(from profile: VerifiedIdentity.Profile) {
        displayName = displayName ?? profile.fullName
        photoURL = photoURL ?? profile.photoURL
    }

    /// Removes everything by which the account can be used or taken back, except for its address.
    fileprivate mutating func forgetOwner() {
        (passwordHash, passwordUpdatedAt, emailLinkSignIn) = (nil, nil, false)
        (phoneNumber, initialEmail) = (nil, nil)
        (displayName, photoURL) = (nil, nil)
    }
}

extension ActionRecords {
    fileprivate func deleteSecondFactors(of account: Account) throws(ActionError) {
        for factor in try secondFactors(of: account.id, in: account.project) {
            _ = try deleteSecondFactor(factor.id, of: account.id, in: account.project)
        }
    }
}
