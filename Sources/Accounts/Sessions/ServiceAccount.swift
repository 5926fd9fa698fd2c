public import Cryptography

/// A back-end whose custom tokens a project accepts. It signs them with its own key.
public struct ServiceAccount: Sendable {
    /// The `iss` and `sub` of its tokens.
    public let email: String
    private let key: RSAPublicKey

    /// - Parameter pem: an RSA public key, or an X.509 certificate that contains one, as Google
    ///   publishes them. Neither dates nor issuer of a certificate are checked: the operator
    ///   vouches for it.
    public init(email: String, pem: String) throws(RSAPublicKey.Invalid) {
        self.email = email
        key = try RSAPublicKey(pem: pem)
    }

    func signed(_ token: CompactToken) -> Bool {
        token.header.alg == .rs256 && key.verifies(token.signature, of: token.signed)
    }
}
