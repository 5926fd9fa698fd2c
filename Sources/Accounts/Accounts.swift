/// Signing up, signing in, staying signed in: what an account is for. No SQL and no HTTP.
package struct Accounts: Sendable {
    package let store: any AccountStore
    package let passwords: Passwords
    package let tokens: IDTokens
    package let secrets: Secrets
    package let now: Now
    package let random: RandomBytes

    package init(
        store: any AccountStore, passwords: Passwords, tokens: IDTokens, secrets: Secrets, now: @escaping Now, random: @escaping RandomBytes
    ) {
        self.store = store
        self.passwords = passwords
        self.tokens = tokens
        self.secrets = secrets
        self.now = now
        self.random = random
    }

    /// Makes an account. With a clear password it is hashed first. Refuses `EMAIL_EXISTS`, `PHONE_NUMBER_EXISTS`,
    /// `DUPLICATE_LOCAL_ID` and what `PasswordPolicy.check` refuses.
    package func signUp(_ new: NewAccount, policy: PasswordPolicy) async throws(ActionError) -> Account {
        var account = Account(project: new.project, id: new.id ?? .random(random), createdAt: now())
        account.email = new.email
        account.emailVerified = new.emailVerified
        account.phoneNumber = new.phoneNumber
        account.displayName = new.displayName
        account.photoURL = new.photoURL
        account.disabled = new.disabled
        account.language = new.language
        if let password = new.password {
            try await requireFree(new.email, in: new.project)
            try policy.check(password, words: account.words)
            account.passwordHash = try await passwords.hash(password)
            account.passwordUpdatedAt = account.createdAt
        }
        let made = account
        try await store.transaction { (records) throws(ActionError) in
            try records.insert(made)
            for factor in new.secondFactors { try records.insert(factor, of: made.id, in: made.project) }
        }
        return made
    }

    /// That an address is taken is said before its password is judged, as Firebase does; the insert has the last word.
    private func requireFree(_ email: EmailAddress?, in project: ProjectID) async throws(ActionError) {
        guard let email else { return }
        let holder = try await store.read { (records) throws(ActionError) in try records.account(withEmail: email, in: project) }
        guard holder == nil else { throw .refused(.emailExists) }
    }

    /// The account behind address and password. With `hidesAccounts`, unknown and wrong are one answer, in words and in time.
    package func signIn(
        email: EmailAddress, password: String, in project: ProjectID, hidesAccounts: Bool
    ) async throws(ActionError) -> Account {
        let account = try await store.read { (records) throws(ActionError) in try records.account(withEmail: email, in: project) }
        let matches = try await passwords.verify(password, against: account?.passwordHash)
        guard let account else { throw .refused(hidesAccounts ? .invalidLoginCredentials : .emailNotFound) }
        guard matches else { throw .refused(hidesAccounts ? .invalidLoginCredentials : .invalidPassword) }
        guard !account.disabled else { throw .refused(.userDisabled) }
        guard let hash = account.passwordHash, passwords.needsRehash(hash, after: password) else { return account }
        // Something changed meanwhile, if only that the same person signed in twice at once: then what was proven is proven again. That
        // ends, because a hash made here is not made anew.
        if let rehashed = try await rehash(password, of: account) { return rehashed }
        return try await signIn(email: email, password: password, in: project, hidesAccounts: hidesAccounts)
    }

    /// The account with its password hashed as Onward does today, which ends no session; nil when it does not stand any more as it was
    /// proven (S4).
    private func rehash(_ password: String, of proven: Account) async throws(ActionError) -> Account? {
        let hash = try await passwords.hash(password)
        return try await store.transaction { (records) throws(ActionError) -> Account? in
            guard var account = try records.account(proven.id, in: proven.project), account.stillStands(as: proven) else { return nil }
            account.passwordHash = hash
            try records.update(account)
            return account
        }
    }

    /// Starts a session: a refresh token, of which only the keyed hash is stored, and a first ID token.
    ///
    /// - Parameters:
    ///   - proven: the account as it was when its person proved to be it. Refuses `TOKEN_EXPIRED` when that does not count any
    ///     more, because a reset or another change came between.
    ///   - claims: a JSON object that all ID tokens of this session carry.
    package func openSession(
        for proven: Account, by provider: SignInProvider, claims: String? = nil
    ) async throws(ActionError) -> IssuedTokens {
        let secret = random(32)
        let moment = now()
        let token = secrets.digest(secret, for: .session)
        let (account, session) = try await store.transaction { (records) throws(ActionError) in
            guard var account = try records.account(proven.id, in: proven.project) else { throw ActionError.refused(.userNotFound) }
            guard account.stillStands(as: proven) else { throw ActionError.refused(.tokenExpired) }
            account.lastLoginAt = moment
            let session = Session(
                token: token, project: account.project, account: account.id, authTime: max(moment, account.validSince), provider: provider,
                createdAt: moment, claims: claims)
            try records.update(account)
            try records.thinSessions(of: account.id, in: account.project, to: Session.mostOfAccount)
            try records.insert(session)
            return (account, session)
        }
        return IssuedTokens(
            account: account, idToken: try await tokens.issue(for: account, session: session), refreshToken: Base64URL.encode(secret))
    }

    /// The account that an ID token speaks for, if it still may. Refuses `INVALID_ID_TOKEN`, `USER_NOT_FOUND`, `TOKEN_EXPIRED`, `USER_DISABLED`.
    package func account(behind idToken: String, in project: ProjectID) async throws(ActionError) -> Account {
        let token = try await tokens.verify(idToken, for: project)
        let id = AccountID(rawValue: token.userID)
        let account = try await store.read { (records) throws(ActionError) in try records.account(id, in: project) }
        guard let account else { throw .refused(.userNotFound) }
        // Switching an account off ends its tokens, too; clients shall say why.
        guard !account.disabled else { throw .refused(.userDisabled) }
        guard token.authTime >= account.validSince.seconds, token.validSince == account.validSince.milliseconds else {
            throw .refused(.tokenExpired)
        }
        return account
    }
}

/// What `signUp` makes an account of.
package struct NewAccount: Sendable {
    package let project: ProjectID
    /// Nil: a random one.
    package var id: AccountID?
    package var email: EmailAddress?
    package var emailVerified = false
    package var phoneNumber: PhoneNumber?
    package var password: String?
    package var secondFactors: [SecondFactor] = []
    package var displayName: String?
    package var photoURL: String?
    package var disabled = false
    package var language: String?

    package init(project: ProjectID) { self.project = project }
}

/// What a person gets who is signed in.
package struct IssuedTokens: Sendable {
    package let account: Account
    package let idToken: String
    /// 43 characters of base64url; stored only as a keyed hash.
    package let refreshToken: String
}

extension Account {
    /// What someone guessing this account's password would try first.
    package var words: [String] { [email?.value, displayName].compactMap(\.self) }
}
