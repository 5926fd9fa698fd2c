internal import Accounts
internal import Base
internal import Cryptography

/// A public key that verifies a provider's ID tokens. Its kind decides the algorithm: RS256 for an
/// RSA key, ES256 for one of P-256. Source: RFC 7517, RFC 7518 sections 3 and 6.
struct ProviderKey: Sendable {
    private enum Material: Sendable {
        case rsa(RSAPublicKey)
        case p256(P256PublicKey)
    }

    let id: String?
    /// The only issuer that may sign with the key. Microsoft publishes the keys of several.
    let issuer: String?
    private let material: Material

    /// Nil for a key of another kind or for another use.
    init?(jwk: JSON) {
        func number(_ name: String) -> [UInt8]? { jwk[name]?.string.flatMap(Base64URL.decode) }
        guard jwk["use"] == nil || jwk["use"]?.string == "sig" else { return nil }
        switch jwk["kty"]?.string {
        case "RSA":
            guard let n = number("n"), let e = number("e"), let key = try? RSAPublicKey(modulus: n, exponent: e) else { return nil }
            material = .rsa(key)
        case "EC":
            guard jwk["crv"]?.string == "P-256", let x = number("x"), let y = number("y"), let key = P256PublicKey(x: x, y: y) else {
                return nil
            }
            material = .p256(key)
        default: return nil
        }
        (id, issuer) = (jwk["kid"]?.string, jwk["issuer"]?.string)
        guard jwk["alg"] == nil || jwk["alg"]?.string == algorithm else { return nil }
    }

    /// The name of the algorithm as tokens spell it.
    var algorithm: String {
        switch material {
        case .rsa: "RS256"
        case .p256: "ES256"
        }
    }

    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch material {
        case .rsa(let key): key.verifies(signature, of: message)
        case .p256(let key): key.verifies(raw: signature, of: message)
        }
    }
}

/// The keys that a provider publishes at one time.
struct ProviderKeys: Sendable {
    /// The most keys that are read.
    private static let maxCount = 64

    private let keys: [ProviderKey]

    /// Nil for anything but a JSON Web Key Set. Keys of other kinds are left out, as RFC 7517
    /// section 5 asks.
    init?(jwks: [UInt8]) {
        guard let list = (try? JSON(jwks))?["keys"]?.items, list.count <= Self.maxCount else { return nil }
        keys = list.compactMap(ProviderKey.init)
    }

    /// The key with this id. A token without a key id is of the only key.
    subscript(id: String?) -> ProviderKey? {
        guard let id else { return keys.count == 1 ? keys[0] : nil }
        return keys.first { $0.id.map { Array($0.utf8) } == Array(id.utf8) }
    }
}
