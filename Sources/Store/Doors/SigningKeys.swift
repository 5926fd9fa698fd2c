package import Accounts

extension StoredSigningKey: Row {
    static let table = "signing_key"
    static let columns = "id, created_at, sealed_private_key"

    var values: [any SQLConvertible] { [id, createdAt, sealedPrivateKey] }

    package init(row: inout SQLRow) throws(SQLFailure) {
        self.init(id: try row.next(), createdAt: try row.next(), sealedPrivateKey: try row.next())
    }
}

extension Store: SigningKeyStore {
    package func signingKeys(
        orFirst make: @escaping @Sendable () throws(ActionError) -> StoredSigningKey
    ) async throws(ActionError) -> [StoredSigningKey] {
        let stored = try await read(records: Self.signingKeys)
        guard stored.isEmpty else { return stored }
        // Made before the transaction: no other writer waits for the primes of an RSA key.
        let first = try make()
        return try await transaction { records throws(ActionError) in
            let others = try Self.signingKeys(records)
            guard others.isEmpty else { return others }
            try records.insert(first)
            return [first]
        }
    }

    private static func signingKeys(_ records: Records) throws(ActionError) -> [StoredSigningKey] {
        try records.all("\(StoredSigningKey.select) ORDER BY created_at DESC, id")
    }
}
