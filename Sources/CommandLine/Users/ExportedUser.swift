import Accounts
import Base
import Foundation

/// A user in the format of `firebase auth:export` and `firebase auth:import`. The latter refuses a
/// file with unknown keys or providers. Source: firebase-tools, `accountImporter`.
struct ExportedUser: Encodable, Equatable {
    let localId: String
    let email: String?
    let emailVerified: Bool
    let passwordHash, salt: String?
    let displayName, photoUrl: String?
    /// Milliseconds since 1970, as a string.
    let createdAt: String
    let lastSignedInAt: String?
    let phoneNumber: String?
    let disabled: Bool
    let customAttributes: String?
    let providerUserInfo: [Provider]
    // Members that only Onward imports.
    let emailLinkSignin: Bool?
    let initialEmail: String?
    let mfaInfo: [Factor]?

    struct Provider: Encodable, Equatable {
        let providerId, rawId: String
        let email, displayName, photoUrl: String?
        /// Only Onward imports it.
        let screenName: String?
    }

    struct Factor: Encodable, Equatable {
        let mfaEnrollmentId: String
        let phoneInfo, displayName: String?
        let enrolledAt: String
    }

    static let firebaseProviders: Set = ["google.com", "facebook.com", "twitter.com", "github.com"]

    /// - Parameter isComplete: whether members are included that only Onward imports.
    init(_ profile: Accounts.Profile, password: Passwords.Exported?, isComplete: Bool) {
        let account = profile.account
        localId = account.id.rawValue
        email = account.email?.value
        emailVerified = account.emailVerified
        passwordHash = password.map { Data($0.hash).base64EncodedString() }
        salt = password.flatMap { $0.salt.isEmpty ? nil : Data($0.salt).base64EncodedString() }
        displayName = account.displayName
        photoUrl = account.photoURL
        createdAt = String(account.createdAt.milliseconds)
        lastSignedInAt = account.lastLoginAt.map { String($0.milliseconds) }
        phoneNumber = account.phoneNumber?.value
        disabled = account.disabled
        customAttributes = account.customAttributes
        providerUserInfo = profile.linkedProviders.filter { isComplete || Self.firebaseProviders.contains($0.provider) }.map {
            Provider(
                providerId: $0.provider, rawId: $0.wireID, email: $0.email, displayName: $0.displayName, photoUrl: $0.photoURL,
                screenName: isComplete ? $0.screenName : nil)
        }
        emailLinkSignin = isComplete && account.emailLinkSignIn ? true : nil
        initialEmail = isComplete ? account.initialEmail?.value : nil
        let factors = profile.secondFactors.filter { $0.kind == .phone }
        mfaInfo = isComplete && !factors.isEmpty ? factors.map(Factor.init) : nil
    }
}

extension ExportedUser.Factor {
    fileprivate init(_ factor: SecondFactor) {
        self.init(
            mfaEnrollmentId: factor.id, phoneInfo: factor.phoneNumber, displayName: factor.displayName,
            enrolledAt: factor.enrolledAt.iso8601)
    }
}
