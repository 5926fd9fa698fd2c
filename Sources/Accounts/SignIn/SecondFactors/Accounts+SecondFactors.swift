internal import Base
internal import Cryptography

extension Accounts {
    /// Signs a user in who has proved a first factor: opens a session, or asks for a second factor
    /// if the account has one (S7).
    ///
    /// - Parameters:
    ///   - proven: the account as it was when its user was authenticated.
    ///   - client: as for `openSession`.
    public func signIn(
        _ proven: Account, by provider: SignInProvider, from client: Client, in project: Project
    ) async throws(ActionError) -> FirstFactorResult {
        let factors = try await store.read { (records) throws(ActionError) in
            try records.secondFactors(of: proven.id, in: proven.project)
        }
        // A factor that is enrolled now makes `openSession` refuse.
        guard !factors.isEmpty else { return .signedIn(try await openSession(for: proven, by: provider, from: client, in: project)) }
        return try await result(of: try pendingSignIn(by: provider, of: proven, with: factors, at: now()))
    }

    /// The result of a first factor, in the transaction that took it.
    enum FirstStep: Sendable {
        case opened(OpenedSession)
        case needsSecondFactor(PendingSignIn, [SecondFactor])
    }

    /// Signs in a user whose first factor is proved, in a transaction that read the account.
    func firstStep(_ opening: SessionOpening, for account: Account, in records: any Records) throws(ActionError) -> FirstStep {
        let factors = try records.secondFactors(of: account.id, in: account.project)
        guard !factors.isEmpty else { return .opened(try open(opening, for: account, in: records)) }
        return try pendingSignIn(by: opening.provider, of: account, with: factors, at: opening.moment)
    }

    private func pendingSignIn(
        by provider: SignInProvider, of account: Account, with factors: [SecondFactor], at moment: Timestamp
    ) throws(ActionError) -> FirstStep {
        let others = factors.filter { $0.isOther(than: provider, of: account) }
        guard !others.isEmpty else { throw .refused(.unsupportedFirstFactor, detail: Self.phoneIsSecondFactor) }
        let pending = PendingSignIn(
            project: account.project.rawValue, account: account.id.rawValue, provider: provider.rawValue,
            number: provider == .phone ? account.phoneNumber : nil, validSince: account.validSince, factors: fingerprint(of: factors),
            provedAt: moment)
        return .needsSecondFactor(pending, others)
    }

    func result(of step: FirstStep) async throws(ActionError) -> FirstFactorResult {
        switch step {
        case .opened(let session): .signedIn(try await issue(session))
        case .needsSecondFactor(let pending, let factors):
            .needsSecondFactor(credential: try secrets.sealed(pending, for: .pendingSignIn), factors)
        }
    }

    static let phoneIsSecondFactor = "This phone number is the account's second factor. Sign in another way"

    /// The reason why a code to a phone number can have no effect; nil if it can. One for a sign-in
    /// has none if the account of the number has no other second factor, or if no account may begin
    /// with a number.
    func refusal(
        of number: PhoneNumber, for purpose: VerificationCode.Purpose, in project: Project
    ) async throws(ActionError) -> ActionError? {
        guard case .signIn = purpose else { return nil }
        return try await store.read { (records) throws(ActionError) in
            guard let account = try records.account(withPhoneNumber: number, in: project.id) else {
                return project.refusal(ofSignUpWith: nil)
            }
            let factors = try records.secondFactors(of: account.id, in: project.id)
            let isOfUse = factors.isEmpty || factors.contains { $0.isOther(than: .phone, of: account) }
            return isOfUse ? nil : .refused(.unsupportedFirstFactor, detail: Self.phoneIsSecondFactor)
        }
    }

    /// Completes a sign-in with the code of a second factor, or with a recovery code.
    ///
    /// Refuses `INVALID_MFA_PENDING_CREDENTIAL` if the sign-in was not begun here, more than ten
    /// minutes ago, or before a change of the account; `MFA_ENROLLMENT_NOT_FOUND`, `INVALID_CODE`,
    /// `INVALID_SESSION_INFO` and `SESSION_EXPIRED` for the code of a text message,
    /// `USER_DISABLED`, and `TOO_MANY_ATTEMPTS_TRY_LATER` after wrong codes (see `WrongCodes`).
    /// - Parameter credential: what `signIn` returned.
    public func finishSignIn(
        _ credential: String, with code: SecondFactorCode, from client: Client, in project: Project
    ) async throws(ActionError) -> IssuedTokens {
        // Only bounds the work: guesses are counted with the account.
        try await counted(by: [.refresh], from: client, in: project) { () throws(ActionError) in
            try await complete(credential, with: code, from: client, in: project)
        }
    }

    private func complete(
        _ credential: String, with code: SecondFactorCode, from client: Client, in project: Project
    ) async throws(ActionError) -> IssuedTokens {
        let (moment, wallTime) = (now(), tokens.now())
        let pending = try pendingSignIn(credential, in: project.id, at: moment)
        guard let provider = SignInProvider(rawValue: pending.provider) else { throw .refused(.invalidMFAPendingCredential) }
        let recovery = RecoveryCode(typed: code.text)
        let opened = try await store.transaction { (records) throws(ActionError) -> OpenedSession? in
            let (account, factors) = try account(of: pending, in: records)
            let (id, sent) = try factor(of: code, account, in: records)
            guard let factor = factors.first(where: { $0.id == id && $0.isOther(than: provider, of: account) }) else {
                throw .refused(.mfaEnrollmentNotFound)
            }
            let method = recovery == nil ? code.method : .recoveryCode
            let opening = SessionOpening(
                provider: provider, factor: ProvenSecondFactor(method, id: id), client: client, project: project, moment: moment)
            if let recovery {
                // Not counted: there are too many to guess, and a user may need one in a pause.
                let isRight = try records.spend(recoveryCode: recovery.digest(of: account, by: secrets), of: account)
                guard isRight else { return nil }
                let notice = drafts.notice(ifMailed: .recoveryCodeUsed, to: account.email, for: account, by: client, in: project)
                try records.tell(notice, about: account)
                return try open(opening, for: account, in: records)
            }
            let counter = WrongCodes.Counter(
                .account(account.id, project.id), fromKnownNetwork: try knows(client.network, of: account.id, in: project.id, records))
            let isRight = try records.counting(counter, at: moment) { () throws(ActionError) in
                switch code {
                case .app(let text, _):
                    guard let step = try totp(of: factor).step(of: text.typedDigits(TOTP.digits) ?? "", at: wallTime) else { return false }
                    return try records.use(step, of: factor, of: account)
                case .textMessage(let typed):
                    return try sent.map { sent throws(ActionError) in try records.spend(typed, of: sent, by: secrets, at: moment) } ?? false
                }
            }
            return isRight ? try open(opening, for: account, in: records) : nil
        }
        // Thrown outside of the transaction, because a throw inside would forget the wrong code.
        guard let opened else { throw .refused(.invalidCode) }
        return try await issue(opened)
    }

    /// The phone number of a second factor that a sign-in may send a code to, and its account.
    ///
    /// Refuses `INVALID_MFA_PENDING_CREDENTIAL`, `MFA_ENROLLMENT_NOT_FOUND`, and `INVALID_ARGUMENT`
    /// for an authenticator app.
    /// - Parameter id: the factor.
    public func phone(
        of id: String, in credential: String, from client: Client, in project: Project
    ) async throws(ActionError) -> (PhoneNumber, Account) {
        try await counted(by: [.refresh], from: client, in: project) { () throws(ActionError) in
            try await phone(of: id, in: credential, in: project.id)
        }
    }

    private func phone(of id: String, in credential: String, in project: ProjectID) async throws(ActionError) -> (PhoneNumber, Account) {
        let pending = try pendingSignIn(credential, in: project, at: now())
        return try await store.read { (records) throws(ActionError) in
            let (account, factors) = try account(of: pending, in: records)
            let provider = SignInProvider(rawValue: pending.provider) ?? .password
            guard let factor = factors.first(where: { $0.id == id && $0.isOther(than: provider, of: account) }) else {
                throw .refused(.mfaEnrollmentNotFound)
            }
            guard let number = factor.phoneNumber.flatMap({ PhoneNumber($0) }) else {
                throw .refused(.invalidArgument, detail: "/mfaEnrollmentId is an authenticator app, which needs no text message")
            }
            return (number, account)
        }
    }

    /// The id of the factor that a code is for, and the text message that it was sent by.
    private func factor(
        of code: SecondFactorCode, _ account: Account, in records: any Records
    ) throws(ActionError) -> (id: String, sent: VerificationCode?) {
        switch code {
        case .app(_, let factor): return (factor, nil)
        case .textMessage(let typed):
            guard let sent = try records.verificationCode(secrets.digest(ofSession: typed.sessionInfo)), sent.project == account.project,
                case .secondFactor(account.id, let id) = sent.purpose
            else { throw .refused(.invalidSessionInfo) }
            return (id, sent)
        }
    }

    /// The sign-in that a client continues. Refuses `INVALID_MFA_PENDING_CREDENTIAL`.
    private func pendingSignIn(_ credential: String, in project: ProjectID, at now: Timestamp) throws(ActionError) -> PendingSignIn {
        guard let pending = secrets.opened(credential, as: PendingSignIn.self, for: .pendingSignIn), pending.project == project.rawValue
        else { throw .refused(.invalidMFAPendingCredential) }
        guard pending.isPending(at: now) else { throw .refused(.invalidMFAPendingCredential, detail: "The sign-in took too long") }
        return pending
    }

    /// The account of a sign-in and its second factors, if neither changed since the first factor
    /// was proved.
    private func account(
        of pending: PendingSignIn, in records: any Records
    ) throws(ActionError) -> (Account, [SecondFactor]) {
        let (id, project) = (AccountID(rawValue: pending.account), ProjectID(rawValue: pending.project))
        guard let account = try records.account(id, in: project) else { throw .refused(.invalidMFAPendingCredential) }
        guard !account.disabled else { throw .refused(.userDisabled) }
        let factors = try records.secondFactors(of: id, in: project)
        guard account.validSince == pending.validSince, fingerprint(of: factors) == pending.factors,
            pending.number == nil || pending.number == account.phoneNumber
        else {
            throw .refused(.invalidMFAPendingCredential, detail: "The account has changed")
        }
        return (account, factors)
    }

    /// The passwords of an authenticator app. Refuses `INVALID_ARGUMENT` for a phone.
    private func totp(of factor: SecondFactor) throws(ActionError) -> TOTP {
        guard let sealed = factor.sealedKey else {
            throw .refused(.invalidArgument, detail: "/ needs phoneVerificationInfo, because the second factor is a phone")
        }
        do { return TOTP(key: try secrets.openKey(sealed, for: .secondFactor)) } catch {
            throw .unavailable(Unavailable(.store, cause: "the key of a second factor cannot be opened: \(error)"))
        }
    }

    private func fingerprint(of factors: [SecondFactor]) -> [UInt8] {
        let texts = factors.map { "\($0.id) \($0.kind.rawValue) \($0.phoneNumber ?? "") \($0.enrolledAt.milliseconds)\n" }
        return HashFunction.sha256.hash(Array(texts.joined().utf8))
    }
}
