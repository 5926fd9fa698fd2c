public import Accounts

extension StoredSigningKey: TableRow {
    static let table = "signing_key"
    static let columns: TableColumns = "id, created_at, signs_from, sealed_private_key"

    var values: [any SQLConvertible] { [id, createdAt, signsFrom, sealedPrivateKey] }

    init(_ row: NamedRow) throws(SQLFailure) {
        try self.init(
            id: row["id"], createdAt: row["created_at"], signsFrom: row["signs_from"],
            sealedPrivateKey: row["sealed_private_key"])
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
