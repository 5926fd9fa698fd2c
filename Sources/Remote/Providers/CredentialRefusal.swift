internal import Accounts

/// Why a credential was refused. The log has the raw value; clients are told less.
enum CredentialRefusal: String, Error, Sendable, CaseIterable {
    case noCredential = "it has neither of the tokens that this provider gives"
    case malformed = "it is not a signed JWT"
    case wrongAlgorithm = "its algorithm is not that of the key"
    case unknownKey = "the provider does not publish its key"
    case wrongSignature = "its signature is wrong"
    case malformedClaims = "a claim is missing or has the wrong type"
    case noObject = "it has no oid or no tid: the app has to request the scope profile"
    case wrongIssuer = "another issuer made it"
    case wrongTenant = "its directory may not sign in"
    case wrongAudience = "it was made for another app"
    case expired = "it is expired"
    case notYetValid = "it is not valid yet"
    case noNonce = "its nonce was not sent"
    case wrongNonce = "its nonce is another"
    case wrongAccessToken = "it was not made with the access token"
    case refusedByProvider = "the provider refuses it"

    /// The error that the client gets.
    var actionError: ActionError {
        switch self {
        case .noNonce, .wrongNonce:
            .refused(.missingOrInvalidNonce, detail: "The SHA-256 of the nonce must be the nonce of the ID token")
        case .noObject:
            .refused(.invalidIDPResponse, detail: "The ID token has no oid or no tid: request the scope profile of Microsoft")
        default: .credentialRefused
        }
    }
}
