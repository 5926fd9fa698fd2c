public import Base

/// The id of a project: one application's settings and accounts, separate from those of all other
/// projects.
public struct ProjectID: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
}

/// Firebase's `localId`: 1 to 128 characters, unique in its project.
public struct AccountID: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// A new id: 28 characters of base64url.
    public static func random(_ random: RandomBytes) -> AccountID { AccountID(rawValue: Base64URL.encode(random(21))) }
}

/// An account of one project, as the store keeps it.
public struct Account: Sendable, Hashable, Codable {
    public let project: ProjectID
    public let id: AccountID
    public var email: EmailAddress?
    public var emailVerified = false
    /// When the account got its present address; nil if that is not known.
    public var emailSince: Timestamp?
    public var displayName: String?
    /// When an admin gave the present display name; nil if its user or a provider did.
    public var namedByAdminAt: Timestamp?
    public var photoURL: String?
    /// The string that `Passwords` made for the store; nil for an account without a password.
    public var passwordHash: String?
    /// The last change of the password. It stays when the password ends, unless the account is a
    /// new one for its owner (`OwnershipEvent.isOwnersFirst`); nil for an account that had none.
    public var passwordUpdatedAt: Timestamp?
    /// Tokens of sign-ins before this moment are refused. Each ID token names the value it was
    /// issued under, in milliseconds.
    public var validSince: Timestamp
    public var disabled = false
    public var createdAt: Timestamp
    public var lastLoginAt: Timestamp?
    /// The time of the last sign-in or refresh of a session, at most `refreshPrecision` too early.
    public var lastRefreshAt: Timestamp?
    /// The BCP 47 tag of the mails to this account, as its client last asked for it.
    public var language: String?
    /// The first address that the account left.
    public var initialEmail: EmailAddress?
    /// The address that the account's user removed last; nil if the account has got one since.
    public var removedEmail: EmailAddress?
    public var emailLinkSignIn = false
    public var phoneNumber: PhoneNumber?
    /// When the account got its present phone number; nil if that is not known.
    public var phoneLinkedAt: Timestamp?
    /// The first sign-in by phone or custom token, which needs no address; nil for none.
    public var enteredAt: Timestamp?
    /// The custom claims as the JSON object that an admin set.
    public var customAttributes: String?

    public init(project: ProjectID, id: AccountID, createdAt: Timestamp) {
        self.project = project
        self.id = id
        self.createdAt = createdAt
        validSince = createdAt
    }

    /// How often refreshes are recorded.
    static let refreshPrecision = Duration.seconds(3600)

    /// Ends every session and token of the account, also those issued in this very millisecond
    /// (S6).
    public mutating func endSessions(at moment: Timestamp) { validSince = max(moment, validSince + .milliseconds(1)) }

    /// Replaces the phone number.
    public mutating func setPhoneNumber(_ number: PhoneNumber?, at moment: Timestamp) {
        guard number != phoneNumber else { return }
        (phoneNumber, phoneLinkedAt) = (number, number.map { _ in moment })
    }

    /// Replaces the address. `Records.move` also keeps the list of proved addresses.
    public mutating func setAddress(_ address: EmailAddress?, verified: Bool, at moment: Timestamp) {
        if address != email {
            initialEmail = initialEmail ?? email
            (email, removedEmail) = (address, nil)
            emailSince = address.map { _ in moment }
        }
        emailVerified = verified && address != nil
    }

    /// Whether the account has an address, or had one.
    public var hasHadAddress: Bool { email ?? initialEmail != nil }

    /// Whether a proof that was made when the account was as `seen` still counts: the account has
    /// the same password and address, its sessions were not ended since, and it is not disabled.
    public func isUnchanged(since seen: Account) -> Bool {
        !disabled && passwordHash == seen.passwordHash && validSince == seen.validSince && email == seen.email
    }

    /// The words that someone would try first to guess this account's password.
    public var words: [String] { [email?.value, displayName].compactMap(\.self) }
}

/// An account's link to an identity provider such as `google.com`.
public struct LinkedProvider: Sendable, Hashable {
    /// Firebase's provider id, 1 to 128 characters. An account has at most one link to each
    /// provider.
    public let provider: String
    /// The stored id of the provider's user, 1 to 1024 characters; `wireID` is the one that apps
    /// see. It belongs to one account only.
    public var rawID: String
    /// The address that the provider reported when it was that of the account, or else the last
    /// one. It proves nothing.
    public var email: String?
    /// Whether the provider had verified that address.
    public var isEmailVerified = false
    /// The address that the provider reports now, if it is another one.
    public var presentEmail: String?
    /// Whether the provider has verified that address.
    public var isPresentEmailVerified = false
    /// The audience of the token that linked the user; nil if there was none.
    public var audience: String?
    public var displayName: String?
    public var photoURL: String?
    /// The user's name at the provider, such as GitHub's login.
    public var screenName: String?

    /// The provider ids on the wire that name a sign-in method of the account itself.
    public static let builtInIDs: Set<String> = ["password", "phone", "emailLink", "anonymous", "custom"]

    public init(provider: String, rawID: String, email: String? = nil, displayName: String? = nil, photoURL: String? = nil) {
        self.provider = provider
        self.rawID = rawID
        self.email = email
        self.displayName = displayName
        self.photoURL = photoURL
    }
}

extension LinkedProvider {
    /// The address at the provider as apps see it: the present one.
    public var shownEmail: String? { presentEmail ?? email }

    /// Whether the provider has verified an address for this user, now or when it was linked.
    public func hasVerified(_ address: EmailAddress) -> Bool { report(of: address)?.isVerified ?? false }

    /// Whether the provider only reports an address.
    public func claims(_ address: EmailAddress?) -> Bool { address.flatMap(report)?.isVerified == false }

    /// This link in place of an earlier one to the same user. One with the account's own address
    /// keeps it beside the one that the user has at the provider by now: it tells when another user
    /// has taken that address.
    public func replacing(_ known: LinkedProvider, at address: EmailAddress?) -> LinkedProvider {
        guard let address, let (kept, wasVerified) = known.report(of: address) else { return self }
        var link = self
        let isAccounts = email.flatMap { EmailAddress($0) } == address
        (link.email, link.isEmailVerified) = (kept, wasVerified || isAccounts && isEmailVerified)
        if !isAccounts {
            let isKnown = email.flatMap { EmailAddress($0) }.map(known.hasVerified) ?? false
            (link.presentEmail, link.isPresentEmailVerified) = (email, isEmailVerified || isKnown)
        }
        return link
    }

    /// An address as the provider reported it; nil if it did not.
    private func report(of address: EmailAddress) -> (email: String, isVerified: Bool)? {
        let reports = [(email, isEmailVerified), (presentEmail, isPresentEmailVerified)].compactMap { email, isVerified in
            email.map { ($0, isVerified) }
        }
        return reports.first { EmailAddress($0.0) == address }
    }
}

extension LinkedProvider: Codable {
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            provider: try values.decode(String.self, forKey: .provider), rawID: try values.decode(String.self, forKey: .rawID),
            email: try values.decodeIfPresent(String.self, forKey: .email),
            displayName: try values.decodeIfPresent(String.self, forKey: .displayName),
            photoURL: try values.decodeIfPresent(String.self, forKey: .photoURL))
        // Snapshots of schema version 3 do not say.
        isEmailVerified = try values.decodeIfPresent(Bool.self, forKey: .isEmailVerified) ?? false
        audience = try values.decodeIfPresent(String.self, forKey: .audience)
        presentEmail = try values.decodeIfPresent(String.self, forKey: .presentEmail)
        isPresentEmailVerified = try values.decodeIfPresent(Bool.self, forKey: .isPresentEmailVerified) ?? false
        screenName = try values.decodeIfPresent(String.self, forKey: .screenName)
    }
}
