public import Base

/// Issues and verifies ID tokens and session cookies.
public struct IDTokens: Sendable {
    /// The one kind of signature that all tokens of an installation have. A token of the other kind
    /// is refused (T1).
    private enum Signature: Sendable { case signed(SigningKeys), unsigned }

    private let signature: Signature
    public let names: TokenNames
    /// The wall clock: tokens are made and judged by other machines, too.
    public let now: Now

    private init(_ signature: Signature, names: TokenNames, now: @escaping Now) {
        self.signature = signature
        self.names = names
        self.now = now
    }

    /// Tokens that are signed by RS256 with the installation's own keys, and by nothing else (T1,
    /// T2).
    public init(signedWith keys: SigningKeys, names: TokenNames, now: @escaping Now) { self.init(.signed(keys), names: names, now: now) }

    /// Tokens with an empty signature, which proves nothing. For development only: Node's
    /// Admin SDK accepts no others from an emulator.
    public static func unsigned(names: TokenNames, now: @escaping Now) -> IDTokens { IDTokens(.unsigned, names: names, now: now) }

    /// The keys to publish; none if tokens are not signed.
    public func ring() async throws(ActionError) -> KeyRing {
        switch signature {
        case .signed(let keys): try await keys.ring()
        case .unsigned: KeyRing.empty
        }
    }

    /// Issues an ID token for an open session of an account.
    public func issue(for profile: Accounts.Profile, session: RefreshTokenRecord) async throws(ActionError) -> String {
        try await text(of: IDToken(profile, session: session, names: names, issuedAt: now()))
    }

    /// The claims of an ID token that was issued here for this project and has not expired.
    /// `Accounts` checks whether its account still accepts it (`validSince`, disabled). Refuses
    /// `INVALID_ID_TOKEN` and `TOKEN_EXPIRED`.
    public func verify(_ text: String, for project: ProjectID) async throws(ActionError) -> IDToken {
        try await verify(text, for: project) { $0.issuer(of: project) }
    }

    /// The claims of a session cookie, likewise.
    public func verify(cookie: String, for project: ProjectID) async throws(ActionError) -> IDToken {
        try await verify(cookie, for: project) { $0.cookieIssuer(of: project) }
    }

    /// A session cookie of a user, with its own lifetime.
    func cookie(for user: SignedInUser, lasting span: Duration) async throws(ActionError) -> String {
        var cookie = IDToken(user.profile, session: user.session, names: names, issuedAt: now())
        cookie.iss = names.cookieIssuer(of: user.account.project)
        cookie.exp = cookie.iat + span.components.seconds
        return try await text(of: cookie)
    }

    private func text(of token: IDToken) async throws(ActionError) -> String {
        let key: SigningKey? =
            switch signature {
            case .signed(let keys): try await keys.ring().signing(at: now())
            case .unsigned: nil
            }
        do {
            guard let key else { return try CompactToken.text(token, header: .init(alg: .none)) }
            return try CompactToken.text(token, header: .init(alg: .rs256, kid: key.id)) { try key.sign($0) }
        } catch { throw .unavailable(Unavailable(.tokens, cause: "\(error)")) }
    }

    /// - Parameter issuer: the `iss` of these tokens, by the names of an installation.
    private func verify(
        _ text: String, for project: ProjectID, from issuer: (TokenNames) -> String
    ) async throws(ActionError) -> IDToken {
        guard let compact = CompactToken(text), try await isOurs(compact), let token = IDToken(compact),
            [names, names.withoutAliases].contains(where: { token.iss == issuer($0) && token.aud == $0.audience(of: project) }),
            token.sub == token.userID
        else { throw .refused(.invalidIDToken) }
        guard token.iat <= (now() + Self.skew).seconds else { throw .refused(.invalidIDToken) }
        guard now().seconds < token.exp else { throw .refused(.tokenExpired) }
        return token
    }

    /// The difference between the clocks of two machines that is tolerated (T3).
    static let skew = Duration.seconds(300)

    /// The project that a token names, which is not verified; nil if it names none.
    public static func project(namedBy text: String) -> ProjectID? {
        CompactToken(text).flatMap { IDToken($0) }.map { ProjectID(rawValue: $0.aud) }
    }

    /// The account of a token, which is not verified; nil if it names none.
    public static func account(namedBy text: String) -> AccountID? {
        CompactToken(text).flatMap { IDToken($0) }.map { AccountID(rawValue: $0.sub) }
    }

    private func isOurs(_ token: CompactToken) async throws(ActionError) -> Bool {
        switch (signature, token.header.alg) {
        case (.signed(let keys), .rs256):
            guard let kid = token.header.kid, let key = try await keys.ring(holding: kid)[kid] else { return false }
            return key.isSignature(token.signature, of: token.signed)
        case (.unsigned, .none): return token.signature.isEmpty
        case (.signed, .none), (.unsigned, .rs256): return false
        }
    }
}
