public import Accounts
public import Base
public import Logging

/// Verifies credentials: ID tokens by the keys of their providers, access tokens by asking.
///
/// The stages are types: `ProviderCredential` → `SignedToken` → `TokenClaims` → `VerifiedIdentity`,
/// and only the stage before makes the next.
public struct ProviderVerifier: CredentialVerifier {
    let clients: ProviderClients
    let issuers: OpenIDIssuers
    let secrets: Secrets
    let now: Now
    let acceptsUnsigned: Bool
    private let logger: Logger

    /// - Parameters:
    ///   - secrets: opens the client secrets that admins set.
    ///   - now: wall time, as providers use it in their tokens.
    ///   - acceptsUnsigned: whether the unsigned credentials of Firebase's emulator are accepted,
    ///     for any provider, and signed ones of providers that are not configured without a check;
    ///     for development only.
    public init(clients: ProviderClients, secrets: Secrets, now: @escaping Now, acceptsUnsigned: Bool = false, logger: Logger) {
        self.clients = clients
        issuers = OpenIDIssuers { (server, now) throws(ProviderError) in try await OpenIDIssuer.fetch(server, by: clients, at: now) }
        self.secrets = secrets
        self.now = now
        self.acceptsUnsigned = acceptsUnsigned
        self.logger = logger
    }

    public func verify(
        _ credential: ProviderCredential, _ settings: IdentityProvider?, in project: ProjectID
    ) async throws(ActionError) -> VerifiedIdentity {
        if acceptsUnsigned, let unsigned = UnsignedCredential(credential, orSigned: settings == nil) {
            guard let identity = unsigned.identity(of: credential.provider) else { throw .credentialRefused }
            return identity
        }
        let settings = try offered(settings)
        return try await reporting(settings, project) { () async throws(ProviderError) in try await identity(credential, settings) }
    }

    /// Runs work with a provider. Logs why a credential was refused, which the client is not told.
    func reporting<T>(
        _ provider: IdentityProvider, _ project: ProjectID, _ work: () async throws(ProviderError) -> T
    ) async throws(ActionError) -> T {
        do throws(ProviderError) { return try await work() } catch {
            switch error {
            case .refused(let reason):
                logger.notice(
                    "credential of a provider refused",
                    metadata: ["project": "\(project)", "provider": "\(provider.id)", "reason": "\(reason.rawValue)"])
                throw reason.actionError
            case .unavailable(let cause): throw .unavailable(Unavailable(.provider, cause: cause))
            }
        }
    }

    func identity(_ credential: ProviderCredential, _ provider: IdentityProvider) async throws(ProviderError) -> VerifiedIdentity {
        switch provider.kind {
        case .google, .apple, .microsoft, .openID: return try await openIDIdentity(credential, provider)
        case .facebook:
            let token = try ProviderError.checking { () throws(CredentialRefusal) in try AccessToken(credential.accessToken) }
            return try await FacebookGraph(provider: provider, secret: secret(of: provider), clients: clients)
                .identity(of: token, at: now())
        case .gitHub:
            let token = try ProviderError.checking { () throws(CredentialRefusal) in try AccessToken(credential.accessToken) }
            return try await GitHubAPI(provider: provider, secret: secret(of: provider), clients: clients).identity(of: token)
        }
    }

    func secret(of provider: IdentityProvider) throws(ProviderError) -> String {
        guard let secret = provider.clientSecret?.text(by: secrets) else {
            throw .unavailable(cause: "\(provider.id): its client secret cannot be opened with the installation's secret; set it again")
        }
        return secret
    }

    private func openIDIdentity(
        _ credential: ProviderCredential, _ provider: IdentityProvider
    ) async throws(ProviderError) -> VerifiedIdentity {
        let token = try ProviderError.checking { () throws(CredentialRefusal) in
            guard let text = credential.idToken else { throw .noCredential }
            return try SignedToken(text)
        }
        let moment = now()
        func identity(by issuer: OpenIDIssuer) throws(CredentialRefusal) -> VerifiedIdentity {
            guard let key = issuer.keys[token.keyID] else { throw .unknownKey }
            let claims = try token.claims(verifiedBy: key)
            try claims.check(credential, provider, issuer: issuer.name, at: moment)
            return try claims.identity(credential, provider)
        }
        let issuer = try await issuers.issuer(provider.server, holding: token.keyID, at: moment)
        do throws(CredentialRefusal) { return try identity(by: issuer) } catch {
            guard error == .wrongSignature else { throw .refused(error) }
            // The provider may have replaced a key without giving the new one another id, or any.
            let newer = try await issuers.issuer(provider.server, newerThan: issuer, at: moment)
            return try ProviderError.checking { () throws(CredentialRefusal) in try identity(by: newer) }
        }
    }
}
