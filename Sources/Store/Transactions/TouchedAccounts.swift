internal import Accounts
internal import Base

/// The accounts of which a transaction changes what is shown of them.
final class TouchedAccounts {
    private(set) var keys: Set<AccountKey> = []

    func insert(_ account: AccountID, in project: ProjectID) { keys.insert(AccountKey(account, in: project)) }
}

extension SQLRecords {
    /// The most accounts of one transaction that other processes are told of. They look at the
    /// others by themselves.
    private static let maxAnnounced = 16

    func touch(_ account: AccountID, in project: ProjectID) { touched?.insert(account, in: project) }

    /// Announces to other processes what was touched.
    func announceTouched() throws(ActionError) -> Set<AccountKey> {
        let keys = touched?.keys ?? []
        if let announcement {
            for key in keys.prefix(Self.maxAnnounced) { try submit(announcement, ["\(key.project.rawValue)/\(key.account.rawValue)"]) }
        }
        return keys
    }
}

extension AccountKey {
    /// The account of an announcement; nil for one of another kind.
    init?(announced text: String) {
        // An id of a project has no slash.
        let parts = text.split(separator: "/", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        self.init(AccountID(rawValue: String(parts[1])), in: ProjectID(rawValue: String(parts[0])))
    }
}
