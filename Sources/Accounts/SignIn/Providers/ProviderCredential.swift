/// A credential that a client got from a provider, to prove who its user is. Nothing is verified.
public struct ProviderCredential: Sendable {
    /// Firebase's id of the provider.
    public let provider: String
    public var idToken: String?
    public var accessToken: String?
    /// The text whose SHA-256 the client had put into the ID token.
    public var rawNonce: String?
    /// The JSON object with the user's name that Apple sends at the first sign-in only.
    public var appleUser: String?
    /// The token that lets the client repeat a sign-in whose proof works only once.
    public var pendingToken: String?

    public init(provider: String) { self.provider = provider }
}

/// Verifies the credentials of providers.
public protocol CredentialVerifier: Sendable {
    /// The user that a credential proves.
    ///
    /// Refuses `INVALID_IDP_RESPONSE` and `MISSING_OR_INVALID_NONCE`, and `OPERATION_NOT_ALLOWED`
    /// if the project does not offer the provider.
    /// - Parameter settings: nil if the project has none for this provider.
    func verify(
        _ credential: ProviderCredential, _ settings: IdentityProvider?, in project: ProjectID
    ) async throws(ActionError) -> VerifiedIdentity

    /// The URL of the provider's sign-in page. Refuses `OPERATION_NOT_ALLOWED`.
    func page(
        _ request: ProviderPageRequest, at settings: IdentityProvider?, in project: ProjectID
    ) async throws(ActionError) -> String

    /// The user that a provider sent back from its page, and the credential that proves it. Refuses
    /// what the verification of a credential refuses.
    func verify(
        _ answer: ProviderAnswer, of visit: ProviderVisit, _ settings: IdentityProvider?, in project: ProjectID
    ) async throws(ActionError) -> (VerifiedIdentity, ProviderCredential)

    /// The user whom the `pendingToken` of an earlier credential proves. Refuses
    /// `INVALID_PENDING_TOKEN`.
    func identity(ofPending token: String, in project: ProjectID) throws(ActionError) -> VerifiedIdentity
}

extension ActionError {
    /// The refusal of a credential, with the words of Firebase, which do not say what is wrong.
    public static let credentialRefused = ActionError.refused(
        .invalidIDPResponse, detail: "The supplied auth credential is incorrect, malformed or has expired.")
    public static let providerNotOffered = ActionError.refused(
        .operationNotAllowed, detail: "The identity provider configuration is not found, or it is disabled.")
}
