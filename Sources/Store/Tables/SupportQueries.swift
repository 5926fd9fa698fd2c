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
