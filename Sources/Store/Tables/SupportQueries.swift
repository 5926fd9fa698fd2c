public import Accounts
public import Base

extension SQLRecords {
    public func accounts(
        withEmailFrom start: String, to end: String, limit: Int, in project: ProjectID
    ) throws(ActionError) -> [Account] {
        try all("\(Account.select) WHERE project = ? AND email >= ? AND email < ? ORDER BY email LIMIT ?", [project, start, end, limit])
    }

    public func newestAccounts(before account: Account?, limit: Int, in project: ProjectID) throws(ActionError) -> [Account] {
        let condition = account == nil ? "" : " AND (created_at, id) < (?, ?)"
        let last: [any SQLConvertible] = account.map { [$0.createdAt, $0.id] } ?? []
        return try all(
            "\(Account.select) WHERE project = ?\(condition) ORDER BY created_at DESC, id DESC LIMIT ?", [project] + last + [limit])
    }

    public func sessions(of account: Account, limit: Int) throws(ActionError) -> [RefreshTokenRecord] {
        try all(
            """
            \(RefreshTokenRecord.select) WHERE project = ? AND account = ? AND retired_at IS NULL
            ORDER BY created_at DESC, digest LIMIT ?
            """, [account.project, account.id, limit])
    }

    public func liveCodes(of account: Account, at now: Timestamp, limit: Int) throws(ActionError) -> [StoredCode] {
        try all(
            "\(StoredCode.select) WHERE project = ? AND account = ? AND \(Self.live) ORDER BY created_at DESC, row_id LIMIT ?",
            [account.project, account.id, now, limit])
    }

    public func mailOverview(
        in project: ProjectID, since moment: Timestamp, limit: Int, endedLimit: Int
    ) throws(ActionError) -> MailOverview {
        let newest: [Timestamp] = try column(
            """
            SELECT ended_at FROM mail WHERE project = ? AND ending IS NOT NULL AND ended_at >= ?
            ORDER BY ended_at DESC LIMIT 1 OFFSET ?
            """, [project, moment, endedLimit])
        let since = newest.first.map { $0 + .milliseconds(1) } ?? moment
        let ended: [EndedMails] = try all(
            """
            SELECT ended_at / 3600000 AS hour, kind, ending, relay, count(*) FROM mail
            WHERE project = ? AND ending IS NOT NULL AND ended_at >= ?
            GROUP BY ended_at / 3600000, kind, ending, relay ORDER BY ended_at / 3600000, kind, ending, relay
            """, [project, since])
        // Read as the index has them, by time, as those of a list that wait.
        let oldest: [Timestamp] = try column(
            "SELECT created_at FROM mail WHERE ending IS NULL AND project || '' = ? ORDER BY created_at LIMIT 1", [project])
        return MailOverview(
            waiting: try mailGroups(in: project, "ending IS NULL", limit: limit), oldestWaiting: oldest.first,
            parked: try mailGroups(in: project, "ending = 'parked'", limit: limit), ended: ended.map(\.hour), since: since, limit: limit)
    }

    private func mailGroups(in project: ProjectID, _ condition: String, limit: Int) throws(ActionError) -> [MailOverview.Group] {
        let found: [MailGroup] = try all(
            """
            SELECT kind, relay, count(*), max(answer) FROM (
                SELECT kind, relay, answer FROM mail WHERE project = ? AND \(condition) LIMIT ?) AS counted
            GROUP BY kind, relay ORDER BY kind, relay
            """, [project, limit])
        return found.map(\.group)
    }

    public func audit(_ search: AuditSearch, in project: ProjectID) throws(ActionError) -> AuditPage {
        let newest: [Int?] = try column("SELECT max(position) FROM audit")
        guard let newest = newest.first ?? nil else { return AuditPage(records: [], next: nil) }
        let end = max(1, min(search.before ?? .max, newest + 1))
        let start = max(end - search.window, 0)
        let subject = search.account.map(Self.subjectText)
        var condition = subject == nil ? "" : " AND subject <> replace(subject, ?, '')"
        let left = search.methodsLeftOut.sorted()
        if !left.isEmpty { condition += " AND method NOT IN (\(Self.placeholders(left.count)))" }
        let found: [NumberedAuditRecord] = try all(
            """
            SELECT position, \(AuditRecord.columns) FROM audit WHERE position < ? AND position >= ? AND project = ?\(condition)
            ORDER BY position DESC LIMIT ?
            """, [end, start, project] + [subject].compactMap(\.self) + left + [search.limit])
        let records = found.map(\.record)
        return AuditPage(
            records: search.account.map { account in records.filter { $0.subjects.contains(account.rawValue) } } ?? records,
            next: found.count == search.limit ? found.last?.position : start > 1 ? start : nil)
    }

    public func merges(into account: AccountID, in project: ProjectID) throws(ActionError) -> [StoredMerge] {
        try all("\(StoredMerge.select) WHERE project = ? AND account = ? ORDER BY merged", [project, account])
    }

    public func event(_ id: String, in project: ProjectID) throws(ActionError) -> EventDelivery? {
        try events(EventFilter(id: id, project: project), limit: 1).first
    }

    public func suppressions(in project: ProjectID, at now: Timestamp, limit: Int) throws(ActionError) -> [Suppression] {
        try suppressions(ofProject: project, at: now, limit: limit)
    }

    /// - Parameter project: nil for all.
    func suppressions(ofProject project: ProjectID?, at now: Timestamp, limit: Int) throws(ActionError) -> [Suppression] {
        let filter = project == nil ? "" : "project = ? AND "
        return try all(
            "\(Suppression.select) WHERE \(filter)(until IS NULL OR until > ?) ORDER BY at DESC, recipient_digest LIMIT ?",
            [project].compactMap(\.self) as [any SQLConvertible] + [now, limit])
    }
}

private struct MailGroup: RowReadable {
    let group: MailOverview.Group

    init(row: inout SQLRow) throws(SQLFailure) {
        group = MailOverview.Group(
            kind: try row.next(), relay: try row.next(), count: try row.next(), answer: try row.next())
    }
}

private struct EndedMails: RowReadable {
    let hour: MailOverview.Hour

    init(row: inout SQLRow) throws(SQLFailure) {
        let number: Int = try row.next()
        hour = MailOverview.Hour(
            start: Timestamp(milliseconds: Int64(number) * 3_600_000), kind: try row.next(), end: try row.next(), relay: try row.next(),
            count: try row.next())
    }
}
