/// The name of one application's settings, and the wall between its accounts and all others.
package struct ProjectID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }
}

/// Firebase's `localId`: 1 to 128 characters, unique in its project.
package struct AccountID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }

    /// A new one: 28 characters of base64url.
    package static func random(_ random: RandomBytes) -> AccountID { AccountID(rawValue: Base64URL.encode(random(21))) }
}

/// One person in one project, as the store keeps it.
package struct Account: Sendable, Hashable {
    package let project: ProjectID
    package let id: AccountID
    package var email: EmailAddress?
    package var emailVerified = false
    package var displayName: String?
    package var photoURL: String?
    /// What `Passwords` made to be stored; nil for an account without a password.
    package var passwordHash: String?
    package var passwordUpdatedAt: Timestamp?
    /// Tokens of sign-ins before this moment are refused. To the millisecond: each ID token names the one it was issued under.
    package var validSince: Timestamp
    package var disabled = false
    package var createdAt: Timestamp
    package var lastLoginAt: Timestamp?
    /// The BCP 47 tag of the mails to this account, as its client last asked for it.
    package var language: String?
    /// The address before the first change; recovery restores it.
    package var initialEmail: EmailAddress?
    package var emailLinkSignIn = false
    package var phoneNumber: PhoneNumber?
    /// Custom claims as the JSON object that an admin set.
    package var customAttributes: String?

    package init(project: ProjectID, id: AccountID, createdAt: Timestamp) {
        self.project = project
        self.id = id
        self.createdAt = createdAt
        validSince = createdAt
    }

    /// Ends every session and token there is, also those of this very moment (S6).
    package mutating func endSessions(at moment: Timestamp) { validSince = max(moment, validSince + .milliseconds(1)) }

    /// Whether what someone proved of this account, when it was as `seen`, still counts: the same password and address, nothing ended
    /// since, not switched off.
    package func stillStands(as seen: Account) -> Bool {
        !disabled && passwordHash == seen.passwordHash && validSince == seen.validSince && email == seen.email
    }
}

/// A second step at sign-in that an account has enrolled.
package struct SecondFactor: Sendable, Hashable {
    package enum Kind: String, Sendable { case phone, totp }
    package let id: String
    package let kind: Kind
    package var displayName: String?
    /// E.164; only for `.phone`.
    package var phoneNumber: String?
    package let enrolledAt: Timestamp

    package init(id: String, kind: Kind, displayName: String? = nil, phoneNumber: String? = nil, enrolledAt: Timestamp) {
        self.id = id
        self.kind = kind
        self.displayName = displayName
        self.phoneNumber = phoneNumber
        self.enrolledAt = enrolledAt
    }

    /// What pages and mails call the second factor: its name, or else its phone number.
    package var shownName: String? { displayName ?? phoneNumber }
}
