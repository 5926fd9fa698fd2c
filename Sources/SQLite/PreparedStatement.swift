internal import CSQLite
internal import Foundation
internal import Store

/// A statement that was compiled on one connection. Its owner finalizes it before the connection is
/// closed.
struct PreparedStatement {
    /// Whether running it changes the schema. SQLite counts inserted, updated and deleted rows, but
    /// not this.
    let changesSchema: Bool
    private let statement: OpaquePointer

    init(_ sql: String, on handle: OpaquePointer) throws(SQLFailure) {
        var compiled: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
        guard code == SQLITE_OK else { throw SQLFailure(lastOf: handle) }
        guard let compiled else { throw .failed(cause: "the SQL contains no statement") }
        statement = compiled
        let changesRows = ["INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
        changesSchema = !changesRows && sqlite3_stmt_readonly(compiled) == 0
    }

    func finalize() { sqlite3_finalize(statement) }

    /// Prepares the statement for its next run.
    func reset() { sqlite3_reset(statement) }

    func bind(_ arguments: [SQLValue]) throws(SQLFailure) {
        let count = Int(sqlite3_bind_parameter_count(statement))
        guard count == arguments.count else { throw .failed(cause: "SQLite: the statement takes \(count) values, not \(arguments.count)") }
        for (index, argument) in arguments.enumerated() {
            guard try bind(argument, at: Int32(index + 1)) == SQLITE_OK else { throw failure }
        }
    }

    /// Steps to the next row; nil when the statement is done.
    func next() throws(SQLFailure) -> SQLRow? {
        switch sqlite3_step(statement) {
        case SQLITE_DONE: return nil
        case SQLITE_ROW:
            var values: [SQLValue] = []
            let count = sqlite3_data_count(statement)
            values.reserveCapacity(Int(count))
            for column in 0..<count { values.append(try value(in: column)) }
            return SQLRow(values)
        default: throw failure
        }
    }

    private var failure: SQLFailure { SQLFailure(lastOf: sqlite3_db_handle(statement)) }

    /// Throws `nulInText` for a text that contains NUL, which SQLite would cut short.
    private func bind(_ value: SQLValue, at position: Int32) throws(SQLFailure) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(statement, position)
        case .integer(let number): return sqlite3_bind_int64(statement, position, number)
        case .text(var text):
            let code: Int32? = text.withUTF8 { bytes in
                // SQLite takes a null pointer for NULL, so an empty text needs an address.
                guard let start = bytes.baseAddress else {
                    return sqlite3_bind_text(statement, position, "", 0, onward_sqlite3_transient())
                }
                guard memchr(start, 0, bytes.count) == nil else { return nil }
                return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    sqlite3_bind_text64(statement, position, $0, UInt64(bytes.count), onward_sqlite3_transient(), UInt8(SQLITE_UTF8))
                }
            }
            guard let code else { throw .nulInText }
            return code
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, position, 0) }
            return sqlite3_bind_blob64(statement, position, bytes, UInt64(bytes.count), onward_sqlite3_transient())
        }
    }

    private func value(in column: Int32) throws(SQLFailure) -> SQLValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(statement, column)
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
            guard let text = try? UTF8Span(validating: bytes.span) else { throw .failed(cause: "a text is not valid UTF-8") }
            return .text(String(copying: text))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, column)
            return .blob(Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))))
        default: throw .failed(cause: "a floating-point number, which no column of the schema holds")
        }
    }
}
