package import Accounts
internal import EmailActions

/// The secret that the sealed values and the keyed hashes of the database were made with.
extension Store {
    /// Checks the configured secret before it is used. The first one becomes that of the database.
    /// Throws `Unavailable` with a sentence for the operator if the database has another, or if its
    /// fingerprint is damaged.
    /// - Returns: the secrets, which know whether the database had others before.
    package func recognize(_ secrets: Secrets) async throws(ActionError) -> Secrets {
        let name = database.name
        return try await transaction { records throws(ActionError) in
            guard let known = try Self.fingerprint(records) else {
                try Self.set(secrets, records)
                return secrets
            }
            guard known.isIntact else { throw Self.unusable("The fingerprint of the secret in the database \(name) is damaged.") }
            guard known.fingerprint == secrets.fingerprint else {
                throw Self.unusable(
                    "The configured secret is not the one that the database \(name) was made with. Configure that one again.")
            }
            var recognized = secrets
            recognized.hasPredecessor = known.replacements > 0
            return recognized
        }
    }

    /// Whether the database is known to have this secret.
    package func has(_ secrets: Secrets) async throws(ActionError) -> Bool {
        try await read { records throws(ActionError) in
            try Self.fingerprint(records).map { $0.isIntact && $0.fingerprint == secrets.fingerprint } ?? false
        }
    }

    /// Makes the secret that of the database, whichever it had. Values and hashes of the former one
    /// stay, and are of use again if that one is set again.
    package func replaceSecret(with secrets: Secrets) async throws(ActionError) {
        try await transaction { records throws(ActionError) in try Self.set(secrets, records) }
    }

    private static func set(_ secrets: Secrets, _ records: Records) throws(ActionError) {
        try records.execute(
            """
            INSERT INTO secret (id, fingerprint, fingerprint_copy, replacements) VALUES (1, ?, ?, 0) ON CONFLICT (id) DO UPDATE
            SET fingerprint = excluded.fingerprint, fingerprint_copy = excluded.fingerprint_copy, replacements = secret.replacements + 1
            """, [secrets.fingerprint, secrets.fingerprint])
    }

    private static func fingerprint(_ records: Records) throws(ActionError) -> StoredFingerprint? {
        try records.first("SELECT fingerprint, fingerprint_copy, replacements FROM secret", [])
    }

    private static func unusable(_ sentence: String) -> ActionError {
        .unavailable(
            Unavailable(
                .store,
                cause: """
                    \(sentence) If it is lost, stop the server and run `onward signing-key rotate --compromised`, which makes the \
                    configured secret that of the database: then every link, session and admin key is void.
                    """))
    }
}

private struct StoredFingerprint: RowReadable {
    let fingerprint, copy: Digest
    let replacements: Int

    var isIntact: Bool { fingerprint == copy }

    init(row: inout SQLRow) throws(SQLFailure) {
        (fingerprint, copy, replacements) = (try row.next(), try row.next(), try row.next())
    }
}
