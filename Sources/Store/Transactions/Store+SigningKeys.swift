public import Accounts

extension StoredSigningKey: TableRow {
    static let table = "signing_key"
    static let columns = "id, created_at, signs_from, sealed_private_key"

    var values: [any SQLConvertible] { [id, createdAt, signsFrom, sealedPrivateKey] }

    public init(row: inout SQLRow) throws(SQLFailure) {
        self.init(id: try row.next(), createdAt: try row.next(), signsFrom: try row.next(), sealedPrivateKey: try row.next())
    }
}

extension Store {
    public func signingKeys() async throws(ActionError) -> [StoredSigningKey] { try await read(records: Self.signingKeys) }

    public func changeSigningKeys(
        _ decide: @escaping @Sendable ([StoredSigningKey]) -> KeyChange
    ) async throws(ActionError) {
        try await transaction { records throws(ActionError) in
            let change = decide(try Self.signingKeys(records))
            for id in change.removed { try records.execute("DELETE FROM signing_key WHERE id = ?", [id]) }
            if let key = change.added { try records.insert(key) }
        }
    }

    private static func signingKeys(_ records: SQLRecords) throws(ActionError) -> [StoredSigningKey] {
        try records.all("\(StoredSigningKey.select) ORDER BY signs_from, id")
    }
}
