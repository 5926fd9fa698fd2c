package import Accounts

/// What `accounts:update` may change, by the account itself or by an admin. Nil: left as it is.
package struct AccountChange: Sendable {
    package var email: EmailAddress?
    package var password: String?
    package var displayName: Change<String>?
    package var photoURL: Change<String>?
    package var deletesEmail = false
    package var deletesPassword = false
    package var deletesPhoneNumber = false
    /// The ids of providers that shall not vouch any more; those that are not linked do not matter.
    package var unlinks: Set<String> = []
    // By an admin only.
    package var emailVerified: Bool?
    package var disabled: Bool?
    package var validSince: Timestamp?
    package var createdAt: Timestamp?
    package var lastLoginAt: Timestamp?
    package var customAttributes: Change<String>?
    package var phoneNumber: PhoneNumber?
    /// After the unlinking, so that one change can replace a provider's person by another.
    package var link: LinkedProvider?
    /// All of them, from now on.
    package var secondFactors: [SecondFactor]?

    /// A new value, or none at all.
    package enum Change<Value: Sendable>: Sendable {
        case set(Value)
        case clear

        var value: Value? {
            switch self {
            case .set(let value): value
            case .clear: nil
            }
        }
    }

    package init() {}

    /// Whether it touches what the account is signed in with. Then sessions end, and its own client must have signed in recently.
    package var replacesCredentials: Bool { email != nil || password != nil || deletesEmail || deletesPassword }

    /// Whether it takes away the last thing that the account could be signed in by: as grave as deleting it.
    package func strands(_ profile: Accounts.Profile) -> Bool {
        let account = profile.account
        return !profile.isAnonymous && (account.email == nil || deletesEmail) && (account.passwordHash == nil || deletesPassword)
            && (account.phoneNumber == nil || deletesPhoneNumber) && profile.linkedProviders.allSatisfy { unlinks.contains($0.provider) }
    }

    var endsSessions: Bool { replacesCredentials || validSince != nil || disabled == true }

    /// - Parameter hash: of the new password.
    func apply(to account: inout Account, hash: String?, at now: Timestamp) {
        if let hash {
            account.passwordHash = hash
            account.passwordUpdatedAt = now
        }
        if let email, email != account.email {
            account.initialEmail = account.initialEmail ?? account.email
            account.email = email
            account.emailVerified = false
        }
        if deletesPassword { account.passwordHash = nil }
        if deletesEmail {
            account.initialEmail = account.initialEmail ?? account.email
            account.email = nil
            account.emailVerified = false
            account.emailLinkSignIn = false
        }
        account.phoneNumber = deletesPhoneNumber ? nil : phoneNumber ?? account.phoneNumber
        if let displayName { account.displayName = displayName.value }
        if let photoURL { account.photoURL = photoURL.value }
        account.emailVerified = emailVerified ?? account.emailVerified
        account.disabled = disabled ?? account.disabled
        account.createdAt = createdAt ?? account.createdAt
        account.lastLoginAt = lastLoginAt ?? account.lastLoginAt
        if let customAttributes { account.customAttributes = customAttributes.value }
        if let validSince { account.validSince = max(account.validSince, validSince) }
    }
}
