internal import Accounts

/// A value read from the columns of a row, from left to right.
package protocol Readable {
    init(row: inout SQLRow) throws(SQLFailure)
}

/// A value that is one row of one table: its columns are named once, and written and read in that order.
protocol Row: Readable {
    static var table: String { get }
    /// Parted by commas, in the order of `values`.
    static var columns: String { get }
    var values: [any SQLConvertible] { get throws(SQLFailure) }
}

extension Row {
    /// `SELECT … FROM …`, to be followed by a condition.
    static var select: String { "SELECT \(columns) FROM \(table)" }
}

/// A row of one column.
struct Cell<Value: SQLConvertible>: Readable {
    let value: Value
    init(row: inout SQLRow) throws(SQLFailure) { value = try row.next() }
}
