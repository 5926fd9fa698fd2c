public import Accounts

/// The secrets that the sealed values and the keyed hashes of the database were made with.
extension Store {
    /// Checks the configured secrets before they are used. The first one becomes that of the
    /// database. Throws `Unavailable` with a sentence for the operator if the database has another,
    /// or if a fingerprint is damaged.
    /// - Parameter beginningChange: whether a new secret, configured together with that of the
    ///   database as the previous one, becomes the current one. Otherwise the database's own still
    ///   seals, so that a server which runs with it can open everything.
    /// - Returns: the secrets that seal values, with all others that the database knows.
    public func recognize(_ configured: Secrets, beginningChange: Bool = false) async throws(ActionError) -> Secrets {
        let name = database.name
        return try await transaction { records throws(ActionError) in
            var known = try Self.knownSecrets(records)
            guard !known.isEmpty else {
                known = [KnownSecret(configured, number: Secrets.firstNumber, .current)]
                try Self.replace(known, records)
                return Self.secrets(known, configured)
            }
            try Self.check(known, openedBy: configured, database: name)
            if beginningChange, let current = known[.current], current.fingerprint != configured.fingerprint {
                let others = known.map { $0 == current ? $0.becoming(.previous) : $0 }
                guard let changed = others.adding(configured) else {
                    throw Self.unusable("The database \(name) has had 255 secrets, and there is no number for another one.")
                }
                known = changed
                try Self.replace(known, records)
            }
            return Self.secrets(known, configured)
        }
    }

    /// Throws `Unavailable` if a secret of the database is damaged or not configured.
    static func check(_ known: [KnownSecret], openedBy configured: Secrets, database name: String) throws(ActionError) {
        guard known.allSatisfy({ $0.fingerprint == $0.copy }) else {
            throw unusable("The fingerprint of the secret in the database \(name) is damaged.")
        }
        guard known.areOpened(by: [configured] + configured.former) else {
            throw unusable(sentence(onMissing: known[.previous] != nil, database: name))
        }
    }

    /// Whether the database can be used with the configured secrets.
    public func has(_ configured: Secrets) async throws(ActionError) -> Bool {
        try await read { records throws(ActionError) in
            let known = try Self.knownSecrets(records)
            return !known.isEmpty && known.allSatisfy { $0.fingerprint == $0.copy } && known.areOpened(by: [configured] + configured.former)
        }
    }

    /// Makes the secret that of the database, whichever it had. Values and hashes of others stay,
    /// and are of use again if their secret is set again.
    /// - Returns: the secret with its number.
    @discardableResult
    public func replaceSecret(with secrets: Secrets) async throws(ActionError) -> Secrets {
        try await transaction { records throws(ActionError) in
            let intact = try Self.knownSecrets(records).filter { $0.fingerprint == $0.copy }
            guard let known = intact.map({ $0.becoming(.replaced) }).adding(secrets) else {
                throw Self.unusable("The database has had 255 secrets, and there is no number for another one.")
            }
            try Self.replace(known, records)
            return Self.secrets(known, secrets)
        }
    }

    /// How the configured secrets relate to those of the database.
    public func secretState(of configured: Secrets) async throws(ActionError) -> SecretState {
        try await read { records throws(ActionError) in
            let known = try Self.knownSecrets(records)
            guard !known.isEmpty else { return .settled }
            guard known.areOpened(by: [configured] + configured.former) else { return .other }
            if known[.current]?.fingerprint != configured.fingerprint { return .changesAtNextStart }
            if configured.former.contains(where: { known[$0]?.hasSealedValues == true }) { return .changing }
            return configured.former.isEmpty ? .settled : .previousUnneeded
        }
    }

    /// The keys of everything that the database has, from the secrets that are configured.
    static func secrets(_ known: [KnownSecret], _ configured: Secrets) -> Secrets {
        func opener(_ row: KnownSecret) -> Secrets? {
            ([configured] + configured.former).first { $0.fingerprint == row.fingerprint }?.numbered(row.number, former: [])
        }
        guard let row = known[.current], let current = opener(row) else { return configured }
        let others = known.filter { $0 != row }
        let opening = current.numbered(row.number, former: others.compactMap(opener))
        // Keys that are damaged find nothing: sessions and links of that secret end.
        let finders = others.filter { opener($0) == nil }.compactMap { row in
            row.sealedKeys.flatMap { Secrets(digestKeys: $0, by: opening, number: row.number) }
        }
        var secrets = opening.numbered(row.number, former: opening.former + finders)
        secrets.hasPredecessor = others.contains { $0.state != .previous }
        return secrets
    }

    static func knownSecrets(_ records: SQLRecords) throws(ActionError) -> [KnownSecret] {
        try records.all("\(KnownSecret.select) ORDER BY number")
    }

    static func replace(_ known: [KnownSecret], _ records: SQLRecords) throws(ActionError) {
        try records.execute("DELETE FROM secret")
        for secret in known { try records.insert(secret) }
    }

    private static func sentence(onMissing isChanging: Bool, database name: String) -> String {
        isChanging
            ? """
            The secret of the database \(name) is being changed: values of two secrets are in it. Configure both, as `secret: {current: …, \
            previous: …}`, until `onward secret reseal` has ended the change.
            """
            : """
            The configured secret is not the one that the database \(name) was made with. Configure that one again, as `secret`, or as \
            `previous` of it if you change the secret.
            """
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

/// The state of the secret of an installation.
public enum SecretState: Sendable, Hashable {
    /// One secret is configured, and it is that of the database.
    case settled
    /// The next start of the server makes the configured secret the current one.
    case changesAtNextStart
    /// Values that are sealed with the configured previous secret may be in the database.
    case changing
    /// Nothing needs the configured previous secret.
    case previousUnneeded
    /// The database was made with another secret.
    case other
}
