internal import Accounts
internal import Base
internal import Cryptography

/// The claims of an ID token whose signature is right. They count only once they have been checked
/// for their recipient, their time and their nonce. Source: OpenID Connect Core 1.0 section
/// 3.1.3.7.
struct TokenClaims {
    /// The difference between the clocks of the provider and of this machine that is tolerated.
    static let leeway = Duration.seconds(60)

    let json: JSON
    /// The key that made the signature.
    let signer: ProviderKey

    /// Checks what every provider's token must be: of this issuer, for this project, in time, and
    /// with the nonce and access token that the client has.
    /// - Parameter issuer: as the provider's discovery document names it.
    func check(
        _ credential: ProviderCredential, _ provider: IdentityProvider, issuer: String, at now: Timestamp
    ) throws(CredentialRefusal) {
        try checkIssuer(issuer, of: provider)
        let audiences = try audiences()
        // A token that is also for an app of others can be used by those.
        guard !audiences.isEmpty, audiences.allSatisfy({ audience in provider.clientIDs.contains { $0.isSame(as: audience) } }) else {
            throw .wrongAudience
        }
        guard let expiry = seconds("exp"), let issuedAt = seconds("iat") else { throw .malformedClaims }
        guard now < Timestamp(seconds: expiry) + Self.leeway else { throw .expired }
        let latest = (now + Self.leeway).seconds
        guard issuedAt <= latest, json["nbf"] == nil || seconds("nbf").map({ $0 <= latest }) == true else { throw .notYetValid }
        try checkNonce(credential.rawNonce, isOptional: provider.kind == .google)
        try checkAccessToken(credential.accessToken)
    }

    /// A text claim; nil if it is absent or of another type.
    func text(_ name: String) -> String? { json[name]?.string }

    /// A flag, which Apple also sends as text and Microsoft as a number.
    func flag(_ name: String) -> Bool {
        switch json[name] {
        case .bool(true)?, .string("true")?, .string("1")?, .number("1")?: true
        default: false
        }
    }

    func audiences() throws(CredentialRefusal) -> [String] {
        switch json["aud"] {
        case .string(let one)?: return [one]
        case .array(let items)?:
            let texts = items.compactMap(\.string)
            guard texts.count == items.count else { throw .malformedClaims }
            return texts
        default: throw .malformedClaims
        }
    }

    /// Whole seconds since 1970, within a range in which sums cannot overflow.
    private func seconds(_ name: String) -> Int64? {
        guard case .number(let text)? = json[name], let number = Int64(text) ?? Double(text).flatMap({ Int64(exactly: $0.rounded(.down)) }),
            (0...9_999_999_999).contains(number)
        else { return nil }
        return number
    }

    private func checkIssuer(_ issuer: String, of provider: IdentityProvider) throws(CredentialRefusal) {
        guard let own = text("iss") else { throw .malformedClaims }
        switch provider.kind {
        // Google's tokens have either spelling.
        case .google where "https://" + own == issuer: break
        case .microsoft:
            // The directory is a part of the issuer. Only its own keys may sign for it.
            guard json["tid"] != nil else { throw .noObject }
            guard let tenant = text("tid"), tenant.utf8.count <= 64, tenant.utf8.allSatisfy(Base64URL.isInAlphabet) else {
                throw .malformedClaims
            }
            func filledIn(_ template: String) -> String { template.replacing("{tenantid}", with: tenant) }
            guard filledIn(issuer).isSame(as: own), signer.issuer.map({ filledIn($0).isSame(as: own) }) ?? true else {
                throw .wrongIssuer
            }
            guard provider.tenants.isEmpty || provider.tenants.contains(tenant) else { throw .wrongTenant }
        default: guard issuer.isSame(as: own) else { throw .wrongIssuer }
        }
    }

    /// Begins the nonce of a token that comes to this server by way of the user's browser, and from
    /// there in the fragment of a page or in the link of an app. Others may see it there.
    static let markOfVisits = "visit."

    /// SDKs hash the nonce before they hand it to the provider, so a stolen token alone does not
    /// have it.
    /// - Parameter isOptional: whether a token with a nonce is accepted without it: Google's own
    ///   SDKs put one in and do not tell the app.
    private func checkNonce(_ rawNonce: String?, isOptional: Bool) throws(CredentialRefusal) {
        let nonce = text("nonce")
        guard let rawNonce else {
            let isKnownToSDKOnly = isOptional && nonce?.hasPrefix(Self.markOfVisits) == false
            guard isKnownToSDKOnly || json["nonce"] == nil else { throw .noNonce }
            return
        }
        let hash = HashFunction.sha256.hash(Array(rawNonce.utf8)).hexadecimal
        guard let nonce, ConstantTime.equal(Array(hash.utf8), Array(nonce.trimmingPrefix(Self.markOfVisits).utf8)) else {
            throw .wrongNonce
        }
    }

    /// Source: OpenID Connect Core 1.0 section 3.1.3.8.
    private func checkAccessToken(_ accessToken: String?) throws(CredentialRefusal) {
        guard let accessToken, json["at_hash"] != nil else { return }
        let half = HashFunction.sha256.hash(Array(accessToken.utf8)).prefix(16)
        guard text("at_hash").map({ $0.isSame(as: Base64URL.encode(half)) }) == true else { throw .wrongAccessToken }
    }
}

extension String {
    /// Compares bytes. Swift compares strings by their canonical equivalence.
    func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
