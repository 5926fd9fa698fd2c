package import Accounts

/// What an engine says instead of a result.
package enum SQLFailure: Error, Sendable, Hashable {
    /// A unique constraint or primary key over these columns, in the schema's order, already has these values.
    case unique(columns: [String])
    /// Anything else, in the engine's words and without values: for the log only.
    case failed(cause: String)

    /// For the log.
    package var cause: String {
        switch self {
        case .unique(let columns): "not unique: \(columns.joined(separator: ", "))"
        case .failed(let cause): cause
        }
    }
}

extension ActionError {
    /// A failure that no rule foresaw: ours, not the caller's.
    package init(_ failure: SQLFailure) { self = .unavailable(Unavailable(.store, cause: failure.cause)) }
}
