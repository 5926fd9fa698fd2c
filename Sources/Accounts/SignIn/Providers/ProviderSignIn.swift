internal import Base

/// The result of signing in with a provider.
public enum ProviderSignIn: Sendable {
    case signedIn(Account, SignedIn)
    /// The address belongs to an account, and the provider does not prove that its user owns the
    /// address. Nothing was changed.
    case needsConfirmation(Accounts.Profile)
    /// No account was found within the `Reach` of the sign-in. Nothing was changed.
    case noAccount

    public struct SignedIn: Sendable, Hashable {
        /// Whether the sign-in created the account.
        public var isNew = false
        /// Whether the provider has given the address to another of its users than before.
        public var isRecycled = false
    }

    /// How far a sign-in goes for a user whom no account is linked to.
    enum Reach: Sendable, Hashable, CaseIterable {
        /// To the account whose address the provider proves to be theirs.
        case known
        /// Also tells of an account whose address the provider only reports.
        case claimed
        /// Also creates an account.
        case new
    }
}

/// The result of linking a provider.
public enum ProviderLink: Sendable {
    case linked(Account, IssuedTokens)
    /// The provider's user, or the address, is another account's.
    case belongsToOther(ActionError)
}

extension Accounts {
    /// Signs in the user of a provider; the session follows, or the question for a second factor.
    /// Users with an account are let in, whatever was counted. A user without one signs up, or asks
    /// whether an address is taken that is only claimed.
    /// - Parameter creates: whether an account is created if there is none.
    public func signIn(
        _ identity: VerifiedIdentity, creates: Bool, language: String?, from client: Client, in project: Project
    ) async throws(ActionError) -> (ProviderSignIn, FirstFactorResult?) {
        var result = try await signIn(identity, upTo: .known, language: language, from: client, in: project)
        if case .noAccount = result {
            let signUp: [LimitedAttempt] = creates ? [.signUp] : []
            let refusal = project.refusal(ofSignUpWith: project.address(of: identity))
            let work = { () async throws(ActionError) in
                try await signIn(
                    identity, upTo: creates && refusal == nil ? .new : .claimed, language: language, from: client, in: project)
            }
            result =
                project.answersClaim(of: identity)
                ? try await countedAsAddressQuestion(and: signUp, from: client, in: project, as: \.ending, work)
                : try await counted(by: signUp, from: client, in: project, as: \.ending, work)
            if case .noAccount = result, creates, let refusal { throw refusal }
        }
        guard case .signedIn(let account, _) = result else { return (result, nil) }
        let signedIn = try await afterChange { () throws(ActionError) in
            try await signIn(account, by: .provider(identity.provider), from: client, in: project)
        }
        return (result, signedIn)
    }

    /// Links the user of a provider to the account of a user, whose session is replaced.
    /// - Parameter verify: returns the provider's user and the proof. The notice is counted before
    ///   the provider is asked, because its code works once.
    public func link<Proof: Sendable>(
        to user: SignedInUser, from client: Client, in project: Project,
        verify: () async throws(ActionError) -> (VerifiedIdentity, Proof)
    ) async throws(ActionError) -> (ProviderLink, VerifiedIdentity, Proof) {
        try requireRecentSignIn(toLink: user)
        let (linked, identity, proof) = try await counted(
            by: Self.attempts(changing: user.account), from: client, in: project, as: { AttemptEnd($0.0) }
        ) { () throws(ActionError) -> (Result<Account, ActionError>, VerifiedIdentity, Proof) in
            let (identity, proof) = try await verify()
            try project.requireAddition(of: user.account.email == nil ? project.address(of: identity) : nil, by: user)
            do throws(ActionError) {
                return (.success(try await link(identity, to: user.account, from: client, in: project)), identity, proof)
            } catch {
                guard error.refusal == .federatedUserIDAlreadyLinked || error.refusal == .emailExists else { throw error }
                return (.failure(error), identity, proof)
            }
        }
        switch linked {
        case .failure(let error): return (.belongsToOther(error), identity, proof)
        case .success(let account):
            let tokens = try await openSession(for: account, by: .provider(identity.provider), replacing: user, in: project)
            return (.linked(account, tokens), identity, proof)
        }
    }

    private func link(
        _ identity: VerifiedIdentity, to account: Account, from client: Client, in project: Project
    ) async throws(ActionError) -> Account {
        let work = { () async throws(ActionError) in try await link(identity, to: account, tellingOf: client, in: project) }
        // Where accounts are hidden, an account that has an address keeps it, so the answer is the
        // same whether the claimed address is taken.
        guard project.answersClaim(of: identity), account.email == nil || !project.hidesAccounts else { return try await work() }
        // An address that is left out is another account's.
        return try await countedAsAddressQuestion(
            from: client, in: project, as: { account.email ?? $0.email == nil ? .refused(.emailExists) : .done }, work)
    }

    /// Signs in the user of a provider: to the account that is linked to them, or else to the
    /// account with their address, if the provider proves that they own it. `Arrival` says what the
    /// account is to them. Otherwise creates an account.
    ///
    /// An account with a second factor is not changed by a user who joins it, because the second
    /// factor is not proved yet (S7).
    ///
    /// Refuses `USER_DISABLED`.
    /// - Parameter language: the language of a new account's mails.
    func signIn(
        _ identity: VerifiedIdentity, upTo reach: ProviderSignIn.Reach, language: String?, from client: Client, in project: Project
    ) async throws(ActionError) -> ProviderSignIn {
        let (moment, address) = (now(), project.address(of: identity))
        var fresh = Account(project: project.id, id: .random(random), createdAt: moment)
        fresh.setAddress(address, verified: identity.isEmailVerified, at: moment)
        fresh.language = language
        fresh.complete(from: identity.profile)
        let new = fresh
        return try await store.transaction { (records) throws(ActionError) -> ProviderSignIn in
            func create(_ new: Account, isRecycled: Bool = false) throws(ActionError) -> ProviderSignIn {
                try records.insert(new)
                try records.insert(identity.link, of: new.id, in: project.id, at: moment)
                return .signedIn(new, .init(isNew: true, isRecycled: isRecycled))
            }
            let linked = try records.account(of: identity, in: project.id)
            let named = try address.flatMap { (address) throws(ActionError) in try records.account(withEmail: address, in: project.id) }
            guard let account = linked ?? named else { return reach == .new ? try create(new) : .noAccount }
            if linked == nil, !identity.isEmailVerified {
                return reach == .known ? .noAccount : .needsConfirmation(try records.profile(of: account))
            }
            guard !account.disabled else { throw .refused(.userDisabled) }
            let proved = try records.provedAddresses(of: account)
            let links = try records.linkedProviders(of: account.id, in: project.id)
            var facts = Arrival.Facts(account, proved: proved)
            facts.isLinked = linked != nil
            facts.isRecycled = address.map { address in links.contains { identity.hasTakenAddress(from: $0, address) } } ?? false
            let arrival = Arrival(by: .provider, at: facts)
            if arrival == .passedOn {
                let known = try records.newcomersAccount(at: account, or: new.id, at: moment)
                guard reach == .new || known != nil else { return .noAccount }
                try records.passOn(account, proved: proved, now: moment)
                guard var invited = known else { return try create(new, isRecycled: facts.isRecycled) }
                invited.language = language
                invited.complete(from: identity.profile)
                return try create(invited, isRecycled: facts.isRecycled)
            }
            return .signedIn(
                try signInExisting(identity, as: arrival, to: account, proved: proved, from: client, in: project, by: records, now: moment),
                .init())
        }
    }

    /// Links the user of a provider to an account that is signed in. An account without an address
    /// gets the provider's, as `takes` decides.
    ///
    /// Refuses `FEDERATED_USER_ID_ALREADY_LINKED`, even if the user is linked to this account, what
    /// `takes` refuses, and `TOKEN_EXPIRED` if the account changed since it was `seen`.
    func link(
        _ identity: VerifiedIdentity, to seen: Account, tellingOf client: Client, in project: Project
    ) async throws(ActionError) -> Account {
        let (moment, address) = (now(), project.address(of: identity))
        return try await store.transaction { (records) throws(ActionError) -> Account in
            guard var account = try records.account(seen.id, in: project.id) else { throw .refused(.userNotFound) }
            guard account.isUnchanged(since: seen) else { throw .refused(.tokenExpired) }
            guard try records.account(of: identity, in: project.id) == nil else {
                throw .refused(.federatedUserIDAlreadyLinked)
            }
            let claim: AddressClaim = identity.isEmailVerified ? .proved : .reported
            let takesAddress =
                try address.map { (address) throws(ActionError) in try records.takes(address, as: claim, account, in: project) } ?? false
            try records.insert(identity.link, of: account.id, in: project.id, at: moment)
            account.complete(from: identity.profile)
            try postNotice(ofLinking: project.name(ofProvider: identity.provider), to: seen, from: client, in: project, by: records)
            if takesAddress { try records.move(&account, to: address, proved: claim == .proved, at: moment) }
            guard claim == .proved, let address, account.email == address, !account.emailVerified else {
                try records.update(account)
                return account
            }
            // Sessions from before the owner was known may be a stranger's.
            try records.move(&account, to: address, proved: true, at: moment)
            return try records.end(.credentialsChanged, of: account, at: moment)
        }
    }

    /// Tells the owner of an account of a new way to sign in, which may be an intruder's (S8).
    func postNotice(
        ofLinking name: String, to account: Account, from client: Client, in project: Project, by records: any Records
    ) throws(ActionError) {
        guard let email = account.email else { return }
        let notice = drafts.notice(.providerAdded, to: email, provider: name, for: account, by: client, in: project)
        try records.tell(notice, about: account)
    }

    /// Signs the user of a provider in to an existing account.
    private func signInExisting(
        _ identity: VerifiedIdentity, as arrival: Arrival, to before: Account, proved: [ProvedAddress], from client: Client,
        in project: Project, by records: any Records, now: Timestamp
    ) throws(ActionError) -> Account {
        // A factor on an account whose owner is not known is as good as the account.
        if arrival == .sameUser || arrival == .joins, try !records.secondFactors(of: before.id, in: before.project).isEmpty {
            return before
        }
        var account = before
        let answersForAddress = identity.isEmailVerified && before.email != nil && project.address(of: identity) == before.email
        let isVerifiedNow = answersForAddress && !before.emailVerified
        if arrival != .sameUser || isVerifiedNow {
            account = try records.settle(arrival, by: .provider, at: account, proved: proved, now: now)
        }
        account.complete(from: identity.profile)
        let links = try records.linkedProviders(of: account.id, in: account.project)
        let link = identity.link(after: links, at: account.email)
        // Another user of the same provider signs in by the address, and keeps the link as it is:
        // an account has one for each provider. One that only claims the address gives way.
        let isOther = links.contains { identity.isOther(than: $0) && !$0.claims(account.email) }
        if !isOther, !links.contains(link) { try records.insert(link, of: account.id, in: account.project, at: now) }
        if account != before { try records.update(account) }
        // A user who comes by another app, which knows them by another id, brings nothing new.
        let isKnown = links.contains { identity.mayBeUser(of: $0) && $0.isEmailVerified && $0.email == link.email }
        if arrival == .joins && !isKnown && !isOther || arrival == .sameUser && isVerifiedNow {
            try postNotice(ofLinking: project.name(ofProvider: identity.provider), to: account, from: client, in: project, by: records)
        }
        return account
    }
}

extension VerifiedIdentity {
    /// The link of an account that may have one already.
    fileprivate func link(after links: [LinkedProvider], at address: EmailAddress?) -> LinkedProvider {
        guard let known = links.first(where: { $0.provider == provider && $0.rawID == rawID }) else { return link }
        return link.replacing(known, at: address)
    }

    /// Whether the provider had verified the address for another of its users, who is linked. A
    /// linked user may have another address, such as a private one, or only claim this one.
    fileprivate func hasTakenAddress(from link: LinkedProvider, _ address: EmailAddress) -> Bool {
        link.provider == provider && link.hasVerified(address) && !mayBeUser(of: link)
    }

    /// Whether a link is of another user of this provider. An earlier version knew users of
    /// Microsoft by an id that differs in each app.
    fileprivate func isOther(than link: LinkedProvider) -> Bool {
        link.provider == provider && !mayBeUser(of: link) && (provider != MicrosoftUser.provider || MicrosoftUser(rawID: link.rawID) != nil)
    }

    /// Whether the user of a link may be this one: if each app has its own ids, ids of two apps
    /// cannot be compared.
    fileprivate func mayBeUser(of link: LinkedProvider) -> Bool {
        guard link.provider == provider else { return false }
        let isPerApp = IdentityProvider.Kind(id: provider)?.mayIdentifyPerApp ?? true
        return link.rawID == rawID || isPerApp && (link.audience == nil || link.audience != audience)
    }
}

extension Project {
    /// The name of a provider for its users.
    public func name(ofProvider id: String) -> String {
        self.providers[id]?.displayName ?? IdentityProvider.Kind(id: id)?.standardName ?? String(id.trimmingPrefix("oidc."))
    }

    /// Whether an answer to the user of a provider tells if an address is taken that the provider
    /// does not prove to be theirs.
    fileprivate func answersClaim(of identity: VerifiedIdentity) -> Bool { !identity.isEmailVerified && address(of: identity) != nil }

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
}

extension AttemptEnd {
    fileprivate init(_ linked: Result<Account, ActionError>) {
        switch linked {
        case .success: self = .done
        case .failure(let error): self.init(error)
        }
    }
}

extension ProviderSignIn {
    fileprivate var ending: AttemptEnd {
        switch self {
        case .signedIn: .done
        case .needsConfirmation: .refused(.emailExists)
        case .noAccount: .refused(.emailNotFound)
        }
    }
}
