import Base

/// The user of a verified ID token, with the account and the session as the store has them. The
/// tokens that follow say what these say, and nothing is copied from the former token.
public struct SignedInUser: Sendable {
    public let profile: Accounts.Profile
    let session: RefreshTokenRecord

    public var account: Account { profile.account }
    /// The way the user signed in.
    public var provider: SignInProvider { session.provider }
    public var secondFactor: ProvenSecondFactor? { session.secondFactor }
    var claims: String? { session.claims }
    /// Whether the session is that of an anonymous account, from which a stolen old token could
    /// take nothing away.
    public var isAnonymous: Bool { provider == .anonymous && profile.isAnonymous }
}

extension Accounts {
    /// The user of an ID token. Refuses `INVALID_ID_TOKEN`, `USER_NOT_FOUND`, `USER_DISABLED`, and
    /// `TOKEN_EXPIRED`, even if only the session has ended.
    public func user(behind idToken: String, in project: ProjectID) async throws(ActionError) -> SignedInUser {
        let token = try await tokens.verify(idToken, for: project)
        return try await store.read { (records) throws(ActionError) in
            guard let account = try records.account(AccountID(rawValue: token.userID), in: project) else { throw .refused(.userNotFound) }
            // Disabling an account ends its tokens, too, but the client should be told the reason.
            guard !account.disabled else { throw .refused(.userDisabled) }
            guard token.authTime >= account.validSince.seconds, token.validSince == account.validSince.milliseconds,
                let session = try records.session(of: token, account)
            else { throw .refused(.tokenExpired) }
            return SignedInUser(profile: try records.profile(of: account), session: session)
        }
    }

    /// How long after a sign-in a user may change the account's credentials.
    public static let usualRecentSignIn = Duration.seconds(300)

    /// Refuses `CREDENTIAL_TOO_OLD_LOGIN_AGAIN` for changes that a stolen old token must not make.
    public func requireRecentSignIn(of user: SignedInUser) throws(ActionError) {
        guard recentSignIn.map({ now() - user.session.authTime <= $0 }) ?? true else { throw .refused(.credentialTooOld) }
    }

    /// Refuses an old token where a way to sign in is linked: that lasts like a new password.
    func requireRecentSignIn(toLink user: SignedInUser) throws(ActionError) {
        if !user.isAnonymous { try requireRecentSignIn(of: user) }
    }

    /// Opens a session in place of a user's, with the developer claims and the second factor of
    /// that one. A custom token, which asks for no second factor, leads to a session of its kind
    /// where the account has one.
    ///
    /// - Parameters:
    ///   - proven: the account after the change for which the session is replaced. Refuses
    ///     `TOKEN_EXPIRED` if another change came between, or the session ended otherwise.
    ///   - factor: the second factor that the user proved in place of the session's.
    public func openSession(
        for proven: Account, by provider: SignInProvider, after factor: ProvenSecondFactor? = nil, replacing user: SignedInUser,
        in project: Project
    ) async throws(ActionError) -> IssuedTokens {
        let opening = SessionOpening(
            provider: provider, factor: factor ?? user.session.secondFactor, claims: user.session.claims, client: .admin, project: project,
            moment: now())
        let opened = try await afterChange { () throws(ActionError) in
            try await store.transaction { (records) throws(ActionError) in
                try open(opening, replacing: user, for: records.account(unchangedSince: proven), in: records)
            }
        }
        return try await issue(opened)
    }

    /// Opens a session in place of a user's, in a transaction that read the account.
    func open(
        _ new: SessionOpening, replacing user: SignedInUser, for account: Account, in records: any Records
    ) throws(ActionError) -> OpenedSession {
        if account.validSince == user.account.validSince {
            guard try records.session(family: user.session.family, of: account) != nil else { throw .refused(.tokenExpired) }
        }
        var opening = new
        if opening.factor == nil, user.provider == .custom, try !records.secondFactors(of: account.id, in: account.project).isEmpty {
            opening.provider = .custom
        }
        return try open(opening, for: account, in: records)
    }
}

extension Records {
    /// The session of a token. A token of an earlier version names none, which is then found by the
    /// way and the second of the sign-in.
    fileprivate func session(of token: IDToken, _ account: Account) throws(ActionError) -> RefreshTokenRecord? {
        guard let named = token.session else {
            return try session(of: account, by: token.firebase.signInProvider, since: Timestamp(seconds: token.authTime))
        }
        guard let family = Base64URL.decode(named) else { return nil }
        return try session(family: Digest(bytes: family), of: account)
    }

    /// The account as it is now. Refuses `USER_NOT_FOUND`, and `TOKEN_EXPIRED` for one that has
    /// changed.
    func account(unchangedSince proven: Account) throws(ActionError) -> Account {
        guard let account = try account(proven.id, in: proven.project) else { throw .refused(.userNotFound) }
        guard account.isUnchanged(since: proven) else { throw .refused(.tokenExpired) }
        return account
    }
}
