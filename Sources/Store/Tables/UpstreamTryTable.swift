public import Accounts
public import Base

extension SQLRecords {
    public func upstreamTry(of digest: Digest) throws(ActionError) -> UpstreamTry? {
        try first(of: digest) { digest throws(ActionError) in
            let ends: [Timestamp?] = try column("SELECT finished_at FROM upstream_try WHERE digest = ?", [digest])
            return ends.first.map { $0 == nil ? .unanswered : .succeeded }
        }
    }

    public func beginUpstreamTry(of digest: Digest, in project: ProjectID, at now: Timestamp) throws(ActionError) -> Timestamp {
        let earlier: Timestamp? = try first(of: digest) { digest throws(ActionError) in
            let moments: [Timestamp] = try column("SELECT begun_at FROM upstream_try WHERE digest = ?", [digest])
            return moments.first
        }
        let begun = earlier.map { max(now, $0 + .milliseconds(1)) } ?? now
        try execute(
            """
            INSERT INTO upstream_try (digest, project, begun_at) VALUES (?, ?, ?)
            ON CONFLICT (digest) DO UPDATE SET begun_at = excluded.begun_at
            """, [digest, project, begun])
        return begun
    }

    public func finishUpstreamTry(of digest: Digest, in project: ProjectID, at now: Timestamp) throws(ActionError) {
        // Inserted again if it is missing: a concurrent try that was refused deletes the row.
        try execute(
            """
            INSERT INTO upstream_try (digest, project, begun_at, finished_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (digest) DO UPDATE SET finished_at = excluded.finished_at
            """, [digest, project, now, now])
    }

    public func forgetUpstreamTry(of digest: Digest, begunAt moment: Timestamp) throws(ActionError) {
        for digest in digest.candidates {
            try execute("DELETE FROM upstream_try WHERE digest = ? AND finished_at IS NULL AND begun_at = ?", [digest, moment])
        }
    }
}
