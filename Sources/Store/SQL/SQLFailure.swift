public import Accounts

/// An error of a database engine.
public enum SQLFailure: Error, Sendable, Hashable {
    /// A row with the same values in these columns exists already. The columns of a unique
    /// constraint or primary key, in the schema's order.
    case unique(columns: [String])
    /// A text contains NUL, at which engines would cut it short. Adapters check for it.
    case nulInText
    /// Any other failure, for the log. `cause` is the engine's message and contains no values.
    case failed(cause: String)

    /// One line for the log, without values.
    public var cause: String {
        switch self {
        case .unique(let columns): "not unique: \(columns.joined(separator: ", "))"
        case .nulInText: "a text contains NUL"
        case .failed(let cause): cause
        }
    }
}

extension ActionError {
    /// The error for a failure that the caller did not expect: the store is unavailable, unless the
    /// caller's text was at fault.
    public init(_ failure: SQLFailure) {
        switch failure {
        case .nulInText: self = .refused(.invalidArgument, detail: "A text must not contain NUL.")
        case .unique, .failed: self = .unavailable(Unavailable(.store, cause: failure.cause))
        }
    }
}
