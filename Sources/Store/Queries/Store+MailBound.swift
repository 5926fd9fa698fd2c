package import Accounts
internal import EmailActions

extension Store {
    /// The number of mails that one call drops, so that its transaction is short.
    private static let maxDropped = 500

    /// Drops waiting mails beyond `limit`, of which one project may have half. The first to go are
    /// the last of the networks from which the most were asked for, because a network's mails have
    /// consecutive turns (V2).
    /// - Returns: the number of dropped mails; `maxDropped` or more means that there may be more.
    package func dropMails(beyond limit: Int, at now: Timestamp) async throws(ActionError) -> Int {
        let counts: [WaitingMails] = try await read { records throws(ActionError) in
            try records.all("SELECT project, count(*) FROM mail WHERE ending IS NULL GROUP BY project")
        }
        guard let heaviest = counts.max(by: { $0.count < $1.count }) else { return 0 }
        let excess = max(counts.reduce(0) { $0 + $1.count } - limit, heaviest.count - limit / 2)
        guard excess > 0 else { return 0 }
        return try await transaction { records throws(ActionError) in
            try records.execute(
                """
                UPDATE mail SET ending = ?, ended_at = ?, due_at = NULL, sealed = NULL, recipient = NULL, answer = ?
                WHERE id IN (SELECT id FROM mail WHERE ending IS NULL AND project = ? ORDER BY turn DESC, id DESC LIMIT ?)
                """, [MailEnd.dropped, now, "too many mails were waiting", heaviest.project, min(excess, Self.maxDropped)])
        }
    }
}

/// The number of mails of a project that wait.
private struct WaitingMails: RowReadable {
    let project: ProjectID
    let count: Int

    init(row: inout SQLRow) throws(SQLFailure) { (project, count) = (try row.next(), try row.next()) }
}
