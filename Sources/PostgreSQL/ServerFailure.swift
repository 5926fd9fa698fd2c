internal import CPostgreSQL
internal import Store

/// Why statements failed.
enum ServerFailure: Error {
    /// The connection cannot be used any more. The statements may have run.
    case lost(cause: String)
    /// The server refused a statement; the transaction can only be rolled back.
    case refused(SQLState, message: String, constraint: String?)

    /// The error of a result.
    init(_ result: OpaquePointer) {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        let state = SQLState(rawValue: field(onward_pg_sqlstate) ?? "")
        // Messages about invalid values quote them.
        let message = state.isDataException ? "a value is not valid" : field(onward_pg_message) ?? "no message"
        // libpq's own errors have no code.
        let isLost = state.rawValue.isEmpty || state.endsConnection || ["FATAL", "PANIC"].contains(field(onward_pg_severity))
        self = isLost ? .lost(cause: message) : .refused(state, message: message, constraint: field(onward_pg_constraint))
    }

    /// One line for the log, without values.
    var cause: String {
        switch self {
        case .lost(let cause): "PostgreSQL: \(cause)"
        case .refused(let state, let message, _): "PostgreSQL \(state.rawValue): \(message)"
        }
    }

    var state: SQLState? {
        switch self {
        case .lost: nil
        case .refused(let state, _, _): state
        }
    }
}

/// PostgreSQL's code of an error (its documentation, appendix A).
struct SQLState: RawRepresentable, Hashable {
    let rawValue: String

    static let uniqueViolation = SQLState(rawValue: "23505")
    private static let serializationFailure = SQLState(rawValue: "40001")
    private static let deadlock = SQLState(rawValue: "40P01")
    private static let readOnlyTransaction = SQLState(rawValue: "25006")
    private static let idleTransactionTimeout = SQLState(rawValue: "25P03")

    /// The transaction met another one, and may succeed if it is run again (G7).
    var isConflict: Bool { self == Self.serializationFailure || self == Self.deadlock }

    var isDataException: Bool { rawValue.hasPrefix("22") }

    /// The server ends the connection, or has become one that cannot be written to (G5).
    fileprivate var endsConnection: Bool {
        rawValue.hasPrefix("57P") || rawValue.hasPrefix("08") || self == Self.readOnlyTransaction || self == Self.idleTransactionTimeout
    }
}
