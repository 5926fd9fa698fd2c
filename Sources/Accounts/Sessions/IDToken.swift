internal import Base
internal import Foundation

/// The claims of an ID token, and of a session cookie. Source: Firebase `Verify ID Tokens`.
public struct IDToken: Codable, Sendable {
    public var iss: String
    public var aud: String
    public var sub: String
    /// Seconds since 1970, like all times here.
    public var iat: Int64
    public var exp: Int64
    /// The time of the sign-in, not of the refresh.
    public var authTime: Int64
    public var userID: String
    /// The account's `validSince` when the token was issued, in milliseconds. `auth_time` is in
    /// seconds, so it cannot distinguish the tokens before and after a password reset in the same
    /// second.
    public var validSince: Int64
    /// The session that the token belongs to: the digest of its first refresh token, in base64url.
    /// Nil in tokens of earlier versions.
    public var session: String?
    public var name: String?
    public var picture: String?
    public var email: String?
    public var emailVerified: Bool?
    public var phoneNumber: String?
    /// Only for anonymous accounts.
    public var providerID: String?
    public var firebase: Firebase
    /// The custom claims that an admin set for the account, and a custom token for the session.
    public var claims: [String: Claim] = [:]

    /// The way the user signed in.
    public struct Firebase: Codable, Sendable {
        public var identities: [String: [String]]
        public var signInProvider: String
        /// How the second factor was proved, and its id; nil for a sign-in without one.
        public var signInSecondFactor: String?
        public var secondFactorIdentifier: String?

        enum CodingKeys: String, CodingKey {
            case identities
            case signInProvider = "sign_in_provider"
            case signInSecondFactor = "sign_in_second_factor"
            case secondFactorIdentifier = "second_factor_identifier"
        }
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case iss, aud, sub, iat, exp, name, picture, email, firebase
        case authTime = "auth_time"
        case validSince = "onward_valid_since"
        case session = "onward_session"
        case userID = "user_id"
        case emailVerified = "email_verified"
        case phoneNumber = "phone_number"
        case providerID = "provider_id"
    }

    /// The lifetime of every ID token.
    public static let lifetime = Duration.seconds(3600)

    /// Claims say what is true when the token is issued: a second factor that was removed since the
    /// sign-in is not named.
    /// - Parameter names: issuer and audience.
    init(_ profile: Accounts.Profile, session: RefreshTokenRecord, names: TokenNames, issuedAt: Timestamp) {
        let account = profile.account
        iss = names.issuer(of: account.project)
        aud = names.audience(of: account.project)
        sub = account.id.rawValue
        userID = account.id.rawValue
        iat = issuedAt.seconds
        exp = (issuedAt + Self.lifetime).seconds
        authTime = session.authTime.seconds
        validSince = account.validSince.milliseconds
        self.session = Base64URL.encode(session.family.bytes)
        name = account.displayName
        picture = account.photoURL
        email = account.email?.value
        emailVerified = account.email.map { _ in account.emailVerified }
        phoneNumber = account.phoneNumber?.value
        providerID = session.provider == .anonymous ? "anonymous" : nil
        var identities = Dictionary(profile.linkedProviders.map { ($0.provider, [$0.wireID]) }) { $0 + $1 }
        identities["email"] = account.email.map { [$0.value] }
        identities["phone"] = account.phoneNumber.map { [$0.value] }
        let factor = session.secondFactor.flatMap { proven in profile.secondFactors.contains { $0.id == proven.id } ? proven : nil }
        firebase = Firebase(
            identities: identities, signInProvider: session.provider.rawValue, signInSecondFactor: factor?.method.rawValue,
            secondFactorIdentifier: factor?.id)
        let custom = Claim.object(account.customAttributes).merging(Claim.object(session.claims)) { $1 }
        // Custom claims may replace these two and no others, as with Firebase.
        if case .string(let text) = custom["name"] { name = text }
        if case .string(let text) = custom["picture"] { picture = text }
        claims = Self.custom(custom)
    }

    /// Removes the claims that every token has by itself.
    private static func custom(_ claims: [String: Claim]) -> [String: Claim] {
        claims.filter { CodingKeys(stringValue: $0.key) == nil }
    }

    /// Decodes a verified token with its custom claims. Nil if a claim is missing or has the wrong
    /// type.
    init?(_ token: CompactToken) {
        guard let own: IDToken = token.decoded(), let all: [String: Claim] = token.decoded() else { return nil }
        self = own
        claims = Self.custom(all)
    }
}

extension IDToken {
    /// Encodes the custom claims beside the token's own. The names are disjoint.
    public func encode(to encoder: any Encoder) throws {
        try claims.encode(to: encoder)
        var own = encoder.container(keyedBy: CodingKeys.self)
        try own.encode(iss, forKey: .iss)
        try own.encode(aud, forKey: .aud)
        try own.encode(sub, forKey: .sub)
        try own.encode(iat, forKey: .iat)
        try own.encode(exp, forKey: .exp)
        try own.encode(authTime, forKey: .authTime)
        try own.encode(userID, forKey: .userID)
        try own.encode(validSince, forKey: .validSince)
        try own.encodeIfPresent(session, forKey: .session)
        try own.encodeIfPresent(name, forKey: .name)
        try own.encodeIfPresent(picture, forKey: .picture)
        try own.encodeIfPresent(email, forKey: .email)
        try own.encodeIfPresent(emailVerified, forKey: .emailVerified)
        try own.encodeIfPresent(phoneNumber, forKey: .phoneNumber)
        try own.encodeIfPresent(providerID, forKey: .providerID)
        try own.encode(firebase, forKey: .firebase)
    }
}
