public import Accounts
public import Base

extension Invitation: RowReadable {
    public init(row: inout SQLRow) throws(SQLFailure) {
        self.init(sentAt: try row.next(), expiresAt: try row.next(), madeAccount: try row.next())
    }
}

extension SQLRecords {
    public func invitation(of account: Account) throws(ActionError) -> Invitation? {
        try first(
            "SELECT sent_at, expires_at, made_account FROM invitation WHERE project = ? AND account = ?", [account.project, account.id])
    }

    public func set(_ invitation: Invitation?, of account: Account) throws(ActionError) {
        try submit("DELETE FROM invitation WHERE project = ? AND account = ?", [account.project, account.id])
        guard let invitation else { return }
        try submit(
            "INSERT INTO invitation (project, account, sent_at, expires_at, made_account) VALUES (?, ?, ?, ?, ?)",
            [account.project, account.id, invitation.sentAt, invitation.expiresAt, invitation.madeAccount])
    }
}

extension Store {
    /// The number of invitations that wait.
    /// - Parameters:
    ///   - moment: counts only those whose links expire until then; nil: all.
    ///   - limit: the highest number that is counted to.
    public func countInvitations(expiringUntil moment: Timestamp? = nil, upTo limit: Int) async throws(ActionError) -> Int {
        try await read { records throws(ActionError) in
            try records.count(
                "SELECT count(*) FROM (SELECT 1 FROM invitation WHERE expires_at <= ? LIMIT ?) AS counted",
                [moment ?? Timestamp(milliseconds: .max), limit])
        }
    }
}
