package import Accounts
internal import EmailActions

/// What makes a copy of a database safe to go on with.
extension Store {
    /// Ends what was handed out: codes and the mails that hold them, refresh tokens, and with the signing keys ID tokens and session cookies.
    /// In a copy, any of them may have been used, withdrawn or revoked since, of which the copy knows nothing (D9, decision 17).
    package func endEverythingHandedOut(at now: Timestamp) async throws(ActionError) {
        try await transaction { records throws(ActionError) in
            try records.execute(
                "UPDATE code SET ending = ?, ended_at = ? WHERE ending IS NULL AND expires_at > ?", [StoredCode.End.withdrawn, now, now])
            try records.execute("DELETE FROM mail WHERE delivered_at IS NULL AND useless_after IS NOT NULL")
            try records.execute("DELETE FROM session")
            try records.execute("DELETE FROM signing_key")
        }
    }
}
