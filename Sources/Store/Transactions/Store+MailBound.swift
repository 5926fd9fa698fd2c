public import Accounts
public import Base

extension Store {
    /// The number of mails that one call drops, so that its transaction is short.
    private static let maxDropped = 500

    /// Drops waiting mails beyond `limit`, and those of one project beyond half of it. The first to
    /// go are the last of the networks from which the most were asked for, because a network's
    /// mails have consecutive turns (V2); of equal turns first what was asked for, so that notices
    /// with undo links stay.
    /// - Returns: the number of dropped mails; `maxDropped` or more means that there may be more.
    public func dropMails(beyond limit: Int, at now: Timestamp) async throws(ActionError) -> Int {
        guard try await read(records: { records throws(ActionError) in try records.excess(beyond: limit)?.count }) != nil else { return 0 }
        return try await claim { records throws(ActionError) in
            // A lock that lets one process do this at a time, after what others dropped: otherwise
            // each would drop as many.
            try records.execute("UPDATE row_id_range SET id = id")
            guard let (heaviest, excess) = try records.excess(beyond: limit) else { return 0 }
            return try records.execute(
                """
                UPDATE mail SET ending = ?, ended_at = ?, due_at = NULL, sealed = NULL, recipient = NULL, answer = ?
                WHERE id IN (SELECT id FROM mail WHERE ending IS NULL AND project = ? ORDER BY turn DESC, priority, id DESC LIMIT ?)
                """, [MailEndReason.dropped, now, "too many mails were waiting", heaviest, min(excess, Self.maxDropped)])
        }
    }
}

extension SQLRecords {
    /// The project that has to give way, and the number of mails that are too many; nil if none
    /// are.
    fileprivate func excess(beyond limit: Int) throws(ActionError) -> (project: ProjectID, count: Int)? {
        let counts: [WaitingMails] = try all("SELECT project, count(*) FROM mail WHERE ending IS NULL GROUP BY project")
        guard let heaviest = counts.max(by: { $0.count < $1.count }) else { return nil }
        let excess = max(counts.reduce(0) { $0 + $1.count } - limit, heaviest.count - limit / 2)
        return excess > 0 ? (heaviest.project, excess) : nil
    }
}

/// The number of mails of a project that wait.
private struct WaitingMails: RowReadable {
    let project: ProjectID
    let count: Int

    init(row: inout SQLRow) throws(SQLFailure) { (project, count) = (try row.next(), try row.next()) }
}
