public import Accounts
internal import Base

/// A copy of everything that is stored into the empty database of any engine.
///
/// Until the copy is complete and verified, the target has the table `store_copy` and cannot be
/// opened as a store. Rows are copied in the order of their primary keys, so the last row of the
/// target says where an interrupted copy continues. No process may change the source from the
/// beginning of the copy to its end, over interruptions too; the marks of the clock and of the
/// audit and the checksums at the end tell if one did.
public struct StoreCopy: Sendable {
    /// The state of a copy that runs.
    public struct Progress: Sendable, Hashable {
        public enum Phase: Sendable { case copying, verifying }

        public let phase: Phase
        public let table: String
        /// The rows of all tables up to now.
        public let rows: Int
        /// Nil if the source has too many rows to be counted at once.
        public let total: Int?
    }

    /// The number of rows of one table that were copied and verified.
    public struct CopiedTable: Sendable, Hashable {
        public let table: String
        public let rows: Int
    }

    private let source, target: any SQLDatabase
    private let pages: [TablePages]
    private let pageSize: Int

    /// - Parameter pageSize: the rows of one transaction.
    public init(from source: any SQLDatabase, to target: any SQLDatabase, pageSize: Int = 512) {
        (self.source, self.target, self.pageSize) = (source, target, pageSize)
        pages = TableDefinition.all(in: target.dialect).map(TablePages.init)
    }

    /// Copies and verifies, or continues a copy that was interrupted. Throws `Unavailable` with a
    /// sentence for the operator if the source is not of this version, if the target has rows of
    /// another origin, or if both differ in the end.
    public func run(_ report: (Progress) -> Void = { _ in }) async throws(ActionError) -> [CopiedTable] {
        guard try await Store.pendingMigrations(of: source).isEmpty else {
            throw Migration.unusable("The database \(source.name) has the schema of an older Onward: run `onward migrate` with it first.")
        }
        let mark = try await markOfSource()
        try await prepareTarget(mark)
        let total = try? await count(in: source)
        try await copy(total, report)
        let copied = try await verify(total, report)
        guard try await markOfSource() == mark else { throw changed() }
        try await finish()
        return copied
    }

    // MARK: Beginning and end

    private static let table = "store_copy"
    private static let reservations = "row_id_range"

    /// Throws a sentence for the operator if a copy into this database was begun and not finished.
    static func refuseUnfinished(_ database: any SQLDatabase) async throws(ActionError) {
        guard let copy = try await unfinished(in: database) else { return }
        throw Migration.unusable(
            """
            The database \(database.name) is an unfinished copy of \(copy.source). Run the same `onward store copy` again, which \
            continues it, or delete this database with the files beside it.
            """)
    }

    /// The marker of an unfinished copy.
    private struct Marker: RowReadable, Equatable {
        let source, mark: String
        init(source: String, mark: String) { (self.source, self.mark) = (source, mark) }
        init(row: inout SQLRow) throws(SQLFailure) { (source, mark) = (try row.next(), try row.next()) }
    }

    private static func unfinished(in database: any SQLDatabase) async throws(ActionError) -> Marker? {
        let dialect = database.dialect
        return try await database.read { db throws(ActionError) in
            let records = SQLRecords(db: db)
            let names: [String] = try records.column(dialect.tableNamesQuery)
            return names.contains(table) ? try records.first("SELECT source, mark FROM \(table)", []) : nil
        }
    }

    /// Values that advance whenever a server runs or a command changes something.
    private func markOfSource() async throws(ActionError) -> String {
        try await source.read { db throws(ActionError) in
            let records = SQLRecords(db: db)
            let clock: ClockMark? = try records.first("SELECT mark, acceptances FROM clock", [])
            let audit: [Int?] = try records.column("SELECT max(position) FROM audit")
            return "clock \(clock?.time.milliseconds ?? 0)/\(clock?.acceptances ?? 0), audit \(audit.first.flatMap(\.self) ?? 0)"
        }
    }

    /// Creates the schema and the marker, or recognises them.
    private func prepareTarget(_ mark: String) async throws(ActionError) {
        let (marker, name, dialect) = (Marker(source: source.name, mark: mark), target.name, target.dialect)
        if let found = try await Self.unfinished(in: target) {
            guard found.source == marker.source else {
                throw Migration.unusable(
                    "The database \(name) is an unfinished copy of \(found.source): continue that one, or delete this database.")
            }
            guard found.mark == marker.mark else { throw changed() }
            return
        }
        try await Migration.run(Migration.all(in: dialect), on: target)
        let pages = pages
        try await target.write { db throws(ActionError) in
            do throws(SQLFailure) {
                // Opening a database reserves ids in it, before there is any row.
                try db.execute("DELETE FROM \(Self.reservations)", [])
                for page in pages where try page.last(in: db) != nil {
                    throw .failed(cause: "The database \(name) is not empty: it has rows in the table \(page.table.name).")
                }
                try db.execute("CREATE TABLE \(Self.table) (source TEXT NOT NULL, mark TEXT NOT NULL)\(dialect.tableOptions)", [])
                try db.execute("INSERT INTO \(Self.table) (source, mark) VALUES (?, ?)", [.text(marker.source), .text(marker.mark)])
            } catch { throw ActionError(error) }
        }
    }

    private func changed() -> ActionError {
        Migration.unusable(
            """
            The database \(source.name) was changed since the copy into \(target.name) was begun. Stop every server and command that \
            uses it, delete the target, and begin again.
            """)
    }

    /// Sets the counters of the identity columns and removes the marker.
    private func finish() async throws(ActionError) {
        let (pages, dialect) = (pages, target.dialect)
        try await target.write { db throws(ActionError) in
            do throws(SQLFailure) {
                for table in pages.map(\.table) {
                    guard let column = table.identity, let restart = dialect.restartIdentity(table.name, column) else { continue }
                    _ = try db.rows(restart, [])
                }
                try db.execute("DROP TABLE \(Self.table)", [])
            } catch { throw ActionError(error) }
        }
    }

    // MARK: Rows

    private func count(in database: any SQLDatabase) async throws(ActionError) -> Int {
        let pages = pages
        return try await database.read { db throws(ActionError) in
            do throws(SQLFailure) {
                var count = 0
                for page in pages { count += try page.count(in: db) }
                return count
            } catch { throw ActionError(error) }
        }
    }

    private func copy(_ total: Int?, _ report: (Progress) -> Void) async throws(ActionError) {
        let limit = pageSize
        var rows = (try? await count(in: target)) ?? 0
        for page in pages {
            var position = try await target.read { db throws(ActionError) in
                do throws(SQLFailure) { return try page.last(in: db) } catch { throw ActionError(error) }
            }
            while true {
                let found = try await page.rows(after: position, limit: limit, of: source)
                guard let last = found.last else { break }
                try await target.write { db throws(ActionError) in
                    do throws(SQLFailure) { try page.insert(found, in: db) } catch { throw ActionError(error) }
                }
                position = page.key(of: last)
                rows += found.count
                report(Progress(phase: .copying, table: page.table.name, rows: rows, total: total))
                if found.count < limit { break }
            }
        }
    }

    private func verify(_ total: Int?, _ report: (Progress) -> Void) async throws(ActionError) -> [CopiedTable] {
        var (copied, rows) = ([CopiedTable](), 0)
        for page in pages {
            let original = try await checksum(of: page, in: source)
            let copy = try await checksum(of: page, in: target)
            guard copy == original else {
                throw Migration.unusable(
                    """
                    The table \(page.table.name) differs after the copy: \(original.count) rows in \(source.name), \(copy.count) in \
                    \(target.name)\(original.count == copy.count ? ", with other values" : ""). The target was not released. Stop \
                    everything that writes to either, delete the target, and begin again.
                    """)
            }
            rows += copy.count
            copied.append(CopiedTable(table: page.table.name, rows: copy.count))
            report(Progress(phase: .verifying, table: page.table.name, rows: rows, total: total))
        }
        return copied
    }

    private func checksum(of page: TablePages, in database: any SQLDatabase) async throws(ActionError) -> TableChecksum {
        var (checksum, position) = (TableChecksum(), [SQLValue]?.none)
        while true {
            let rows = try await page.rows(after: position, limit: pageSize, of: database)
            for row in rows { checksum.add(row) }
            guard let last = rows.last, rows.count == pageSize else { return checksum }
            position = page.key(of: last)
        }
    }
}

extension TablePages {
    fileprivate func rows(
        after position: [SQLValue]?, limit: Int, of database: any SQLDatabase
    ) async throws(ActionError) -> [[SQLValue]] {
        try await database.read { db throws(ActionError) in
            do throws(SQLFailure) { return try rows(after: position, limit: limit, in: db) } catch { throw ActionError(error) }
        }
    }
}
