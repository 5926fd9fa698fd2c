public import Accounts
internal import Base

/// The settings of a code are stored in one column, as a JSON object.
extension ActionCodeSettings: SQLConvertible {
    public init?(sql: SQLValue) {
        guard case .text(let text) = sql, let json = try? JSON(Array(text.utf8)) else { return nil }
        self.init(json)
    }

    public var sql: SQLValue { .text(json.text) }
}
