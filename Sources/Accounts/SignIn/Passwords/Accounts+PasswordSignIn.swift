internal import Base

extension Accounts {
    /// Creates an account that a client asked for, and opens its first session: with an address and
    /// a password, or else anonymous. Refuses `ADMIN_ONLY_OPERATION` if clients of the project do
    /// not sign up like this, and what the creation of an account refuses.
    public func signUp(_ new: NewAccount, from client: Client, in project: Project) async throws(ActionError) -> IssuedTokens {
        if new.password != nil {
            try project.requireSignUp(byPasswordWith: new.email)
        } else {
            guard project.signIn.anonymous, new.email == nil, new.phoneNumber == nil, new.id == nil else {
                throw .refused(.adminOnlyOperation)
            }
            try project.requireSignUp(with: nil)
        }
        let account = try await counted(by: [.signUp], from: client, in: project) { () throws(ActionError) in
            try await create(new, from: client, in: project)
        }
        let factor = new.password == nil ? nil : new.secondFactors.first.map { ProvenSecondFactor(.phone, id: $0.id) }
        return try await afterChange { () throws(ActionError) in
            try await openSession(
                for: account, by: new.password == nil ? .anonymous : .password, after: factor, from: client, in: project)
        }
    }

    /// Creates an account that an admin asked for. Refuses what the creation of an account refuses.
    public func signUp(byAdmin new: NewAccount, in project: Project) async throws(ActionError) -> Account {
        try await create(new, from: .admin, in: project)
    }

    /// Creates an account, when it is its turn if a password has to be hashed.
    private func create(_ new: NewAccount, from client: Client, in project: Project) async throws(ActionError) -> Account {
        guard new.password != nil else { return try await signUp(new, policy: project.passwordPolicy) }
        return try await inTurn(nil, from: client) { () throws(ActionError) in
            try await countedAsAddressQuestion(from: client, in: project) { () throws(ActionError) in
                do throws(ActionError) { return try await signUp(new, policy: project.passwordPolicy) } catch {
                    if error.refusal == .emailExists, client != .admin {
                        try await tellOfRegistration(with: new.email, by: client, in: project)
                    }
                    throw error
                }
            }
        }
    }

    /// Tells the owner of an account that someone tried to sign up with its address, where accounts
    /// are hidden.
    private func tellOfRegistration(with email: EmailAddress?, by client: Client, in project: Project) async throws(ActionError) {
        guard let email, project.hidesAccounts, project.notices[.registrationTried] else { return }
        try await store.transaction { [drafts] (records) throws(ActionError) in
            guard let account = try records.account(withEmail: email, in: project.id), !account.disabled else { return }
            let notice = drafts.notice(ifMailed: .registrationTried, to: email, for: account, by: client, in: project)
            try records.tell(notice, about: account)
        }
    }

    /// Signs in the user of an address and a password; the session follows, or the question for a
    /// second factor. Refuses `PASSWORD_DOES_NOT_MEET_REQUIREMENTS` for a password that the
    /// project's policy asks to be replaced, and `tooSoon` after wrong passwords.
    public func signIn(
        email: EmailAddress, password: String, from client: Client, in project: Project
    ) async throws(ActionError) -> (Account, FirstFactorResult) {
        let isKnown = try await knows(client.network ?? "", of: email, in: project.id)
        // Guesses of strangers do not keep the user waiting where the account was used before.
        let attempt = LimitedAttempt.password(email, fromKnownNetwork: isKnown)
        let account = try await counted(by: [attempt], from: client, in: project) { () throws(ActionError) in
            try await inTurn("\(isKnown ? "known" : "strange") \(project.id) \(email)", from: client) { () throws(ActionError) in
                try await signIn(email: email, password: password, in: project.id, hidesAccounts: project.hidesAccounts)
            }
        }
        try project.passwordPolicy.checkAtSignIn(password)
        return (account, try await signIn(account, by: .password, from: client, in: project))
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
        // The account has changed since it was read, for example by the same user's other sign-in,
        // so the password is verified again. This ends, because a hash made here does not need to
        // be replaced.
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
}

extension Records {
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
