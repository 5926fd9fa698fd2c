internal import CPostgreSQL
internal import Store

extension ServerReply {
    /// Reads a result in PostgreSQL's binary format.
    init(_ result: OpaquePointer) throws(SQLFailure) {
        let columns = (0..<PQnfields(result)).map { (number: $0, type: ColumnType(rawValue: PQftype(result, $0))) }
        var rows: [SQLRow] = []
        rows.reserveCapacity(Int(PQntuples(result)))
        for row in 0..<PQntuples(result) {
            var values: [SQLValue] = []
            values.reserveCapacity(columns.count)
            for column in columns {
                guard PQgetisnull(result, row, column.number) == 0 else {
                    values.append(.null)
                    continue
                }
                let start = UnsafeRawPointer(PQgetvalue(result, row, column.number))
                values.append(
                    try Self.value(
                        UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column.number))), of: column.type))
            }
            rows.append(SQLRow(values))
        }
        let count = PQcmdTuples(result).flatMap { Int(String(cString: $0)) }
        self.init(rows: rows, count: count ?? 0)
    }

    /// The types that the schema and its queries have, by PostgreSQL's numbers.
    private enum ColumnType: Oid {
        case bool = 16
        case bytea = 17
        case name = 19
        case int8 = 20
        case int4 = 23
        case text = 25
        case oid = 26
        case varchar = 1043
    }

    private static func value(_ bytes: UnsafeRawBufferPointer, of type: ColumnType?) throws(SQLFailure) -> SQLValue {
        switch type {
        case .bool: return .integer(bytes.first == 0 ? 0 : 1)
        case .int8, .int4, .oid:
            // Numbers have the most significant byte first.
            let isNegative = type != .oid && (bytes.first ?? 0) >= 0x80
            return .integer(bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) })
        case .bytea: return .blob(Array(bytes))
        case .text, .name, .varchar:
            guard let text = try? UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span) else {
                throw .failed(cause: "a text is not valid UTF-8")
            }
            return .text(String(copying: text))
        case nil: throw .failed(cause: "a column of a type that no column of the schema has")
        }
    }
}
