internal import CryptoExtras
internal import SwiftASN1
internal import X509

/// Whose custom tokens a project takes: a back-end that signs with a key of its own.
package struct ServiceAccount: Sendable {
    /// What its tokens say of themselves, `iss` and `sub`.
    package let email: String
    private let key: _RSA.Signing.PublicKey

    /// Why a file holds no key that could be taken.
    package struct Unusable: Error, Sendable {
        package let explanation: String
    }

    /// - Parameter pem: an RSA public key of 2048 bits or more, or an X.509 certificate that holds one, as Google publishes them. Neither
    ///   dates nor issuer of a certificate count: it is the operator who vouches for it.
    package init(email: String, pem: String) throws(Unusable) {
        self.email = email
        do {
            let document = try PEMDocument(pemString: pem)
            switch document.discriminator {
            case "CERTIFICATE":
                guard let key = _RSA.Signing.PublicKey(try Certificate(pemDocument: document).publicKey) else {
                    throw Unusable(explanation: "the certificate holds no RSA key")
                }
                self.key = key
            case "PUBLIC KEY", "RSA PUBLIC KEY": key = try _RSA.Signing.PublicKey(pemRepresentation: pem)
            default: throw Unusable(explanation: "it holds a \(document.discriminator)")
            }
        } catch let error as Unusable {
            throw error
        } catch { throw Unusable(explanation: "it cannot be read as PEM of an RSA key") }
        guard key.keySizeInBits >= 2048 else { throw Unusable(explanation: "its key has \(key.keySizeInBits) bits") }
    }

    func signed(_ token: CompactToken) -> Bool {
        token.header.alg == .rs256 && key.isRS256(token.signature, of: token.signed)
    }
}
