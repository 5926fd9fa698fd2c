package import Accounts

/// Refuses every credential, for sites without providers.
package struct NoProviders: CredentialVerifier {
    package init() {}

    package func verify(
        _ credential: ProviderCredential, _ settings: IdentityProvider?, in project: ProjectID
    ) async throws(ActionError) -> VerifiedIdentity {
        throw .providerNotOffered
    }

    package func page(
        _ request: ProviderPageRequest, at settings: IdentityProvider?, in project: ProjectID
    ) async throws(ActionError) -> String { throw .providerNotOffered }

    package func verify(
        _ answer: ProviderAnswer, of visit: ProviderVisit, _ settings: IdentityProvider?, in project: ProjectID
    ) async throws(ActionError) -> (VerifiedIdentity, ProviderCredential) { throw .providerNotOffered }

    package func identity(ofPending token: String, in project: ProjectID) throws(ActionError) -> VerifiedIdentity {
        throw .providerNotOffered
    }
}
