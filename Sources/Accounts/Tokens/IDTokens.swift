internal import CryptoExtras
internal import Foundation
internal import JWTKit

/// Makes and checks ID tokens with the installation's own RSA keys: RS256 and nothing else (T1, T2).
package struct IDTokens: Sendable {
    private let keys: JWTKeyCollection
    private let current: JWKIdentifier
    private let issuer: String?
    private let now: Now
    /// The JSON Web Key Set to publish. Source: RFC 7517.
    package let jwks: [UInt8]

    /// Loads the keys from the store, making the first one on the way.
    ///
    /// - Parameter issuer: the start of `iss`, before `/<project>`; nil: Firebase's own `https://securetoken.google.com`.
    package init(
        store: some SigningKeyStore, secrets: Secrets, issuer: String?, now: @escaping Now, random: @escaping RandomBytes
    ) async throws(ActionError) {
        let stored = try await store.signingKeys { () throws(ActionError) in
            try Self.makeKey(secrets: secrets, now: now, random: random)
        }
        do {
            let keys = JWTKeyCollection()
            var published: [PublishedKey] = []
            for key in stored {
                let pem = String(decoding: try secrets.open(key.sealedPrivateKey, for: .signingKey), as: UTF8.self)
                let privateKey = try JWTKit.Insecure.RSA.PrivateKey(pem: pem)
                await keys.add(rsa: privateKey, digestAlgorithm: .sha256, kid: JWKIdentifier(string: key.id))
                published.append(try PublishedKey(id: key.id, key: privateKey.publicKey))
            }
            guard let newest = stored.first else { throw Unavailable(.tokens, cause: "the store holds no signing key") }
            self.keys = keys
            self.issuer = issuer
            self.now = now
            current = JWKIdentifier(string: newest.id)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            jwks = Array(try encoder.encode(["keys": published]))
        } catch is Secrets.NotOurs {
            throw .unavailable(Unavailable(.tokens, cause: "the signing keys were sealed with another secret than the configured one"))
        } catch { throw .unavailable(Unavailable(.tokens, cause: "\(error)")) }
    }

    /// The `iss` of a project's tokens.
    package func issuer(of project: ProjectID) -> String { "\(issuer ?? "https://securetoken.google.com")/\(project)" }

    package func issue(for account: Account, session: Session) async throws(ActionError) -> String {
        let token = IDToken(account: account, session: session, issuer: issuer(of: account.project), issuedAt: now())
        do {
            return try await keys.sign(token, kid: current)
        } catch { throw .unavailable(Unavailable(.tokens, cause: "\(error)")) }
    }

    /// What a token says, when it is ours, for this project, and its time is not over. Whether its account still stands behind it
    /// (`validSince`, disabled) is for `Accounts`.
    package func verify(_ text: String, for project: ProjectID) async throws(ActionError) -> IDToken {
        guard text.utf8.count <= 16_384, let token = try? await keys.verify(text, as: IDToken.self),
            token.iss.value == issuer(of: project), token.aud.value == [project.rawValue], token.sub.value == token.userID
        else { throw .refused(.invalidIDToken) }
        let moment = Double(now().seconds)
        let skew = 300.0
        guard token.iat.value.timeIntervalSince1970 <= moment + skew else { throw .refused(.invalidIDToken) }
        guard moment < token.exp.value.timeIntervalSince1970 else { throw .refused(.tokenExpired) }
        return token
    }

    private static func makeKey(secrets: Secrets, now: Now, random: RandomBytes) throws(ActionError) -> StoredSigningKey {
        do {
            let pem = try _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation
            return StoredSigningKey(
                id: Base64URL.encode(random(12)), createdAt: now(),
                sealedPrivateKey: try secrets.seal(Array(pem.utf8), for: .signingKey))
        } catch { throw .unavailable(Unavailable(.tokens, cause: "\(error)")) }
    }
}

/// One public key as a JWKS lists it.
private struct PublishedKey: Encodable {
    let kty = "RSA"
    let alg = "RS256"
    let use = "sig"
    let kid: String
    let n: String
    let e: String

    init(id: String, key: JWTKit.Insecure.RSA.PublicKey) throws {
        kid = id
        let (modulus, exponent) = try key.getKeyPrimitives()
        n = Base64URL.encode(modulus)
        e = Base64URL.encode(exponent)
    }
}
