public import Accounts

extension ProviderVerifier {
    public func page(
        _ request: ProviderPageRequest, at settings: IdentityProvider?, in project: ProjectID
    ) async throws(ActionError) -> String {
        let provider = try offered(settings)
        return try await reporting(provider, project) { () async throws(ProviderError) in try await exchange(provider).page(request) }
    }

    public func verify(
        _ answer: ProviderAnswer, of visit: ProviderVisit, _ settings: IdentityProvider?, in project: ProjectID
    ) async throws(ActionError) -> (VerifiedIdentity, ProviderCredential) {
        if acceptsUnsigned, settings == nil {
            var credential = ProviderCredential(provider: visit.provider)
            credential.idToken = answer.idToken
            return (try await verify(credential, nil, in: project), credential)
        }
        let provider = try offered(settings)
        return try await reporting(provider, project) { () async throws(ProviderError) in
            var credential = ProviderCredential(provider: provider.id)
            let exchange = try await exchange(provider)
            if let said = answer.issuer, let issuer = exchange.endpoints.issuer, !said.isSame(as: issuer) { throw .refused(.wrongIssuer) }
            if provider.usesCodeFlow {
                guard let code = answer.code else { throw .refused(.noCredential) }
                credential = try await exchange.credential(for: code, of: visit, secret: secret(of: provider))
            } else {
                (credential.idToken, credential.accessToken) = (answer.idToken, answer.accessToken)
            }
            (credential.rawNonce, credential.appleUser) = (visit.rawNonce, answer.appleUser)
            let identity = try await identity(credential, provider)
            // The same code, or a token with a nonce of ours, cannot be sent again.
            credential.pendingToken = PendingToken(identity).text(in: project, at: now(), by: secrets)
            return (identity, credential)
        }
    }

    public func identity(ofPending token: String, in project: ProjectID) throws(ActionError) -> VerifiedIdentity {
        try PendingToken(token, in: project, at: now(), by: secrets).identity
    }

    private func exchange(_ provider: IdentityProvider) async throws(ProviderError) -> CodeExchange {
        let endpoints =
            if let own = CodeEndpoints(of: provider) { own } else {
                CodeEndpoints(try await issuers.issuer(provider.server, at: now()))
            }
        return CodeExchange(provider: provider, endpoints: endpoints, clients: clients)
    }

    /// Refuses providers that are not offered.
    func offered(_ settings: IdentityProvider?) throws(ActionError) -> IdentityProvider {
        guard let settings, settings.isEnabled else { throw .providerNotOffered }
        return settings
    }
}
