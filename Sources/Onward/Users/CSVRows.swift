/// Cuts a CSV file into its rows, and holds no more than one of them at a time. Fed with bytes.
///
/// Source: RFC 4180; but a quote inside a quoted column need not be doubled, because `firebase auth:export` does not double those of names.
struct CSVRows {
    private enum Place { case start, plain, quoted, afterQuote }

    private var place = Place.start
    private var column: [UInt8] = []
    private var columns: [String] = []
    private var bytes = 0

    /// The rows that end in these bytes; empty lines are none. Throws `Failure` for an endless one.
    mutating func rows(in bytes: some Sequence<UInt8>) throws(Failure) -> [[String]] {
        var rows: [[String]] = []
        for byte in bytes {
            guard let row = take(byte) else {
                guard self.bytes <= UserArray.maxUserBytes else {
                    throw Failure("a row of the file has more than \(UserArray.maxUserBytes) bytes: is a quote missing?")
                }
                continue
            }
            if row != [""] { rows.append(row) }
        }
        return rows
    }

    /// The last row, which need not end with a line break.
    mutating func finish() throws(Failure) -> [[String]] {
        guard place != .quoted else { throw Failure("the file ends in the middle of a quoted column") }
        return try rows(in: [UInt8(ascii: "\n")])
    }

    private mutating func take(_ byte: UInt8) -> [String]? {
        bytes += 1
        let isQuote = byte == UInt8(ascii: "\"")
        switch (place, byte) {
        case (.start, _) where isQuote: place = .quoted
        case (.quoted, _) where isQuote: place = .afterQuote
        case (.quoted, _): column.append(byte)
        case (_, UInt8(ascii: ",")): endColumn()
        case (_, UInt8(ascii: "\r")): break
        case (_, UInt8(ascii: "\n")): return endRow()
        case (.afterQuote, _):
            column += isQuote ? [byte] : [UInt8(ascii: "\""), byte]
            place = .quoted
        case (.start, _), (.plain, _):
            column.append(byte)
            place = .plain
        }
        return nil
    }

    private mutating func endColumn() {
        columns.append(String(decoding: column, as: UTF8.self))
        (column, place) = ([], .start)
    }

    private mutating func endRow() -> [String] {
        endColumn()
        defer { (columns, bytes) = ([], 0) }
        return columns
    }
}
