public import Accounts

extension ShortLinkVisit.DeviceKind: SQLConvertible {}
extension ShortLinkVisit.Event: SQLConvertible {}

extension ShortLinkCount: RowReadable {
    public init(row: inout SQLRow) throws(SQLFailure) {
        self.init(platform: try row.next(), event: try row.next(), count: try row.next())
    }
}

extension Store {
    /// Adds to the counts of visits. Those of links that the store does not have, as after a backup
    /// was restored, are dropped: they would hold back all others.
    public func add(_ counts: [ShortLinkVisit: Int]) async throws(ActionError) {
        guard !counts.isEmpty else { return }
        // All processes in one order, so that none waits for one that waits for it.
        let sorted = counts.sorted { $0.key.precedes($1.key) }
        try await claim { records throws(ActionError) in
            for (visit, count) in sorted {
                try records.submit(
                    """
                    INSERT INTO short_link_count (link, day, platform, event, count)
                    SELECT id, ?, ?, ?, ? FROM short_link WHERE id = ?
                    ON CONFLICT (link, day, platform, event) DO UPDATE SET count = short_link_count.count + excluded.count
                    """, [visit.day, visit.platform, visit.event, count, visit.link])
            }
        }
    }

    /// Deletes counts of days before `day`, at most `limit`, so that the transaction is short.
    /// - Returns: The number of deleted rows; fewer than `limit` means that none are left.
    public func purgeShortLinkCounts(before day: Int, limit: Int = 500) async throws(ActionError) -> Int {
        try await claim { records throws(ActionError) in
            try records.execute(
                """
                DELETE FROM short_link_count WHERE (link, day, platform, event) IN (
                    SELECT link, day, platform, event FROM short_link_count WHERE day < ? ORDER BY day LIMIT ?\(records.claiming))
                """, [day, limit])
        }
    }
}

extension ShortLinkVisit {
    fileprivate func precedes(_ other: ShortLinkVisit) -> Bool {
        (link, day, platform.rawValue, event.rawValue) < (other.link, other.day, other.platform.rawValue, other.event.rawValue)
    }
}

extension SQLRecords {
    public func shortLinkCounts(of link: Int, since day: Int) throws(ActionError) -> [ShortLinkCount] {
        try all(
            """
            SELECT platform, event, CAST(sum(count) AS BIGINT) FROM short_link_count WHERE link = ? AND day >= ?
            GROUP BY platform, event ORDER BY platform, event
            """, [link, day])
    }
}
