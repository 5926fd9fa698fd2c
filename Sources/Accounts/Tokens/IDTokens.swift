/// Makes and checks the tokens of people who are signed in: ID tokens and session cookies.
package struct IDTokens: Sendable {
    /// One of the two for all tokens of an installation, made and taken back: a token of the other kind is none of ours (T1).
    private enum Seal: Sendable { case signed(SigningKeys), unsigned }

    private let seal: Seal
    package let names: TokenNames
    private let now: Now

    private init(_ seal: Seal, names: TokenNames, now: @escaping Now) {
        self.seal = seal
        self.names = names
        self.now = now
    }

    /// Signed with the installation's own RSA keys: RS256 and nothing else (T1, T2).
    package init(signedWith keys: SigningKeys, names: TokenNames, now: @escaping Now) { self.init(.signed(keys), names: names, now: now) }

    /// With an empty signature, which proves nothing to anybody: for development only, because admin SDKs take no other from an emulator.
    package static func unsigned(names: TokenNames, now: @escaping Now) -> IDTokens { IDTokens(.unsigned, names: names, now: now) }

    /// The keys to publish; none where nothing is signed.
    package func ring() async throws(ActionError) -> KeyRing {
        switch seal {
        case .signed(let keys): try await keys.ring()
        case .unsigned: KeyRing.empty
        }
    }

    /// An ID token for an open session.
    package func issue(for account: Account, session: Session) async throws(ActionError) -> String {
        try await text(of: IDToken(account: account, session: session, names: names, issuedAt: now()))
    }

    /// What an ID token says, when it is ours, for this project, and its time is not over. Whether its account still stands behind it
    /// (`validSince`, disabled) is for `Accounts`.
    package func verify(_ text: String, for project: ProjectID) async throws(ActionError) -> IDToken {
        try await verify(text, from: names.issuer(of: project), for: project)
    }

    /// The same for a session cookie.
    package func verify(cookie: String, for project: ProjectID) async throws(ActionError) -> IDToken {
        try await verify(cookie, from: names.cookieIssuer(of: project), for: project)
    }

    /// A session cookie that says what `token` says, for longer.
    func cookie(of token: IDToken, in project: ProjectID, lasting span: Duration) async throws(ActionError) -> String {
        var cookie = token
        cookie.iss = names.cookieIssuer(of: project)
        cookie.iat = now().seconds
        cookie.exp = cookie.iat + span.components.seconds
        return try await text(of: cookie)
    }

    private func text(of token: IDToken) async throws(ActionError) -> String {
        let key: SigningKey? =
            switch seal {
            case .signed(let keys): try await keys.ring().signing(at: now())
            case .unsigned: nil
            }
        do {
            guard let key else { return try CompactToken.text(token, header: .init(alg: .none)) }
            return try CompactToken.text(token, header: .init(alg: .rs256, kid: key.id)) { try key.sign($0) }
        } catch { throw .unavailable(Unavailable(.tokens, cause: "\(error)")) }
    }

    private func verify(_ text: String, from issuer: String, for project: ProjectID) async throws(ActionError) -> IDToken {
        guard let compact = CompactToken(text), try await isOurs(compact), let token = IDToken(compact), token.iss == issuer,
            token.aud == names.audience(of: project), token.sub == token.userID
        else { throw .refused(.invalidIDToken) }
        guard token.iat <= (now() + Self.skew).seconds else { throw .refused(.invalidIDToken) }
        guard now().seconds < token.exp else { throw .refused(.tokenExpired) }
        return token
    }

    /// By how much the clocks of two machines may differ (T3).
    static let skew = Duration.seconds(300)

    private func isOurs(_ token: CompactToken) async throws(ActionError) -> Bool {
        switch (seal, token.header.alg) {
        case (.signed(let keys), .rs256):
            guard let kid = token.header.kid, let key = try await keys.ring(holding: kid)[kid] else { return false }
            return key.isSignature(token.signature, of: token.signed)
        case (.unsigned, .none): return token.signature.isEmpty
        case (.signed, .none), (.unsigned, .rs256): return false
        }
    }
}
