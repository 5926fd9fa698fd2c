/// One row of a result, read from left to right.
package struct SQLRow: Sendable, Hashable {
    private let values: [SQLValue]
    private var position = 0

    package init(_ values: [SQLValue]) { self.values = values }

    /// The next column as what the caller wants it to be; a damaged value is a failure, never a wrong answer (D10).
    package mutating func next<Value: SQLConvertible>() throws(SQLFailure) -> Value {
        guard position < values.count, let value = Value(sql: values[position]) else {
            throw .failed(cause: "column \(position) is no \(Value.self)")
        }
        position += 1
        return value
    }
}
