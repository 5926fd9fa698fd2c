public import Accounts
import Base

extension EventDelivery: TableRow {
    static let table = "account_event"
    static let columns: TableColumns = """
        position, id, endpoint, kind, also_kinds, project, account, email, former_email, details, at, queue, attempts, due_at, parked_at, cause
        """

    var values: [any SQLConvertible] { [position] + insertedValues }

    /// The columns except for the position, which the engine assigns.
    static let insertedColumns = columns.description.trimmingPrefix("position, ")

    var insertedValues: [any SQLConvertible] {
        [
            event.id, endpoint, event.kind, event.alsoKinds.map(\.rawValue).joined(separator: " "), event.project, event.account,
            event.email, event.formerEmail, event.details.text, event.at, queue, attempts, dueAt, parkedAt, cause,
        ]
    }

    init(_ row: NamedRow) throws(SQLFailure) {
        let (also, details): (String, String) = (try row["also_kinds"], try row["details"])
        guard let json = try? JSON(Array(details.utf8)) else { throw .failed(cause: "the details of an event are not JSON") }
        let event = try AccountEvent(
            id: row["id"], kind: row["kind"], alsoKinds: also.split(separator: " ").compactMap { AccountEvent.Kind(rawValue: String($0)) },
            project: row["project"], account: row["account"], at: row["at"], email: row["email"], formerEmail: row["former_email"],
            details: json)
        try self.init(
            position: row["position"], event: event, endpoint: row["endpoint"], queue: row["queue"], attempts: row["attempts"],
            dueAt: row["due_at"], parkedAt: row["parked_at"], cause: row["cause"])
    }
}

extension AccountEvent.Kind: SQLConvertible {}

extension SQLRecords {
    public func note(_ kind: AccountEvent.Kind, of account: Account) {
        touched?.change(account.id, in: account.project) { $0.note(kind, of: account) }
    }

    public func note(_ kind: AccountEvent.Kind, of merge: Merge, in project: ProjectID) {
        touched?.change(merge.into, in: project) { $0.note(kind, with: merge.from) }
        touched?.tellByAnother(merge.from, in: project)
    }

    public func note(_ imported: ImportProgress, in project: ProjectID) throws(ActionError) {
        guard let recording = touched?.recording else { return }
        touched?.tellByImport()
        let now = recording.now()
        try insert(
            recording.deliveries(
                of: imported.event(at: now, in: project), queue: imported.id,
                dueAt: imported.isFinished ? now : now + ImportProgress.patience))
    }

    /// Writes the events of the transaction.
    func insertEvents() throws(ActionError) {
        guard let recording = touched?.recording, let touched else { return }
        for (key, diff) in touched.diffs {
            guard let event = diff.event(id: recording.newID(), of: key.account, in: key.project, at: recording.now()) else { continue }
            try insert(recording.deliveries(of: event, queue: key.account.rawValue, dueAt: event.at))
        }
    }

    /// Only an import writes its event again.
    private func insert(_ deliveries: [EventDelivery]) throws(ActionError) {
        for delivery in deliveries {
            try submit(
                """
                INSERT INTO account_event (\(EventDelivery.insertedColumns)) VALUES (\(Self.placeholders(delivery.insertedValues.count)))
                ON CONFLICT (id, endpoint) DO UPDATE SET details = excluded.details, at = excluded.at, due_at = excluded.due_at
                """, delivery.insertedValues)
        }
    }

    public func moveEvents(of account: AccountID, to other: AccountID, in project: ProjectID) throws(ActionError) {
        try submit(
            "UPDATE account_event SET queue = ? WHERE project = ? AND queue = ? AND parked_at IS NULL",
            [other.rawValue, project, account.rawValue])
    }

    public func deleteEvents(of account: AccountID, in project: ProjectID) throws(ActionError) {
        try submit("DELETE FROM account_event WHERE project = ? AND account = ?", [project, account])
        try submit("DELETE FROM account_event WHERE project = ? AND queue = ? AND parked_at IS NULL", [project, account.rawValue])
    }

    public func deleteEvents(about email: EmailAddress, in project: ProjectID) throws(ActionError) {
        try submit("DELETE FROM account_event WHERE project = ? AND (email = ? OR former_email = ?)", [project, email, email])
    }
}
