internal import Accounts
internal import Base

/// Announces changed accounts to other processes, after their transactions: announcing them inside
/// would let PostgreSQL commit one such transaction at a time.
final class AccountAnnouncer: Sendable {
    private struct State: Sendable {
        var waiting: Set<AccountKey> = []
        var isSending = false
    }

    /// The pause between two announcements, which collects the changes of many transactions.
    private static let pause = Duration.milliseconds(20)
    /// The most accounts that wait to be announced. The other processes look at accounts from time
    /// to time anyway.
    private static let maxWaiting = 10_000
    /// The length of one announcement. PostgreSQL takes less than 8,000 bytes.
    private static let maxBytes = 6_000

    private let database: any SQLDatabase
    private let statement: String
    private let state = Locked(State())

    /// Nil for an engine that cannot announce.
    init?(_ database: any SQLDatabase) {
        guard let statement = database.dialect.announcement else { return nil }
        (self.database, self.statement) = (database, statement)
    }

    func announce(_ keys: Set<AccountKey>) {
        guard !keys.isEmpty else { return }
        let begins = state.update { state in
            if state.waiting.count < Self.maxWaiting { state.waiting.formUnion(keys) }
            defer { state.isSending = true }
            return !state.isSending
        }
        if begins { Task { await send() } }
    }

    private func send() async {
        while true {
            let keys = state.update { state in
                defer { state = State(waiting: [], isSending: !state.waiting.isEmpty) }
                return state.waiting
            }
            guard !keys.isEmpty else { return }
            let texts = Self.texts(of: keys)
            // One that is lost is made up for by a look.
            _ = try? await database.claim { [statement] db throws(ActionError) in
                for text in texts { _ = try SQLRecords(db: db).count(statement, [text]) }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// The announcements of accounts, one on each line.
    private static func texts(of keys: Set<AccountKey>) -> [String] {
        keys.reduce(into: [""]) { texts, key in
            let line = "\(key.project.rawValue)/\(key.account.rawValue)"
            guard line.utf8.count < maxBytes else { return }
            if texts[texts.count - 1].utf8.count + line.utf8.count > maxBytes { texts.append("") }
            texts[texts.count - 1] += texts[texts.count - 1].isEmpty ? line : "\n" + line
        }
    }

    /// The accounts of an announcement; none for one of another kind.
    static func keys(in text: String) -> [AccountKey] {
        text.split(separator: "\n").compactMap { line in
            // An id of a project has no slash.
            let parts = line.split(separator: "/", maxSplits: 1)
            return parts.count == 2 ? AccountKey(AccountID(rawValue: String(parts[1])), in: ProjectID(rawValue: String(parts[0]))) : nil
        }
    }
}
