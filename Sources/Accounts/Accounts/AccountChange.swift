public import Base

/// The changes that `accounts:update` can make, for the account itself or for an admin. A field
/// that is nil is left unchanged.
public struct AccountChange: Sendable {
    public var email: EmailAddress?
    public var password: String?
    public var displayName: Change<String>?
    public var photoURL: Change<String>?
    public var deletesEmail = false
    public var deletesPassword = false
    public var deletesPhoneNumber = false
    public var deletesEmailLinkSignIn = false
    /// Whether sessions continue although the password is removed. This is set if the account
    /// removes its own password to sign in by another method; as with Firebase, its clients receive
    /// no new tokens.
    public var keepsSessions = false
    /// The ids of providers to unlink; ids that are not linked are ignored.
    public var unlinks: Set<String> = []
    /// The moment since which sign-ins count. All earlier sessions end.
    public var validSince: Timestamp?
    // Only admins can set the following fields.
    public var emailVerified: Bool?
    public var disabled: Bool?
    public var createdAt: Timestamp?
    public var lastLoginAt: Timestamp?
    public var customAttributes: Change<String>?
    public var phoneNumber: PhoneNumber?
    /// The provider to link. It is linked after `unlinks` were removed, so that one change can
    /// replace the linked account of a provider.
    public var link: LinkedProvider?
    /// The complete new list of second factors.
    public var secondFactors: [SecondFactor]?
    /// The id of a second factor to remove, which the account itself may do.
    public var withdrawnFactor: String?

    /// A new value, or the removal of the value.
    public enum Change<Value: Sendable>: Sendable {
        case set(Value)
        case clear

        var value: Value? {
            switch self {
            case .set(let value): value
            case .clear: nil
            }
        }
    }

    public init() {}

    /// Whether the change affects the credentials. Sessions then end, and the account's own client
    /// must have signed in recently.
    public var replacesCredentials: Bool { email != nil || password != nil || (deletesCredentials && !keepsSessions) }
    public var deletesCredentials: Bool { deletesEmail || deletesPassword }

    var changesFactors: Bool { secondFactors != nil || withdrawnFactor != nil }

    /// The second factors after the change.
    /// - Parameter present: those that the account has.
    func secondFactors(of present: [SecondFactor]) -> [SecondFactor] {
        (secondFactors ?? present).filter { $0.id != withdrawnFactor }
    }

    /// Whether the change removes ways to sign in other than the password.
    public var removesMethods: Bool { deletesEmail || deletesPhoneNumber || !unlinks.isEmpty }

    /// Whether the change removes the last way to sign in to the account that its project offers,
    /// which is as serious as deleting the account.
    public func removesLastSignIn(of profile: Accounts.Profile, in project: Project) -> Bool {
        AccountChange().leavesWayIn(to: profile, in: project) && !leavesWayIn(to: profile, in: project)
    }

    /// Whether the account can be signed in to after the change. An address is enough, because a
    /// password can be set and a link sent.
    private func leavesWayIn(to profile: Accounts.Profile, in project: Project) -> Bool {
        let account = profile.account
        let offersAddress = project.signIn.password || project.signIn.emailLink
        return account.email != nil && !deletesEmail && offersAddress
            || project.signIn.phone && account.phoneNumber != nil && !deletesPhoneNumber
            || profile.linkedProviders.contains {
                !unlinks.contains($0.provider) && project.providers[$0.provider]?.isEnabled == true
            }
    }

    public var endsSessions: Bool { replacesCredentials || validSince != nil || disabled == true }

    /// Whether an admin's change gives an account another address or removes it.
    func changesAddress(of account: Account) -> Bool { deletesEmail || email.map { $0 != account.email } ?? false }

    /// Applies the change to an account, except for its address.
    /// - Parameter hash: the hash of the new password.
    func apply(to account: inout Account, hash: String?, byAdmin: Bool, at now: Timestamp) {
        if let hash {
            account.passwordHash = hash
            account.passwordUpdatedAt = now
        }
        if deletesPassword { account.passwordHash = nil }
        if deletesEmailLinkSignIn || deletesEmail { account.emailLinkSignIn = false }
        account.setPhoneNumber(deletesPhoneNumber ? nil : phoneNumber ?? account.phoneNumber, at: now)
        if let displayName {
            account.displayName = displayName.value
            account.namedByAdminAt = byAdmin ? displayName.value.map { _ in now } : nil
        }
        if let photoURL { account.photoURL = photoURL.value }
        account.disabled = disabled ?? account.disabled
        account.createdAt = createdAt ?? account.createdAt
        account.lastLoginAt = lastLoginAt ?? account.lastLoginAt
        if let customAttributes { account.customAttributes = customAttributes.value }
        if let validSince { account.validSince = max(account.validSince, validSince) }
    }
}
