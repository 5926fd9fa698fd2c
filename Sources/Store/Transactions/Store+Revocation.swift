public import Accounts
public import Base

extension Store {
    /// Revokes every credential that was issued: codes and the mails that contain them, codes of
    /// text messages, recovery codes, also those of merged accounts, so that merges cannot be
    /// undone, refresh tokens, and with the signing keys all ID tokens and session cookies. Run on
    /// a copy of a database, because the copy does not know which of them were used or revoked
    /// after it was made (D9, decision 17).
    public func revokeCredentials(at now: Timestamp) async throws(ActionError) {
        try await transaction { records throws(ActionError) in
            try records.execute(
                // Also those that have expired: the clock may be ahead, and be set right.
                "UPDATE code SET ending = ?, ended_at = ? WHERE ending IS NULL", [StoredCode.EndReason.withdrawn, now])
            try records.execute("DELETE FROM mail WHERE ending IS NULL AND useless_after IS NOT NULL")
            try records.execute("DELETE FROM session")
            try records.execute("DELETE FROM recovery_code")
            try records.execute("DELETE FROM verification_code")
            try records.execute("DELETE FROM merge")
            try records.execute("DELETE FROM signing_key")
        }
    }
}
