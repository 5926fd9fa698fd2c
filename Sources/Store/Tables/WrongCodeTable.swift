public import Accounts

/// The wrong codes of accounts and phone numbers, in a table of each.
extension SQLRecords {
    public func wrongCodes(_ counter: WrongCodes.Counter) throws(ActionError) -> WrongCodes? {
        let (table, column, key) = counter.row
        return try first("SELECT count, next_at FROM \(table) WHERE project = ? AND \(column) = ? AND from_known_network = ?", key)
    }

    public func set(_ wrongCodes: WrongCodes?, for counter: WrongCodes.Counter) throws(ActionError) {
        let (table, column, key) = counter.row
        guard let wrongCodes else {
            try execute("DELETE FROM \(table) WHERE project = ? AND \(column) = ? AND from_known_network = ?", key)
            return
        }
        try execute(
            """
            INSERT INTO \(table) (project, \(column), from_known_network, count, next_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (project, \(column), from_known_network) DO UPDATE SET count = excluded.count, next_at = excluded.next_at
            """, key + [wrongCodes.count, wrongCodes.nextAt])
    }
}

extension WrongCodes.Counter {
    fileprivate var row: (table: String, column: String, key: [any SQLConvertible]) {
        switch subject {
        case .account(let account, let project): ("wrong_second_factor", "account", [project, account, fromKnownNetwork])
        case .number(let number, let project): ("wrong_verification_code", "phone_number", [project, number, fromKnownNetwork])
        }
    }
}

extension WrongCodes: RowReadable {
    public init(row: inout SQLRow) throws(SQLFailure) { self.init(count: try row.next(), nextAt: try row.next()) }
}
