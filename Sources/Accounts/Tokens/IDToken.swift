internal import Foundation
package import JWTKit

/// What an ID token says, as production makes it. Source: Firebase `Verify ID Tokens`.
package struct IDToken: JWTPayload, Sendable {
    package var iss: IssuerClaim
    package var aud: AudienceClaim
    package var sub: SubjectClaim
    package var iat: IssuedAtClaim
    package var exp: ExpirationClaim
    /// Seconds since 1970 of the sign-in, not of the refresh.
    package var authTime: Int64
    package var userID: String
    /// The account's `validSince` when this was issued, in milliseconds: `auth_time`, in seconds, could not tell a token from before a
    /// reset from one after it in the same second.
    package var validSince: Int64
    package var name: String?
    package var picture: String?
    package var email: String?
    package var emailVerified: Bool?
    package var phoneNumber: String?
    /// Only for anonymous accounts.
    package var providerID: String?
    package var firebase: Firebase
    /// What an admin set for the account, beside the rest.
    package var claims: [String: Claim] = [:]

    /// How the person signed in.
    package struct Firebase: Codable, Sendable {
        package var identities: [String: [String]]
        package var signInProvider: String

        enum CodingKeys: String, CodingKey {
            case identities
            case signInProvider = "sign_in_provider"
        }
    }

    enum CodingKeys: String, CodingKey {
        case iss, aud, sub, iat, exp, name, picture, email, firebase
        case authTime = "auth_time"
        case validSince = "onward_valid_since"
        case userID = "user_id"
        case emailVerified = "email_verified"
        case phoneNumber = "phone_number"
        case providerID = "provider_id"
    }

    /// The lifetime of every ID token.
    package static let lifetime = Duration.seconds(3600)

    init(account: Account, session: Session, issuer: String, issuedAt: Timestamp) {
        iss = IssuerClaim(value: issuer)
        aud = AudienceClaim(value: account.project.rawValue)
        sub = SubjectClaim(value: account.id.rawValue)
        userID = account.id.rawValue
        iat = IssuedAtClaim(value: Date(timeIntervalSince1970: Double(issuedAt.seconds)))
        exp = ExpirationClaim(value: Date(timeIntervalSince1970: Double((issuedAt + Self.lifetime).seconds)))
        authTime = session.authTime.seconds
        validSince = account.validSince.milliseconds
        name = account.displayName
        picture = account.photoURL
        email = account.email?.value
        emailVerified = account.email.map { _ in account.emailVerified }
        phoneNumber = account.phoneNumber?.value
        providerID = session.provider == .anonymous ? "anonymous" : nil
        let claims = account.customAttributes.flatMap { try? JSONDecoder().decode([String: Claim].self, from: Data($0.utf8)) }
        self.claims = (claims ?? [:]).filter { CodingKeys(stringValue: $0.key) == nil }
        firebase = Firebase(identities: account.email.map { ["email": [$0.value]] } ?? [:], signInProvider: session.provider.rawValue)
    }

    /// Time, issuer and audience depend on the moment and the project: `IDTokens.verify` checks them.
    package func verify(using algorithm: some JWTAlgorithm) throws {}
}
