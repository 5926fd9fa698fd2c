public import Base

/// An admin's invitation that waits for the person whom it names. It ends when someone enters the
/// account, with the codes of the account, and when an admin withdraws it. It stays when its links
/// have expired.
public struct Invitation: Sendable, Hashable {
    /// When the account was invited last.
    public let sentAt: Timestamp
    /// When the last of its links expires.
    public let expiresAt: Timestamp
    /// Whether the account was made for it.
    public let madeAccount: Bool

    public init(sentAt: Timestamp, expiresAt: Timestamp, madeAccount: Bool) {
        (self.sentAt, self.expiresAt, self.madeAccount) = (sentAt, expiresAt, madeAccount)
    }
}

extension Accounts.Profile {
    /// Whether no one has entered the account, or can without its mailbox.
    var isUntouched: Bool {
        account.lastLoginAt == nil && account.enteredAt == nil && account.passwordHash == nil && account.phoneNumber == nil
            && linkedProviders.isEmpty
    }
}
