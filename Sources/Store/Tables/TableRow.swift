internal import Accounts

/// A value that is read from the columns of a result row, from left to right.
public protocol RowReadable {
    init(row: inout SQLRow) throws(SQLFailure)
}

/// A value that is stored as one row of one table. Its columns are named once, and written and read
/// in that order.
protocol TableRow: RowReadable {
    static var table: String { get }
    /// Separated by commas, in the order of `values`.
    static var columns: String { get }
    var values: [any SQLConvertible] { get throws(SQLFailure) }
}

extension TableRow {
    /// `SELECT … FROM …`, to be followed by a condition.
    static var select: String { "SELECT \(columns) FROM \(table)" }
}

/// A result row of one column.
struct SingleColumnRow<Value: SQLConvertible>: RowReadable {
    let value: Value
    init(row: inout SQLRow) throws(SQLFailure) { value = try row.next() }
}
