public import Accounts
public import Base

/// The networks from which the users of accounts signed in.
extension SQLRecords {
    public func knows(_ network: Digest, since oldest: Timestamp) throws(ActionError) -> Bool {
        try first(of: network) { digest throws(ActionError) in
            try first("SELECT seen_at FROM known_network WHERE digest = ? AND seen_at >= ?", [digest, oldest])
                as SingleColumnRow<Timestamp>?
        } != nil
    }

    public func hasBeenUsed(_ account: Account) throws(ActionError) -> Bool {
        for table in ["known_network", "session"] {
            let query = "SELECT 1 FROM \(table) WHERE project = ? AND account = ? LIMIT 1"
            if try first(query, [account.project, account.id]) as SingleColumnRow<Int>? != nil { return true }
        }
        return false
    }

    public func remember(_ network: Digest, of account: Account, at now: Timestamp) throws(ActionError) {
        try submit(
            """
            INSERT INTO known_network (digest, project, account, seen_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (digest) DO UPDATE SET seen_at = excluded.seen_at
            """, [network, account.project, account.id, now])
    }

    public func forgetNetworks(of account: AccountID, in project: ProjectID) throws(ActionError) {
        try submit("DELETE FROM known_network WHERE project = ? AND account = ?", [project, account])
    }
}
