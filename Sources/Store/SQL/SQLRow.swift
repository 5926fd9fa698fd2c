/// One row of a result, whose columns are read from left to right.
public struct SQLRow: Sendable, Hashable {
    private let values: [SQLValue]
    private var position = 0

    public init(_ values: [SQLValue]) { self.values = values }

    /// Reads the next column as a `Value`. Throws if the stored value is not valid, so that damage
    /// is never taken for data (D10).
    public mutating func next<Value: SQLConvertible>() throws(SQLFailure) -> Value {
        guard position < values.count, let value = Value(sql: values[position]) else {
            throw .failed(cause: "column \(position) does not hold a valid \(Value.self)")
        }
        position += 1
        return value
    }

    /// Reads the next columns as they are.
    mutating func next(_ count: Int) throws(SQLFailure) -> ArraySlice<SQLValue> {
        guard count <= values.count - position else { throw .failed(cause: "the row has fewer than \(position + count) columns") }
        defer { position += count }
        return values[position..<position + count]
    }
}
