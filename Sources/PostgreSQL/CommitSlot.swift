internal import Store

/// The row of one connection in the table `commit_slot`, which each of its transactions changes. So
/// when a connection is lost while the server commits, another connection can tell whether it did,
/// also after a fail-over, and can prevent that it still does (G4).
struct CommitSlot {
    /// The rows stay on their pages and no index is written, because there is room on the pages and
    /// no index of what changes.
    static let table = """
        CREATE TABLE commit_slot (id BIGINT NOT NULL PRIMARY KEY, sequence BIGINT NOT NULL, used_at BIGINT NOT NULL)
        WITH (fillfactor = 10)
        """

    /// Not zero, which is that of the mark of `ReplicaReads`.
    private let id = Int64.random(in: 1 ... .max)
    /// The number of transactions that the connection has committed, which is the one of its row.
    private var sequence: Int64 = 0

    /// Milliseconds since 1970, by the server's clock.
    static let now = "(extract(epoch FROM now()) * 1000)::bigint"

    /// Raises the number. Fails if `question` was asked before, because the number would be null.
    var mark: Statement {
        Statement(
            """
            INSERT INTO commit_slot (id, sequence, used_at) VALUES (?, ?, \(Self.now)) ON CONFLICT (id) DO UPDATE
            SET sequence = CASE WHEN commit_slot.sequence = ? THEN excluded.sequence END, used_at = excluded.used_at
            """, [.integer(id), .integer(sequence + 1), .integer(sequence)])
    }

    /// The transaction with `mark` was committed.
    mutating func advance() { sequence += 1 }

    /// Asks whether the transaction with `mark` was committed; if not, it cannot be any more. Waits
    /// while the server is still committing it. May be asked again if the answer is lost. It always
    /// writes the row, so a synchronous stand-by has the transaction before the answer comes.
    var question: Statement {
        Statement(
            """
            INSERT INTO commit_slot (id, sequence, used_at) VALUES (?, -1, \(Self.now)) ON CONFLICT (id) DO UPDATE
            SET sequence = CASE WHEN commit_slot.sequence = ? THEN -1 ELSE commit_slot.sequence END RETURNING sequence
            """, [.integer(id), .integer(sequence)])
    }

    /// Whether the answer to `question` is that the transaction was committed. Any other number
    /// says that it was not.
    func isCommitted(by answer: [SQLRow]) throws(SQLFailure) -> Bool {
        guard var row = answer.first else { return false }
        return try row.next() == sequence + 1
    }

    /// Deletes the rows of connections that ended. A connection is replaced long before a day has
    /// passed.
    static let purge = Statement("DELETE FROM commit_slot WHERE used_at < \(now) - 86400000")
}
