public import Base

/// An admin's invitation that waits for the person whom it names. It ends when someone enters the
/// account, with the codes of the account, when the account leaves the address, and when an admin
/// withdraws it. It stays when its links have expired.
public struct Invitation: Sendable, Hashable {
    /// When the account was invited last.
    public let sentAt: Timestamp
    /// When the last of its links expires.
    public let expiresAt: Timestamp
    /// Whether the account was made for it.
    public let madeAccount: Bool
    /// The account that the press makes, if the one with the address is another user's, who has not
    /// proved it by then: the press passes the address on.
    public let newcomer: Newcomer?

    public struct Newcomer: Sendable, Hashable {
        public let id: AccountID
        public let displayName: String?

        public init(id: AccountID, displayName: String?) { (self.id, self.displayName) = (id, displayName) }
    }

    public init(sentAt: Timestamp, expiresAt: Timestamp, madeAccount: Bool, newcomer: Newcomer? = nil) {
        (self.sentAt, self.expiresAt, self.madeAccount, self.newcomer) = (sentAt, expiresAt, madeAccount, newcomer)
    }
}

extension Invitation.Newcomer {
    /// The account that the invited person begins with.
    fileprivate func account(_ id: AccountID, with email: EmailAddress, in project: ProjectID, at now: Timestamp) -> Account {
        var account = Account(project: project, id: id, createdAt: now)
        account.setAddress(email, verified: true, at: now)
        (account.displayName, account.namedByAdminAt) = (displayName, displayName.map { _ in now })
        return account
    }
}

extension Records {
    /// The account that begins when its person takes the address, if an admin invited that person
    /// to the address of another user's account; nil for no such invitation.
    /// - Parameter fallback: the id of the account if the promised one was given away since; nil:
    ///   then none begins.
    func newcomersAccount(at account: Account, or fallback: AccountID?, at now: Timestamp) throws(ActionError) -> Account? {
        guard let newcomer = try invitation(of: account)?.newcomer, let email = account.email else { return nil }
        let isFree = try self.account(newcomer.id, in: account.project) == nil
        return (isFree ? newcomer.id : fallback).map { newcomer.account($0, with: email, in: account.project, at: now) }
    }

    /// Whether an admin has invited the owner of the address of an account that is another user's.
    func invitesAnother(_ account: Account) throws(ActionError) -> Bool {
        guard try invitation(of: account)?.newcomer != nil else { return false }
        return Arrival.Facts(account, proved: try provedAddresses(of: account)).wasAnothers
    }
}

extension Accounts.Profile {
    /// Whether no one has entered the account, or can without its mailbox.
    var isUntouched: Bool {
        account.lastLoginAt == nil && account.enteredAt == nil && account.passwordHash == nil && account.phoneNumber == nil
            && linkedProviders.isEmpty
    }
}
