extension Accounts {
    /// A new ID token and the next refresh token for a session that is still open; see `Docs/Decisions/0007-refresh-tokens-rotate.md`.
    ///
    /// Refuses `INVALID_REFRESH_TOKEN`, also for a token superseded so long ago that only a thief, or the thief's victim, still shows
    /// it: then the sign-in ends for both. Refuses `USER_DISABLED`, `TOKEN_EXPIRED`.
    package func refresh(_ token: String, in project: ProjectID) async throws(ActionError) -> IssuedTokens {
        guard token.utf8.count == 43, let shown = Base64URL.decode(token), shown.count == 32 else { throw .refused(.invalidRefreshToken) }
        let (next, moment) = (random(32), now())
        let (shownDigest, nextDigest) = (secrets.digest(shown, for: .session), secrets.digest(next, for: .session))
        let renewed = try await store.transaction { (records) throws(ActionError) -> (Account, Session)? in
            guard let session = try records.session(shownDigest), session.project == project,
                let account = try records.account(session.account, in: project)
            else { return nil }
            guard !account.disabled else { throw .refused(.userDisabled) }
            guard session.authTime >= account.validSince else { throw .refused(.tokenExpired) }
            guard let session = try records.renew(session, by: nextDigest, at: moment) else { return nil }
            return (account, session)
        }
        // Not inside: a throw would undo the end of a family.
        guard let (account, session) = renewed else { throw .refused(.invalidRefreshToken) }
        return IssuedTokens(
            account: account, idToken: try await tokens.issue(for: account, session: session), refreshToken: Base64URL.encode(next))
    }
}

extension AccountRecords {
    /// The step of the rotation: `shown` is used, so its own parent is superseded, and a child of it is stored.
    ///
    /// - Returns: nil when `shown` was superseded longer ago than `Session.grace`; then its whole family is gone.
    fileprivate func renew(_ shown: Session, by next: Digest, at moment: Timestamp) throws(ActionError) -> Session? {
        if let retiredAt = shown.retiredAt, moment - retiredAt > Session.grace {
            try deleteSessions(of: shown.family)
            return nil
        }
        if let parent = shown.parent { try retireSession(parent, at: moment) }
        try thinSessions(of: shown.account, in: shown.project, to: Session.mostOfAccount)
        let child = shown.followed(by: next, at: moment)
        try insert(child)
        try deleteSpareSessions(of: shown.family, butNewest: Session.maxSpare, and: shown.token)
        return child
    }
}
