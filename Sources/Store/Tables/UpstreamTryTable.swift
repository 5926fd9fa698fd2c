public import Accounts
public import Base

extension SQLRecords {
    public func upstreamTry(of digest: Digest) throws(ActionError) -> UpstreamTry? {
        try first(of: digest) { digest throws(ActionError) in
            let ends: [Timestamp?] = try column("SELECT finished_at FROM upstream_try WHERE digest = ?", [digest])
            return ends.first.map { $0 == nil ? .unanswered : .succeeded }
        }
    }

    public func beginUpstreamTry(of digest: Digest, in project: ProjectID, at now: Timestamp) throws(ActionError) {
        let known: Digest? = try first(of: digest) { digest throws(ActionError) in
            let tries: [Int] = try column("SELECT open_tries FROM upstream_try WHERE digest = ?", [digest])
            return tries.isEmpty ? nil : digest
        }
        if let known {
            try execute("UPDATE upstream_try SET open_tries = open_tries + 1 WHERE digest = ?", [known])
        } else {
            try execute("INSERT INTO upstream_try (digest, project, begun_at) VALUES (?, ?, ?)", [digest, project, now])
        }
    }

    public func finishUpstreamTry(of digest: Digest, in project: ProjectID, at now: Timestamp) throws(ActionError) {
        // Inserted again if it is missing: a concurrent try that was refused deletes the row.
        try execute(
            """
            INSERT INTO upstream_try (digest, project, begun_at, finished_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (digest) DO UPDATE SET finished_at = excluded.finished_at
            """, [digest, project, now, now])
    }

    public func forgetUpstreamTry(of digest: Digest) throws(ActionError) {
        for digest in digest.candidates {
            try execute("UPDATE upstream_try SET open_tries = open_tries - 1 WHERE digest = ?", [digest])
            try execute("DELETE FROM upstream_try WHERE digest = ? AND finished_at IS NULL AND open_tries <= 0", [digest])
        }
    }
}
