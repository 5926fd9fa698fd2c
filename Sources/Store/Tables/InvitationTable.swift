public import Accounts
public import Base

extension Invitation: RowReadable {
    public init(row: inout SQLRow) throws(SQLFailure) {
        let (sentAt, expiresAt, madeAccount): (Timestamp, Timestamp, Bool) = (try row.next(), try row.next(), try row.next())
        let (id, name): (AccountID?, String?) = (try row.next(), try row.next())
        self.init(
            sentAt: sentAt, expiresAt: expiresAt, madeAccount: madeAccount, newcomer: id.map { Newcomer(id: $0, displayName: name) })
    }
}

extension SQLRecords {
    /// An invitation to another user's account is over once that account has proved the address.
    static let waitingInvitation = "invitation.project = account.project AND (newcomer IS NULL OR account.email_verified = 0)"

    public func invitation(of account: Account) throws(ActionError) -> Invitation? {
        try first(
            """
            SELECT sent_at, expires_at, made_account, newcomer, newcomer_name FROM invitation WHERE project = ? AND account = ?
            """, [account.project, account.id])
    }

    public func set(_ invitation: Invitation?, of account: Account) throws(ActionError) {
        try submit("DELETE FROM invitation WHERE project = ? AND account = ?", [account.project, account.id])
        guard let invitation else { return }
        try submit(
            """
            INSERT INTO invitation (project, account, sent_at, expires_at, made_account, newcomer, newcomer_name)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                account.project, account.id, invitation.sentAt, invitation.expiresAt, invitation.madeAccount, invitation.newcomer?.id,
                invitation.newcomer?.displayName,
            ])
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
                """
                SELECT count(*) FROM (
                    SELECT 1 FROM invitation JOIN account ON account.id = invitation.account
                    WHERE expires_at <= ? AND \(SQLRecords.waitingInvitation) LIMIT ?) AS counted
                """,
                [moment ?? Timestamp(milliseconds: .max), limit])
        }
    }
}
