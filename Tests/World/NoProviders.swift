package import Accounts

/// Refuses every credential, for sites without providers.
package struct NoProviders: CredentialVerifier {
    package init() {}

    package func verify(
        _ credential: ProviderCredential, _ settings: IdentityProvider?, in project: ProjectID
    ) async throws(ActionError) -> VerifiedIdentity {
        throw .providerNotOffered
    }
}
