package import Accounts
internal import Crypto
internal import CryptoExtras
import Foundation
import Store

/// An RSA key that signs any token: of a back-end, of an attacker, or of a test of what else Onward checks.
package struct Signer: Sendable {
    private let key: _RSA.Signing.PrivateKey

    fileprivate init(_ key: _RSA.Signing.PrivateKey) { self.key = key }

    /// A back-end, whose key takes long to make, so that all tests share it.
    package static let backEnd = Signer(try! _RSA.Signing.PrivateKey(keySize: .bits2048))
    package static let attacker = Signer(try! _RSA.Signing.PrivateKey(keySize: .bits2048))
    package static let email = "back-end@shop.example"

    package var publicKey: String { key.publicKey.pemRepresentation }

    package func account() throws -> ServiceAccount { try ServiceAccount(email: Self.email, pem: publicKey) }

    /// - Parameters:
    ///   - payload: JSON, or something that only looks like it.
    ///   - header: likewise.
    package func token(_ payload: String, header: String = #"{"alg":"RS256","typ":"JWT"}"#) throws -> String {
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        let signature = try key.signature(for: SHA256.hash(data: Array(signed.utf8)), padding: .insecurePKCS1v1_5)
        return signed + "." + Base64URL.encode(signature.rawRepresentation)
    }

    /// A token signed by HMAC with the public key as the secret: the algorithm confusion attack.
    package func confused(_ payload: String, header: String) -> String {
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        let mac = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: SymmetricKey(data: Array(publicKey.utf8)))
        return signed + "." + Base64URL.encode(mac)
    }
}

extension World {
    /// A signer with the key that the world signs with now.
    package func insider() async throws -> Signer {
        let stored = try await store.signingKeys().last { $0.signsFrom <= clock.now() }
        let pem = try secrets.open(stored?.sealedPrivateKey ?? [], for: .signingKey)
        return Signer(try _RSA.Signing.PrivateKey(pemRepresentation: String(decoding: pem, as: UTF8.self)))
    }
}
