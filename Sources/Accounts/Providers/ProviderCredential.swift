/// A credential that a client got from a provider, to prove who its user is. Nothing is verified.
package struct ProviderCredential: Sendable {
    /// Firebase's id of the provider.
    package let provider: String
    package var idToken: String?
    package var accessToken: String?
    /// The text whose SHA-256 the client had put into the ID token.
    package var rawNonce: String?
    /// The JSON object with the user's name that Apple sends at the first sign-in only.
    package var appleUser: String?

    package init(provider: String) { self.provider = provider }
}

/// Verifies the credentials of providers.
package protocol CredentialVerifier: Sendable {
    /// The user that a credential proves.
    ///
    /// Refuses `INVALID_IDP_RESPONSE` and `MISSING_OR_INVALID_NONCE`, and `OPERATION_NOT_ALLOWED`
    /// if the project does not offer the provider.
    /// - Parameter settings: nil if the project has none for this provider.
    func verify(
        _ credential: ProviderCredential, _ settings: IdentityProvider?, in project: ProjectID
    ) async throws(ActionError) -> VerifiedIdentity
}

extension ActionError {
    /// The refusal of a credential, with the words of Firebase, which do not say what is wrong.
    package static let credentialRefused = ActionError.refused(
        .invalidIDPResponse, detail: "The supplied auth credential is incorrect, malformed or has expired.")
    package static let providerNotOffered = ActionError.refused(
        .operationNotAllowed, detail: "The identity provider configuration is not found, or it is disabled.")
}
