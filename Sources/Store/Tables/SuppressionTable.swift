public import Accounts
public import Base

extension Suppression: TableRow {
    static let table = "mail_suppression"
    static let columns: TableColumns = "project, recipient_digest, reason, provider, at, until"

    var values: [any SQLConvertible] { [project, recipient, reason, provider, at, until] }

    init(_ row: NamedRow) throws(SQLFailure) {
        try self.init(
            project: row["project"], recipient: row["recipient_digest"], reason: row["reason"], provider: row["provider"],
            at: row["at"], until: row["until"])
    }
}

extension Suppression.Reason: SQLConvertible {}
extension FeedbackProvider: SQLConvertible {}

extension SQLRecords {
    public func suppressions(of recipient: Digest, in project: ProjectID, at now: Timestamp) throws(ActionError) -> [Suppression] {
        var found: [Suppression] = []
        for digest in recipient.candidates { found += try all(Self.suppressionsOfRecipient, [project, digest, now]) }
        return found
    }

    private static let suppressionsOfRecipient =
        "\(Suppression.select) WHERE project = ? AND recipient_digest = ? AND (until IS NULL OR until > ?)"

    /// Replaces an earlier suppression for the same reason.
    func replace(with suppression: Suppression) throws(ActionError) {
        for digest in suppression.recipient.candidates {
            try execute(
                "DELETE FROM mail_suppression WHERE project = ? AND recipient_digest = ? AND reason = ?",
                [suppression.project, digest, suppression.reason])
        }
        try insert(suppression)
    }

    /// Whether a stored mail to an address was ever offered to a relay.
    func hasMailed(_ recipient: Digest, in project: ProjectID) throws(ActionError) -> Bool {
        try first(of: recipient) { digest throws(ActionError) in
            try first("SELECT attempts FROM mail WHERE project = ? AND recipient_digest = ? AND attempts > 0 LIMIT 1", [project, digest])
                as SingleColumnRow<Int>?
        } != nil
    }

    /// Removes the suppressions of an address, as when its account is erased.
    /// - Returns: the number of those that were removed.
    @discardableResult
    public func removeSuppressions(of recipient: Digest, in project: ProjectID) throws(ActionError) -> Int {
        var removed = 0
        for digest in recipient.candidates {
            removed += try execute("DELETE FROM mail_suppression WHERE project = ? AND recipient_digest = ?", [project, digest])
        }
        return removed
    }
}
