import Configuration
/// Parses the rows of a CSV file incrementally; at most one row is in memory.
///
/// Source: RFC 4180, except that a quote within a quoted column need not be doubled, because
/// `firebase auth:export` does not double quotes in names.
struct CSVRows {
    private enum Position { case start, plain, quoted, afterQuote }

    private var position = Position.start
    private var column: [UInt8] = []
    private var columns: [String] = []
    private var bytes = 0
    /// The line on which the row starts, and the current one; they count from 1.
    private var (rowLine, line) = (1, 1)

    /// A row with the line on which it starts.
    struct Numbered: Equatable {
        let line: Int
        let columns: [String]
    }

    /// The rows that end within these bytes, without empty lines. Throws `Failure` for a row that
    /// is too long.
    mutating func rows(in bytes: some Sequence<UInt8>) throws(Failure) -> [Numbered] {
        var rows: [Numbered] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") { line += 1 }
            guard let row = take(byte) else {
                guard self.bytes <= UserArray.maxUserBytes else {
                    throw Failure(
                        "the row at line \(rowLine) of the file has more than \(UserArray.maxUserBytes) bytes: is a quote missing?")
                }
                continue
            }
            if row != [""] { rows.append(Numbered(line: rowLine, columns: row)) }
            rowLine = line
        }
        return rows
    }

    /// The last row, if it does not end with a line break.
    mutating func finish() throws(Failure) -> [Numbered] {
        guard position != .quoted else { throw Failure("the file ends within a quoted column") }
        return try rows(in: [UInt8(ascii: "\n")])
    }

    private mutating func take(_ byte: UInt8) -> [String]? {
        bytes += 1
        let isQuote = byte == UInt8(ascii: "\"")
        switch (position, byte) {
        case (.start, _) where isQuote: position = .quoted
        case (.quoted, _) where isQuote: position = .afterQuote
        case (.quoted, _): column.append(byte)
        case (_, UInt8(ascii: ",")): endColumn()
        case (_, UInt8(ascii: "\r")): break
        case (_, UInt8(ascii: "\n")): return endRow()
        case (.afterQuote, _):
            column += isQuote ? [byte] : [UInt8(ascii: "\""), byte]
            position = .quoted
        case (.start, _), (.plain, _):
            column.append(byte)
            position = .plain
        }
        return nil
    }

    private mutating func endColumn() {
        columns.append(String(decoding: column, as: UTF8.self))
        (column, position) = ([], .start)
    }

    private mutating func endRow() -> [String] {
        endColumn()
        defer { (columns, bytes) = ([], 0) }
        return columns
    }
}
