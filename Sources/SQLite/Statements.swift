internal import Foundation
internal import GRDB
internal import Store

/// Prepared once for each connection, and kept.
struct Statements: SQLStatements {
    let db: Database

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] {
        do {
            let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: Self.bindings(arguments))
            var rows: [SQLRow] = []
            while let row = try cursor.next() { rows.append(SQLRow(try row.databaseValues.map(SQLValue.init(_:)))) }
            return rows
        } catch { throw SQLFailure(error) }
    }

    @discardableResult func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int {
        do {
            try db.cachedStatement(sql: sql).execute(arguments: Self.bindings(arguments))
            return db.changesCount
        } catch { throw SQLFailure(error) }
    }

    private static func bindings(_ values: [SQLValue]) throws(SQLFailure) -> StatementArguments {
        StatementArguments(try values.map { (value) throws(SQLFailure) in try value.databaseValue })
    }
}

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        get throws(SQLFailure) {
            switch self {
            case .null: return .null
            case .integer(let number): return number.databaseValue
            case .text(let text):
                guard !text.utf8.contains(0) else { throw .nulInText }
                return text.databaseValue
            case .blob(let bytes): return Data(bytes).databaseValue
            }
        }
    }

    fileprivate init(_ value: DatabaseValue) throws {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .string(let text): self = .text(text)
        case .blob(let bytes): self = .blob(Array(bytes))
        case .double: throw SQLFailure.failed(cause: "a fraction, where the schema has none")
        }
    }
}

extension SQLFailure {
    /// What SQLite said, without the values that it said it about.
    init(_ error: any Error) {
        switch error {
        case let failure as SQLFailure: self = failure
        case let error as DatabaseError where [.SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY].contains(error.extendedResultCode):
            self = .unique(columns: Self.columns(in: error.message ?? ""))
        case let error as DatabaseError: self = .failed(cause: "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "")")
        default: self = .failed(cause: "\(type(of: error))")
        }
    }

    /// Of `UNIQUE constraint failed: account.project, account.email`.
    private static func columns(in message: String) -> [String] {
        message.components(separatedBy: ": ").last?.components(separatedBy: ", ").compactMap {
            $0.split(separator: ".").last.map(String.init)
        } ?? []
    }
}
