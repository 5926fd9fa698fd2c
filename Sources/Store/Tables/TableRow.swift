internal import Accounts

/// A value that is read from the columns of a result row, from left to right.
protocol RowReadable {
    init(row: inout SQLRow) throws(SQLFailure)
}

/// A value that is stored as one row of one table. Its columns are read by name.
protocol TableRow: RowReadable {
    static var table: String { get }
    /// In the order of `values`.
    static var columns: TableColumns { get }
    var values: [any SQLConvertible] { get throws(SQLFailure) }
    init(_ row: NamedRow) throws(SQLFailure)
}

extension TableRow {
    /// `SELECT … FROM …`, to be followed by a condition.
    static var select: String { "SELECT \(columns) FROM \(table)" }

    init(row: inout SQLRow) throws(SQLFailure) { try self.init(row.next(Self.columns)) }
}

/// The names of a table's columns, separated by commas.
struct TableColumns: ExpressibleByStringInterpolation, CustomStringConvertible, Sendable {
    let description: String
    fileprivate let positions: [String: Int]

    init(stringLiteral list: String) {
        description = list
        let names = list.split(separator: ",").map { String($0.drop { $0 == " " }) }
        positions = Dictionary(uniqueKeysWithValues: zip(names, 0...))
    }
}

/// The columns of one table in a result row, which are read by their names.
struct NamedRow {
    fileprivate let columns: TableColumns
    fileprivate let values: ArraySlice<SQLValue>

    /// Throws if the stored value is not valid, so that damage is never taken for data (D10).
    subscript<Value: SQLConvertible>(_ column: String) -> Value {
        get throws(SQLFailure) {
            guard let position = columns.positions[column], let value = Value(sql: values[values.startIndex + position]) else {
                throw .failed(cause: "the column \(column) does not hold a valid \(Value.self)")
            }
            return value
        }
    }
}

extension SQLRow {
    /// Reads the next columns, which a query selected as `columns`.
    fileprivate mutating func next(_ columns: TableColumns) throws(SQLFailure) -> NamedRow {
        NamedRow(columns: columns, values: try next(columns.positions.count))
    }
}

/// A result row of one column.
struct SingleColumnRow<Value: SQLConvertible>: RowReadable {
    let value: Value
    init(row: inout SQLRow) throws(SQLFailure) { value = try row.next() }
}
