internal import Accounts

/// The accounts that a transaction changes in something that is shown.
final class TouchedAccounts {
    private(set) var keys: Set<AccountKey> = []

    func insert(_ account: AccountID, in project: ProjectID) { keys.insert(AccountKey(account, in: project)) }
}

extension SQLRecords {
    func touch(_ account: AccountID, in project: ProjectID) { touched?.insert(account, in: project) }
}
