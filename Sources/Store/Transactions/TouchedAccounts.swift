internal import Accounts

/// The accounts that a transaction changes in something that is shown, and what an event tells of
/// each.
final class TouchedAccounts {
    /// Nil if nothing is told of events.
    let recording: EventRecording?
    private(set) var keys: Set<AccountKey> = []
    private var changes: [AccountKey: AccountDiff] = [:]
    /// Accounts without an event, because that of another account tells of them.
    private var toldByAnother: Set<AccountKey> = []
    private var isImport = false
    /// The accounts as the transaction has read or written them last.
    private var seen: [AccountKey: Account] = [:]

    init(recording: EventRecording?) { self.recording = recording }

    func insert(_ account: AccountID, in project: ProjectID) { keys.insert(AccountKey(account, in: project)) }

    func change(_ account: AccountID, in project: ProjectID, _ change: (inout AccountDiff) -> Void) {
        guard recording != nil else { return }
        change(&changes[AccountKey(account, in: project), default: AccountDiff()])
    }

    func tellByAnother(_ account: AccountID, in project: ProjectID) { toldByAnother.insert(AccountKey(account, in: project)) }

    func tellByImport() { isImport = true }

    func see(_ account: Account) {
        if recording != nil { seen[AccountKey(account.id, in: account.project)] = account }
    }

    func lastSeen(_ account: AccountID, in project: ProjectID) -> Account? { seen[AccountKey(account, in: project)] }

    /// In the order of the accounts' ids, so that two transactions lock rows in one order.
    var diffs: [(AccountKey, AccountDiff)] {
        guard !isImport else { return [] }
        return changes.filter { !toldByAnother.contains($0.key) }.sorted { $0.key.account.rawValue < $1.key.account.rawValue }
            .map { ($0.key, $0.value) }
    }
}

extension SQLRecords {
    func touch(_ account: AccountID, in project: ProjectID) { touched?.insert(account, in: project) }

    func change(_ account: AccountID, in project: ProjectID, _ change: (inout AccountDiff) -> Void) {
        touched?.insert(account, in: project)
        touched?.change(account, in: project, change)
    }
}
