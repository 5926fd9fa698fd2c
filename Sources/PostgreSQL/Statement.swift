internal import Store

/// A statement with the values of its placeholders.
struct Statement {
    let sql: String
    let arguments: [SQLValue]

    init(_ sql: String, _ arguments: [SQLValue] = []) { (self.sql, self.arguments) = (sql, arguments) }

    /// Throws `nulInText` for a text that contains NUL, at which libpq would cut it short.
    init(checking sql: String, _ arguments: [SQLValue]) throws(SQLFailure) {
        guard !arguments.contains(where: \.containsNUL) else { throw .nulInText }
        self.init(sql, arguments)
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

extension SQLValue {
    fileprivate var containsNUL: Bool {
        guard case .text(let text) = self else { return false }
        return text.utf8.contains(0)
    }
}
