internal import Accounts

/// A column with values that are sealed with the secret.
struct SealedColumn: Sendable {
    let table: String
    /// The columns of the primary key.
    let key: [String]
    let name: String
    /// Which rows have a sealed value.
    let condition: String
    /// The purpose of the key that seals the values; nil if a value has more than a sealed part.
    let purpose: Secrets.KeyPurpose?
    let reseal: @Sendable (SQLValue, Secrets) -> Resealing<SQLValue>

    /// All but `project_settings`, whose changes are numbered.
    static let all = [
        SealedColumn("signing_key", ["id"], "sealed_private_key", for: .signingKey),
        SealedColumn("second_factor", ["project", "account", "id"], "sealed_key", for: .secondFactor),
        SealedColumn("mail", ["id"], "sealed", for: .mail),
        SealedColumn("secret", ["number"], "sealed_keys", for: .formerKeys),
        SealedColumn(
            table: "account", key: ["project", "id"], name: "password_hash", condition: "password_hash LIKE '$imported$%signerKey=%'"
        ) { value, secrets in
            guard case .text(let hash) = value else { return .impossible }
            return secrets.reseal(passwordHash: hash).map { .text($0) }
        },
        SealedColumn(table: "merge", key: ["project", "account", "merged"], name: "sealed_snapshot", condition: "1 = 1") { value, secrets in
            guard case .blob(let sealed) = value else { return .impossible }
            return MergeSnapshot.reseal(sealed, by: secrets).map { .blob($0) }
        },
    ]

    private init(
        table: String, key: [String], name: String, condition: String, purpose: Secrets.KeyPurpose? = nil,
        reseal: @escaping @Sendable (SQLValue, Secrets) -> Resealing<SQLValue>
    ) {
        (self.table, self.key, self.name, self.condition) = (table, key, name, condition)
        (self.purpose, self.reseal) = (purpose, reseal)
    }

    private init(_ table: String, _ key: [String], _ name: String, for purpose: Secrets.KeyPurpose) {
        self.init(table: table, key: key, name: name, condition: "\(name) IS NOT NULL", purpose: purpose) { value, secrets in
            guard case .blob(let sealed) = value else { return .impossible }
            return secrets.reseal(sealed, for: purpose).map { .blob($0) }
        }
    }
}

extension SQLRecords {
    /// Seals the values of the next rows of a column again.
    /// - Parameter position: the key of the last row before these; nil to begin.
    /// - Returns: the key of the last row, nil if there are no more rows.
    func reseal(
        _ column: SealedColumn, after position: [SQLValue]?, limit: Int, by secrets: Secrets, counting counts: inout ResealCounts
    ) throws(ActionError) -> [SQLValue]? {
        let (names, places) = (column.key.joined(separator: ", "), Self.placeholders(column.key.count))
        let from = position == nil ? "" : "AND (\(names)) > (\(places))"
        let rows: [SQLRow]
        do {
            rows = try db.rows(
                "SELECT \(names), \(column.name) FROM \(column.table) WHERE \(column.condition) \(from) ORDER BY \(names) LIMIT ?",
                (position ?? []) + [limit.sql])
        } catch { throw ActionError(error) }
        var last: [SQLValue]?
        for row in rows {
            let (key, value) = try Self.parts(of: row, keyCount: column.key.count)
            last = key
            switch column.reseal(value, secrets) {
            case .unneeded: break
            case .impossible: counts.impossible += 1
            case .resealed(let sealed):
                counts.resealed += 1
                try execute("UPDATE \(column.table) SET \(column.name) = ? WHERE (\(names)) = (\(places))", [sealed] + key)
            }
        }
        return rows.count < limit ? nil : last
    }

    private static func parts(of row: SQLRow, keyCount: Int) throws(ActionError) -> (key: [SQLValue], value: SQLValue) {
        var (row, key) = (row, [SQLValue]())
        do {
            for _ in 0..<keyCount { key.append(try row.next()) }
            return (key, try row.next())
        } catch { throw ActionError(error) }
    }
}
