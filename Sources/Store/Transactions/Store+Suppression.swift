public import Accounts
public import Base

extension Store {
    public func suppress(
        _ suppressions: [Suppression], by report: RememberedReport?, at now: Timestamp
    ) async throws(ActionError) -> ReportResult {
        try await transaction { records throws(ActionError) in
            if let proof = report?.proof, try !records.bind(proof, at: now) { return .proofUsed }
            if let report, try !records.remember(report.digest, at: now) { return .repeated }
            var stored = 0
            for suppression in suppressions {
                guard try records.hasMailed(suppression.recipient, in: suppression.project) else { continue }
                try records.replace(with: suppression)
                stored += 1
            }
            return .counted(suppressed: stored)
        }
    }

    /// The suppressions in force, newest first.
    /// - Parameter project: nil for all.
    public func suppressions(in project: ProjectID? = nil, at now: Timestamp, limit: Int) async throws(ActionError) -> [Suppression] {
        try await read { records throws(ActionError) in try records.suppressions(ofProject: project, at: now, limit: limit) }
    }

    /// The suppressions of an address that are in force.
    /// - Parameter recipient: the address as `Outbox.digest` hashes it.
    public func suppressions(of recipient: Digest, in project: ProjectID, at now: Timestamp) async throws(ActionError) -> [Suppression] {
        try await read { records throws(ActionError) in try records.suppressions(of: recipient, in: project, at: now) }
    }

    /// Removes the suppressions of an address, as `Outbox.digest` hashes it.
    /// - Returns: the number of those that were removed.
    public func removeSuppressions(of recipient: Digest, in project: ProjectID) async throws(ActionError) -> Int {
        try await transaction { records throws(ActionError) in try records.removeSuppressions(of: recipient, in: project) }
    }

    /// Removes all suppressions of a project for one reason.
    /// - Returns: the number of those that were removed.
    public func removeSuppressions(for reason: Suppression.Reason, in project: ProjectID) async throws(ActionError) -> Int {
        try await transaction { records throws(ActionError) in
            try records.execute("DELETE FROM mail_suppression WHERE project = ? AND reason = ?", [project, reason])
        }
    }
}

extension SQLRecords {
    /// - Returns: false if the proof was bound to another body before.
    fileprivate func bind(_ proof: RememberedReport.Proof, at now: Timestamp) throws(ActionError) -> Bool {
        if try isRemembered(proof.digestWithBody) { return true }
        guard try remember(proof.digest, at: now) else { return false }
        return try remember(proof.digestWithBody, at: now)
    }

    /// - Returns: false if it was remembered before.
    fileprivate func remember(_ digest: Digest, at now: Timestamp) throws(ActionError) -> Bool {
        guard try !isRemembered(digest) else { return false }
        try execute("INSERT INTO mail_report (digest, received_at) VALUES (?, ?)", [digest, now])
        return true
    }

    private func isRemembered(_ digest: Digest) throws(ActionError) -> Bool {
        for candidate in digest.candidates where try count("SELECT count(*) FROM mail_report WHERE digest = ?", [candidate]) > 0 {
            return true
        }
        return false
    }
}
