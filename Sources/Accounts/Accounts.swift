/// The rules of accounts: signing up, signing in, sessions and tokens. They contain no SQL and no
/// HTTP.
public struct Accounts: Sendable {
    public let store: any AccountStore
    public let passwords: Passwords
    public let tokens: IDTokens
    public let secrets: Secrets
    public let now: Now
    public let random: RandomBytes
    /// How long after a sign-in a user may change the account's credentials; nil for ever, as in
    /// the emulator.
    let recentSignIn: Duration?

    public init(
        store: any AccountStore, passwords: Passwords, tokens: IDTokens, secrets: Secrets, now: @escaping Now,
        random: @escaping RandomBytes, recentSignIn: Duration? = usualRecentSignIn
    ) {
        self.store = store
        self.passwords = passwords
        self.tokens = tokens
        self.secrets = secrets
        self.now = now
        self.random = random
        self.recentSignIn = recentSignIn
    }

    /// Creates an account. Refuses `EMAIL_EXISTS`, `PHONE_NUMBER_EXISTS`, `DUPLICATE_LOCAL_ID` and
    /// what `PasswordPolicy.check` refuses.
    public func signUp(_ new: NewAccount, policy: PasswordPolicy) async throws(ActionError) -> Account {
        var account = Account(project: new.project, id: new.id ?? .random(random), createdAt: now())
        account.setAddress(new.email, verified: new.emailVerified, at: account.createdAt)
        account.setPhoneNumber(new.phoneNumber, at: account.createdAt)
        account.displayName = new.displayName
        account.namedByAdminAt = new.isByAdmin && new.displayName != nil ? account.createdAt : nil
        account.photoURL = new.photoURL
        account.disabled = new.disabled
        account.language = new.language
        if let password = new.password {
            // The password first: a weak one would otherwise be a question about the address that
            // leaves no trace (V6).
            try policy.check(password, words: account.words)
            try await store.read { (records) throws(ActionError) in try records.requireFree(new) }
            account.passwordHash = try await passwords.hash(password)
            account.passwordUpdatedAt = account.createdAt
        }
        let made = account
        try await store.transaction { (records) throws(ActionError) in
            try records.requireFree(new)
            try records.insert(made)
            for factor in new.secondFactors { try records.insert(factor, of: made.id, in: made.project, byAdmin: new.isByAdmin) }
        }
        return made
    }

    /// The account with this address and password. With `hidesAccounts`, an unknown address and a
    /// wrong password give the same refusal after the same time.
    public func signIn(
        email: EmailAddress, password: String, in project: ProjectID, hidesAccounts: Bool
    ) async throws(ActionError) -> Account {
        let account = try await store.read { (records) throws(ActionError) in try records.account(withEmail: email, in: project) }
        let matches = try await passwords.verify(password, against: account?.passwordHash)
        guard let account else { throw .refused(hidesAccounts ? .invalidLoginCredentials : .emailNotFound) }
        guard matches else { throw .refused(hidesAccounts ? .invalidLoginCredentials : .invalidPassword) }
        guard !account.disabled else { throw .refused(.userDisabled) }
        guard let hash = account.passwordHash, passwords.needsRehash(hash, after: password) else { return account }
        if let rehashed = try await rehash(password, of: account) { return rehashed }
        // The account has changed meanwhile, for example by the same user's other sign-in, so the
        // password is verified again. This ends, because a hash made here does not need to be
        // replaced.
        return try await signIn(email: email, password: password, in: project, hidesAccounts: hidesAccounts)
    }

    /// Replaces the account's password hash by one of today's kind and cost, which ends no session.
    /// Nil if the account has changed since it was `proven` (S4).
    private func rehash(_ password: String, of proven: Account) async throws(ActionError) -> Account? {
        let hash = try await passwords.hash(password)
        return try await store.transaction { (records) throws(ActionError) -> Account? in
            guard var account = try records.account(proven.id, in: proven.project), account.isUnchanged(since: proven) else { return nil }
            account.passwordHash = hash
            try records.update(account)
            return account
        }
    }

    /// Starts a session: a refresh token, of which only the keyed hash is stored, and a first ID
    /// token. An account with second factors gets one only after a second factor, or by a custom
    /// token, for which the app's own server vouches (S7).
    ///
    /// - Parameters:
    ///   - proven: the account as it was when its user was authenticated. Refuses `TOKEN_EXPIRED`
    ///     if a password reset or another change came between.
    ///   - factor: the second factor that the user proved.
    ///   - claims: a JSON object that all ID tokens of this session contain.
    ///   - network: the network of the client, which is remembered; nil if it says nothing about
    ///     the user.
    public func openSession(
        for proven: Account, by provider: SignInProvider, after factor: ProvenSecondFactor? = nil, claims: String? = nil,
        from network: String? = nil
    ) async throws(ActionError) -> IssuedTokens {
        let opening = sessionOpening(by: provider, after: factor, claims: claims, network: network, at: now())
        return try await issue(
            try await store.transaction { (records) throws(ActionError) in
                try open(opening, for: records.account(unchangedSince: proven), in: records)
            })
    }

    /// A session to be opened, without its account.
    struct SessionOpening: Sendable {
        fileprivate let provider: SignInProvider
        fileprivate let factor: ProvenSecondFactor?
        fileprivate let claims, network: String?
        fileprivate let moment: Timestamp
    }

    /// A session that was opened, with what its tokens say about the account.
    struct OpenedSession: Sendable {
        fileprivate let profile: Profile
        fileprivate let session: Session
        fileprivate let refreshToken: RefreshToken
    }

    func sessionOpening(
        by provider: SignInProvider, after factor: ProvenSecondFactor?, claims: String? = nil, network: String?, at moment: Timestamp
    ) -> SessionOpening {
        SessionOpening(provider: provider, factor: factor, claims: claims, network: network, moment: moment)
    }

    /// Opens a session in a transaction that read the account.
    func open(_ new: SessionOpening, for known: Account, in records: any AccountRecords) throws(ActionError) -> OpenedSession {
        var account = known
        if new.factor == nil, new.provider != .custom {
            // The account was not like this when its user was authenticated.
            guard try records.secondFactors(of: account.id, in: account.project).isEmpty else { throw .refused(.tokenExpired) }
        }
        (account.lastLoginAt, account.lastRefreshAt) = (new.moment, new.moment)
        if new.provider.needsNoAddress { account.enteredAt = account.enteredAt ?? new.moment }
        let refreshToken = RefreshToken(for: account.id, in: account.project, random: random)
        let session = Session(
            token: refreshToken.digest(by: secrets), project: account.project, account: account.id,
            authTime: max(new.moment, account.validSince), provider: new.provider, secondFactor: new.factor, createdAt: new.moment,
            claims: new.claims)
        try records.update(account)
        try records.trimSessions(of: account.id, in: account.project, to: Session.maxPerAccount)
        try records.insert(session)
        if let network = new.network {
            try records.remember(digest(of: network, of: account.id, in: account.project), of: account, at: new.moment)
        }
        return OpenedSession(profile: try records.profile(of: account), session: session, refreshToken: refreshToken)
    }

    /// The tokens of a session that was stored.
    func issue(_ opened: OpenedSession) async throws(ActionError) -> IssuedTokens {
        IssuedTokens(
            account: opened.profile.account, idToken: try await tokens.issue(for: opened.profile, session: opened.session),
            refreshToken: opened.refreshToken.text(by: secrets))
    }
}

extension AccountRecords {
    /// Refuses an id and then an address that are taken. Called before a password is hashed and
    /// again when the account is stored, whose insertion would name either.
    fileprivate func requireFree(_ new: NewAccount) throws(ActionError) {
        if let id = new.id, try account(id, in: new.project) != nil { throw .refused(.duplicateLocalID) }
        if let email = new.email, try account(withEmail: email, in: new.project) != nil { throw .refused(.emailExists) }
    }
}

/// The properties of an account to be created.
public struct NewAccount: Sendable {
    public let project: ProjectID
    /// Whether an admin creates the account.
    public var isByAdmin = false
    /// Nil: a random id.
    public var id: AccountID?
    public var email: EmailAddress?
    public var emailVerified = false
    public var phoneNumber: PhoneNumber?
    /// In clear text; it is hashed before it is stored.
    public var password: String?
    public var secondFactors: [SecondFactor] = []
    public var displayName: String?
    public var photoURL: String?
    public var disabled = false
    public var language: String?

    public init(project: ProjectID) { self.project = project }
}

/// The tokens that a client gets when its user has signed in or refreshed a session.
public struct IssuedTokens: Sendable {
    public let account: Account
    public let idToken: String
    /// `RefreshToken.text`, stored only as a keyed hash.
    public let refreshToken: String
}
