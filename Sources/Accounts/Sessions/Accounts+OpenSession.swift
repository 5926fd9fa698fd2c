internal import Base

extension Accounts {
    /// Starts a session: a refresh token and a first ID token. Only the keyed hash of the refresh
    /// token is stored. An account with second factors gets a session only after a second factor,
    /// or by a custom token, for which the app's own server vouches (S7).
    ///
    /// - Parameters:
    ///   - proven: the account as it was when its user was authenticated. Refuses `TOKEN_EXPIRED`
    ///     if a password reset or another change came between.
    ///   - factor: the second factor that the user proved.
    ///   - claims: a JSON object that all ID tokens of this session contain.
    ///   - client: the client, whose network is remembered; an admin if it says nothing about the
    ///     user.
    public func openSession(
        for proven: Account, by provider: SignInProvider, after factor: ProvenSecondFactor? = nil, claims: String? = nil,
        from client: Client = .admin, in project: Project
    ) async throws(ActionError) -> IssuedTokens {
        let opening = SessionOpening(provider: provider, factor: factor, claims: claims, client: client, project: project, moment: now())
        return try await issue(
            try await store.transaction { (records) throws(ActionError) in
                try open(opening, for: records.account(unchangedSince: proven), in: records)
            })
    }

    /// A session to be opened, without its account.
    struct SessionOpening: Sendable {
        var provider: SignInProvider
        let factor: ProvenSecondFactor?
        var claims: String?
        let client: Client
        let project: Project
        let moment: Timestamp
    }

    /// A session that was opened, with what its tokens say about the account.
    struct OpenedSession: Sendable {
        fileprivate let profile: Profile
        fileprivate let session: RefreshTokenRecord
        fileprivate let refreshToken: RefreshToken
    }

    /// Opens a session in a transaction that read the account.
    func open(_ new: SessionOpening, for known: Account, in records: any Records) throws(ActionError) -> OpenedSession {
        var account = known
        if new.factor == nil, new.provider != .custom {
            // The account was not like this when its user was authenticated.
            guard try records.secondFactors(of: account.id, in: account.project).isEmpty else { throw .refused(.tokenExpired) }
        }
        if account.lastLoginAt == nil, try records.invitation(of: account) != nil {
            try records.withdrawCodes(of: account.id, in: account.project, for: [.resetPassword], at: new.moment)
            try records.set(nil, of: account)
        }
        (account.lastLoginAt, account.lastRefreshAt) = (new.moment, new.moment)
        if new.provider.needsNoAddress { account.enteredAt = account.enteredAt ?? new.moment }
        let refreshToken = RefreshToken(for: account.id, in: account.project, random: random)
        let session = RefreshTokenRecord(
            token: refreshToken.digest(by: secrets), project: account.project, account: account.id,
            authTime: max(new.moment, account.validSince), provider: new.provider, secondFactor: new.factor, createdAt: new.moment,
            claims: new.claims)
        try records.noteUse(of: account)
        if let network = new.client.network {
            let digest = digest(of: network, of: account.id, in: account.project)
            try tell(ofNewNetwork: digest, by: new, of: account, in: records)
            try records.remember(digest, of: account, at: new.moment)
        }
        try records.trimSessions(of: account.id, in: account.project, to: RefreshTokenRecord.maxPerAccount)
        try records.insert(session)
        return OpenedSession(profile: try records.profile(of: account), session: session, refreshToken: refreshToken)
    }

    /// The tokens of a session that was stored.
    func issue(_ opened: OpenedSession) async throws(ActionError) -> IssuedTokens {
        let idToken = try await afterChange { () throws(ActionError) in
            try await tokens.issue(for: opened.profile, session: opened.session)
        }
        return IssuedTokens(account: opened.profile.account, idToken: idToken, refreshToken: opened.refreshToken.text(by: secrets))
    }

    /// Runs a step that follows a change. The change stays if the step fails, so no answer may say
    /// that nothing was changed.
    func afterChange<T>(_ step: () async throws(ActionError) -> T) async throws(ActionError) -> T {
        do throws(ActionError) { return try await step() } catch {
            guard case .unavailable(let down) = error else { throw error }
            throw .unavailable(Unavailable(down.part, cause: down.cause, commitState: .unknown))
        }
    }
}

/// The tokens that a client gets when its user has signed in or refreshed a session.
public struct IssuedTokens: Sendable {
    public let account: Account
    public let idToken: String
    /// `RefreshToken.text`, stored only as a keyed hash.
    public let refreshToken: String
}
