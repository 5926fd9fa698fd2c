package import Accounts
import Base
internal import Cryptography
import Foundation
import Store

/// An RSA key that signs any token: of a back-end, of an attacker, or of a test of what else Onward
/// checks.
package struct Signer: Sendable {
    private let key: RSAPrivateKey

    fileprivate init(_ key: RSAPrivateKey) { self.key = key }

    /// A back-end. Its key takes long to generate, so all tests share it.
    package static let backEnd = Signer(try! RSAPrivateKey())
    package static let attacker = Signer(try! RSAPrivateKey())
    package static let email = "back-end@shop.example"

    package var publicKey: String { key.publicKey.pem }

    /// The public key as a JSON Web Key.
    package func jwk(id: String) -> String {
        let (n, e) = (Base64URL.encode(key.publicKey.modulus), Base64URL.encode(key.publicKey.exponent))
        return #"{"kty":"RSA","use":"sig","alg":"RS256","kid":"\#(id)","n":"\#(n)","e":"\#(e)"}"#
    }

    package func account() throws -> ServiceAccount { try ServiceAccount(email: Self.email, pem: publicKey) }

    /// Signs a token by RS256, whatever it says.
    /// - Parameters:
    ///   - payload: JSON, or something that only looks like it.
    ///   - header: likewise.
    package func token(_ payload: String, header: String = #"{"alg":"RS256","typ":"JWT"}"#) throws -> String {
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        return signed + "." + Base64URL.encode(try key.sign(Array(signed.utf8)))
    }

    /// A token signed by HMAC with the public key as the secret: the algorithm confusion attack.
    package func confused(_ payload: String, header: String) -> String {
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        let mac = HMACKey(Array(publicKey.utf8), .sha256).authenticate(Array(signed.utf8))
        return signed + "." + Base64URL.encode(mac)
    }
}

extension World {
    /// A signer with the key that the world signs with now.
    package func insider() async throws -> Signer {
        let stored = try await store.signingKeys().last { $0.signsFrom <= clock.now() }
        let pem = try secrets.open(stored?.sealedPrivateKey ?? [], for: .signingKey)
        return Signer(RSAPrivateKey(pem: pem)!)
    }
}
