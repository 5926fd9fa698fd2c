internal import Cryptography

extension Accounts {
    /// Signs a user in who has proved a first factor: opens a session, or asks for a second factor
    /// if the account has one (S7).
    ///
    /// - Parameters:
    ///   - proven: the account as it was when its user was authenticated.
    ///   - network: as for `openSession`.
    package func signIn(
        _ proven: Account, by provider: SignInProvider, from network: String? = nil
    ) async throws(ActionError) -> FirstFactorResult {
        let factors = try await store.read { (records) throws(ActionError) in
            try records.secondFactors(of: proven.id, in: proven.project)
        }
        // A factor that is enrolled now makes `openSession` refuse.
        guard !factors.isEmpty else { return .signedIn(try await openSession(for: proven, by: provider, from: network)) }
        let pending = PendingSignIn(
            project: proven.project.rawValue, account: proven.id.rawValue, provider: provider.rawValue, validSince: proven.validSince,
            factors: fingerprint(of: factors), provedAt: now())
        return .needsSecondFactor(credential: try secrets.sealed(pending, for: .pendingSignIn), factors)
    }

    /// Completes a sign-in with the code of an authenticator app, or with a recovery code.
    ///
    /// Refuses `INVALID_MFA_PENDING_CREDENTIAL` if the sign-in was not begun here, more than ten
    /// minutes ago, or before a change of the account; `MFA_ENROLLMENT_NOT_FOUND`, `INVALID_CODE`,
    /// `USER_DISABLED`, and `TOO_MANY_ATTEMPTS_TRY_LATER` after wrong codes (see `WrongCodes`).
    /// - Parameters:
    ///   - credential: what `signIn` returned.
    ///   - id: the factor to which the code belongs.
    ///   - network: the network of the client; nil if it says nothing about the user.
    package func finishSignIn(
        _ credential: String, with code: String, of id: String, from network: String? = nil, in project: ProjectID
    ) async throws(ActionError) -> IssuedTokens {
        let (moment, wallTime) = (now(), tokens.now())
        let pending = try pendingSignIn(credential, in: project, at: moment)
        guard let provider = SignInProvider(rawValue: pending.provider) else { throw .refused(.invalidMFAPendingCredential) }
        let recovery = RecoveryCode(typed: code)
        let proven = ProvenSecondFactor(recovery == nil ? .totp : .recoveryCode, id: id)
        let opening = sessionOpening(by: provider, after: proven, network: network, at: moment)
        let opened = try await store.transaction { (records) throws(ActionError) -> OpenedSession? in
            let (account, factors) = try account(of: pending, in: records)
            guard let factor = factors.first(where: { $0.id == id }) else { throw .refused(.mfaEnrollmentNotFound) }
            if let recovery {
                // Not counted: there are too many to guess, and a user may need one in a pause.
                let isRight = try records.spend(recoveryCode: recovery.digest(of: account, by: secrets), of: account)
                return isRight ? try open(opening, for: account, in: records) : nil
            }
            let network = network.map { digest(of: $0, of: account.id, in: project) }
            let isKnown = try network.map { digest throws(ActionError) in
                try records.knows(digest, since: moment + (.zero - Self.networkRetention))
            }
            let wrong = try records.wrongCodes(of: account, fromKnownNetwork: isKnown ?? false)
            if let wrong, wrong.nextAt > moment { throw .tooSoon(retryAfter: wrong.nextAt - moment) }
            guard let step = try totp(of: factor).step(of: code.typedDigits(TOTP.digits) ?? "", at: wallTime),
                try records.use(step, of: factor, of: account)
            else {
                try records.set(.next(after: wrong, at: moment), of: account, fromKnownNetwork: isKnown ?? false)
                return nil
            }
            if wrong != nil { try records.set(nil, of: account, fromKnownNetwork: isKnown ?? false) }
            return try open(opening, for: account, in: records)
        }
        // Thrown outside of the transaction, because a throw inside would forget the wrong code.
        guard let opened else { throw .refused(.invalidCode) }
        return try await issue(opened)
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
        of pending: PendingSignIn, in records: any AccountRecords
    ) throws(ActionError) -> (Account, [SecondFactor]) {
        let (id, project) = (AccountID(rawValue: pending.account), ProjectID(rawValue: pending.project))
        guard let account = try records.account(id, in: project) else { throw .refused(.invalidMFAPendingCredential) }
        guard !account.disabled else { throw .refused(.userDisabled) }
        let factors = try records.secondFactors(of: id, in: project)
        guard account.validSince == pending.validSince, fingerprint(of: factors) == pending.factors else {
            throw .refused(.invalidMFAPendingCredential, detail: "The account has changed")
        }
        return (account, factors)
    }

    /// The passwords of an authenticator app. Refuses `OPERATION_NOT_ALLOWED` for a phone.
    private func totp(of factor: SecondFactor) throws(ActionError) -> TOTP {
        guard let sealed = factor.sealedKey else {
            throw .refused(.operationNotAllowed, detail: "This server sends no text messages")
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
