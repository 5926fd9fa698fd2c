/// The id of a project: one application's settings and accounts, separate from those of all other
/// projects.
package struct ProjectID: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }
}

/// Firebase's `localId`: 1 to 128 characters, unique in its project.
package struct AccountID: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }

    /// A new id: 28 characters of base64url.
    package static func random(_ random: RandomBytes) -> AccountID { AccountID(rawValue: Base64URL.encode(random(21))) }
}

/// An account of one project, as the store keeps it.
package struct Account: Sendable, Hashable, Codable {
    package let project: ProjectID
    package let id: AccountID
    package var email: EmailAddress?
    package var emailVerified = false
    package var displayName: String?
    package var photoURL: String?
    /// The string that `Passwords` made for the store; nil for an account without a password.
    package var passwordHash: String?
    package var passwordUpdatedAt: Timestamp?
    /// Tokens of sign-ins before this moment are refused. Each ID token names the value it was
    /// issued under, in milliseconds.
    package var validSince: Timestamp
    package var disabled = false
    package var createdAt: Timestamp
    package var lastLoginAt: Timestamp?
    /// The time of the last sign-in or refresh of a session, at most `refreshPrecision` too early.
    package var lastRefreshAt: Timestamp?
    /// The BCP 47 tag of the mails to this account, as its client last asked for it.
    package var language: String?
    /// The address before the first change, which recovery restores.
    package var initialEmail: EmailAddress?
    package var emailLinkSignIn = false
    package var phoneNumber: PhoneNumber?
    /// The custom claims as the JSON object that an admin set.
    package var customAttributes: String?

    package init(project: ProjectID, id: AccountID, createdAt: Timestamp) {
        self.project = project
        self.id = id
        self.createdAt = createdAt
        validSince = createdAt
    }

    /// How often refreshes are recorded.
    static let refreshPrecision = Duration.seconds(3600)

    /// Ends every session and token of the account, also those issued in this very millisecond
    /// (S6).
    package mutating func endSessions(at moment: Timestamp) { validSince = max(moment, validSince + .milliseconds(1)) }

    /// Whether a proof that was made when the account was as `seen` still counts: the account has
    /// the same password and address, its sessions were not ended since, and it is not disabled.
    package func isUnchanged(since seen: Account) -> Bool {
        !disabled && passwordHash == seen.passwordHash && validSince == seen.validSince && email == seen.email
    }

    /// The words that someone would try first to guess this account's password.
    package var words: [String] { [email?.value, displayName].compactMap(\.self) }
}

/// An account's link to an identity provider such as `google.com`.
package struct LinkedProvider: Sendable, Hashable, Codable {
    /// Firebase's provider id, 1 to 128 characters. An account has at most one link to each
    /// provider.
    package let provider: String
    /// The provider's own id of the user, 1 to 1024 characters. It belongs to one account only.
    package let rawID: String
    /// The address that the provider reports. It is for display, and proves nothing.
    package var email: String?
    package var displayName: String?
    package var photoURL: String?

    /// The provider ids on the wire that name a sign-in method of the account itself.
    package static let builtInIDs: Set<String> = ["password", "phone", "emailLink", "anonymous", "custom"]

    package init(provider: String, rawID: String, email: String? = nil, displayName: String? = nil, photoURL: String? = nil) {
        self.provider = provider
        self.rawID = rawID
        self.email = email
        self.displayName = displayName
        self.photoURL = photoURL
    }
}
