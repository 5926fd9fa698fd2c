public import Accounts
public import Base

extension ProvedAddress: RowReadable {
    public init(row: inout SQLRow) throws(SQLFailure) {
        self.init(email: try row.next(), provedAt: try row.next(), unverifiedSince: try row.next())
    }
}

/// The addresses that accounts have proved.
extension SQLRecords {
    public func provedAddresses(of account: AccountID, in project: ProjectID) throws(ActionError) -> [ProvedAddress] {
        try all(
            "SELECT email, proved_at, unverified_since FROM proved_address WHERE project = ? AND account = ? ORDER BY proved_at",
            [project, account])
    }

    public func prove(_ email: EmailAddress, of account: AccountID, in project: ProjectID, at now: Timestamp) throws(ActionError) {
        let names: [any SQLConvertible] = [project, account, email]
        try submit(Self.endingLaterUndoLinks, [StoredCode.EndReason.withdrawn, now, Action.recoverEmail] + names)
        try submit(Self.forgettingLater, names + names)
        try submit("\(Self.proof) DO UPDATE SET unverified_since = NULL", names + [nil as Timestamp?, now, project, account])
    }

    /// Ends the undo links of addresses that were proved after one that comes back. If the address
    /// is new or verified already, one row is looked for, by its primary key.
    private static let endingLaterUndoLinks = """
        UPDATE code SET ending = ?, ended_at = ? WHERE ending IS NULL AND row_id IN (
            SELECT undo.row_id FROM proved_address AS back
            JOIN proved_address AS later
                ON later.project = back.project AND later.account = back.account AND later.proved_at > back.proved_at
            JOIN code AS undo
                ON undo.project = back.project AND undo.account = back.account AND undo.action = ? AND undo.email = later.email
            WHERE back.project = ? AND back.account = ? AND back.email = ? AND back.unverified_since IS NOT NULL)
        """

    /// Forgets the addresses that were proved after one that comes back, which may be an
    /// intruder's; but for the present one, which may have to be told that it is left.
    private static let forgettingLater = """
        DELETE FROM proved_address WHERE project = ? AND account = ? AND email <> ?
        AND proved_at > (
            SELECT back.proved_at FROM proved_address AS back
            WHERE back.project = ? AND back.account = ? AND back.email = ? AND back.unverified_since IS NOT NULL)
        AND email <> coalesce(
            (SELECT email FROM account WHERE account.project = proved_address.project AND account.id = proved_address.account), '')
        """

    /// An address that is proved in the millisecond of another one comes after it.
    private static let proof = """
        INSERT INTO proved_address (project, account, email, unverified_since, proved_at) VALUES (?, ?, ?, ?, (
            SELECT max(moment) FROM (
                SELECT ? AS moment UNION ALL SELECT proved_at + 1 FROM proved_address WHERE project = ? AND account = ?
            ) AS moments))
        ON CONFLICT (project, account, email)
        """

    public func unverify(_ email: EmailAddress, of account: AccountID, in project: ProjectID, at now: Timestamp) throws(ActionError) {
        try submit(
            "\(Self.proof) DO UPDATE SET unverified_since = coalesce(proved_address.unverified_since, excluded.unverified_since)",
            [project, account, email, now, now, project, account])
    }

    public func set(_ proved: [ProvedAddress], of account: AccountID, in project: ProjectID) throws(ActionError) {
        try forgetProvedAddresses(of: account, in: project)
        for address in proved {
            try submit(
                "INSERT INTO proved_address (project, account, email, proved_at, unverified_since) VALUES (?, ?, ?, ?, ?)",
                [project, account, address.email, address.provedAt, address.unverifiedSince])
        }
    }

    public func forgetProvedAddress(_ email: EmailAddress, of account: AccountID, in project: ProjectID) throws(ActionError) {
        try submit("DELETE FROM proved_address WHERE project = ? AND account = ? AND email = ?", [project, account, email])
    }

    public func forgetProvedAddresses(of account: AccountID, in project: ProjectID) throws(ActionError) {
        try submit("DELETE FROM proved_address WHERE project = ? AND account = ?", [project, account])
    }
}
