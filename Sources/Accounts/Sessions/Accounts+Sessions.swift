import Base

extension Accounts {
    /// A new ID token and the next refresh token of a session that is open; see
    /// `Docs/internal/Decisions/0007-refresh-tokens-rotate.md`.
    ///
    /// Refuses `INVALID_REFRESH_TOKEN` for a token that this server did not issue for this project,
    /// and says of all others why their session ended: `USER_NOT_FOUND`, `USER_DISABLED` or
    /// `TOKEN_EXPIRED` (T7). A token that was superseded longer ago than
    /// `RefreshTokenRecord.grace` is in the hands of a thief or of a thief's victim, so its sign-in
    /// ends for both.
    public func refresh(_ token: String, from client: Client, in project: Project) async throws(ActionError) -> IssuedTokens {
        try await counted(by: [.refresh], from: client, in: project) { () throws(ActionError) in
            try await refresh(token, in: project.id)
        }
    }

    private func refresh(_ token: String, in project: ProjectID) async throws(ActionError) -> IssuedTokens {
        guard let shown = RefreshToken(token, in: project, by: secrets) else { throw .refused(.invalidRefreshToken) }
        let (next, moment) = (RefreshToken(for: shown.account, in: project, random: random), now())
        let (shownDigest, nextDigest) = (shown.digest(by: secrets), next.digest(by: secrets))
        let renewed = try await store.transaction { (records) throws(ActionError) -> (Profile, RefreshTokenRecord)? in
            guard var account = try records.account(shown.account, in: project) else { throw .refused(.userNotFound) }
            guard !account.disabled else { throw .refused(.userDisabled) }
            guard let session = try records.session(shownDigest), session.authTime >= account.validSince,
                let session = try records.renew(session, by: nextDigest, at: moment)
            else { return nil }
            if account.lastRefreshAt.map({ moment - $0 >= Account.refreshPrecision }) ?? true {
                account.lastRefreshAt = moment
                try records.noteUse(of: account)
            }
            return (try records.profile(of: account), session)
        }
        // Thrown outside of the transaction, because a throw inside would undo the end of the
        // sign-in.
        guard let (profile, session) = renewed else { throw .refused(.tokenExpired) }
        let idToken = try await afterChange { () throws(ActionError) in try await tokens.issue(for: profile, session: session) }
        return IssuedTokens(account: profile.account, idToken: idToken, refreshToken: next.text(by: secrets))
    }
}

extension Records {
    /// Rotates a refresh token: `shown` is in use, so the token before it is superseded, and the
    /// token after it is stored.
    ///
    /// - Returns: nil if `shown` was superseded longer ago than `RefreshTokenRecord.grace`; then
    ///   all tokens of its sign-in are deleted.
    fileprivate func renew(_ shown: RefreshTokenRecord, by next: Digest, at moment: Timestamp) throws(ActionError) -> RefreshTokenRecord? {
        if let retiredAt = shown.retiredAt, moment - retiredAt > RefreshTokenRecord.grace {
            try deleteSessions(of: shown.family)
            return nil
        }
        if let parent = shown.parent { try retireSession(parent, at: moment) }
        try trimSessions(of: shown.account, in: shown.project, to: RefreshTokenRecord.maxPerAccount)
        let child = shown.followed(by: next, at: moment)
        try insert(child)
        try deleteUnusedSessions(of: shown.family, exceptNewest: RefreshTokenRecord.maxUnused, and: shown.token)
        return child
    }
}

extension Accounts {
    /// The lifetimes that a session cookie may have. The bounds are Firebase's; the upper one is
    /// the default.
    public static let cookieLifetimes: ClosedRange<Duration> = .seconds(300)...(.seconds(14 * 86_400))

    /// A session cookie with the claims of the user's ID token, for the pages of a back-end.
    /// Refuses `INVALID_DURATION`.
    public func sessionCookie(
        for user: SignedInUser, lasting span: Duration = cookieLifetimes.upperBound
    ) async throws(ActionError) -> String {
        guard Self.cookieLifetimes.contains(span) else { throw .refused(.invalidDuration) }
        return try await tokens.cookie(for: user, lasting: span)
    }
}
