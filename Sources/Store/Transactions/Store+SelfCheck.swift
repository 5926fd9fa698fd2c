public import Accounts

/// The schema of a database, compared with that of this version.
public struct SchemaState: Sendable, Hashable {
    /// 0 for a database without tables.
    public let version: Int
    /// The version that the next start migrates it to.
    public let newest: Int
}

/// Checks that read the database and change nothing.
extension Store {
    /// The version of the schema. Throws `Unavailable` as `open` does, for the database of another
    /// program or of a newer version.
    public static func schemaState(of database: any SQLDatabase) async throws(ActionError) -> SchemaState {
        let known = Migration.all(in: database.dialect)
        return SchemaState(version: try await Migration.version(of: database, known: known), newest: known.count)
    }

    /// Opens one sealed value of each table that has some, with the configured secrets. Throws
    /// `Unavailable` with a sentence for the operator if one cannot be opened, or if the database
    /// has another secret.
    /// - Returns: the tables whose values were opened.
    public func openSealedValues(by configured: Secrets) async throws(ActionError) -> [String] {
        let (tableNames, name) = (database.dialect.tableNamesQuery, database.name)
        return try await read { records throws(ActionError) in
            let tables: [String] = try records.column(tableNames)
            guard tables.contains(KnownSecret.table) else { return [] }
            let known = try Self.knownSecrets(records)
            try Self.check(known, openedBy: configured, database: name)
            let secrets = Self.secrets(known, configured)
            var opened: [String] = []
            for column in SealedColumn.all where tables.contains(column.table) {
                guard let purpose = column.purpose, let sealed = try column.firstValue(records) else { continue }
                do throws(Secrets.OpenError) { _ = try secrets.open(sealed, for: purpose) } catch {
                    throw .unavailable(
                        Unavailable(
                            .store,
                            cause: """
                                A sealed value in the table \(column.table) of the database \(name) cannot be opened: it is damaged, \
                                or from a secret that is lost.
                                """))
                }
                opened.append(column.table)
            }
            return opened
        }
    }
}

extension SealedColumn {
    /// The sealed value of the first row that has one.
    fileprivate func firstValue(_ records: SQLRecords) throws(ActionError) -> [UInt8]? {
        let values: [[UInt8]] = try records.column("SELECT \(name) FROM \(table) WHERE \(condition) ORDER BY 1 LIMIT 1")
        return values.first
    }
}
