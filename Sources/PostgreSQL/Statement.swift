internal import Store

/// A statement with the values of its placeholders.
struct Statement {
    let sql: String
    let arguments: [SQLValue]

    init(_ sql: String, _ arguments: [SQLValue] = []) { (self.sql, self.arguments) = (sql, arguments) }

    /// A statement that fails unless this one changes one row. So the server itself stops a
    /// transaction that rests on a wrong assumption, before it commits.
    var requiringOneRow: Statement {
        Statement("WITH changed AS (\(sql) RETURNING 1) SELECT 1 / count(*) FROM changed", arguments)
    }

    /// The SQL with PostgreSQL's placeholders, `$1`, `$2` and so on. No statement has a question
    /// mark elsewhere.
    static func numberingPlaceholders(in sql: String) -> String {
        var (numbered, count) = ("", 0)
        for character in sql {
            guard character == "?" else {
                numbered.append(character)
                continue
            }
            count += 1
            numbered += "$\(count)"
        }
        return numbered
    }
}

/// The server's answer to one statement.
struct ServerReply {
    let rows: [SQLRow]
    /// The number of rows that were inserted, updated, deleted or selected.
    let count: Int
}
