public import Accounts
internal import Base

extension Store {
    /// Reserves ids for new rows if those that were reserved end soon. A server calls this every
    /// few seconds; for the short life of a command those that `open` reserves are enough.
    public func renewRowIDs() async throws(ActionError) {
        if rowIDs.needsRange { try await reserveRowIDs() }
    }

    /// Takes the next number, and a span of time from now on. Ranges of one number do not overlap:
    /// each starts later than the one before by a part of the span, so it starts after the span of
    /// the one that had the number before.
    @discardableResult
    func reserveRowIDs() async throws(ActionError) -> RowIDs.Range {
        let range: RowIDs.Range? = try await claim { [now = database.dialect.now] records throws(ActionError) in
            let (numbers, step) = (RowIDs.Range.numbers, RowIDs.Range.span.milliseconds / Int64(RowIDs.Range.numbers) + 1)
            return try records.first(
                """
                INSERT INTO row_id_range (id, number, starts_at) VALUES (1, 0, \(now)) ON CONFLICT (id) DO UPDATE SET
                    number = (row_id_range.number + 1) % \(numbers),
                    starts_at = CASE WHEN row_id_range.starts_at + \(step) > excluded.starts_at
                        THEN row_id_range.starts_at + \(step) ELSE excluded.starts_at END
                RETURNING number, starts_at
                """, [])
        }
        guard let range else { throw ActionError(.failed(cause: "no row ids were reserved")) }
        rowIDs.use(range)
        return range
    }
}

extension RowIDs.Range: RowReadable {
    public init(row: inout SQLRow) throws(SQLFailure) { self.init(number: try row.next(), start: try row.next()) }
}
