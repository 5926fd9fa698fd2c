package import Accounts

/// What an engine says instead of a result.
package enum SQLFailure: Error, Sendable, Hashable {
    /// A unique constraint or primary key over these columns, in the schema's order, already has these values.
    case unique(columns: [String])
    /// A text holds a NUL, which no engine keeps whole; adapters look for it, so that nothing is cut short.
    case nulInText
    /// Anything else, in the engine's words and without values: for the log only.
    case failed(cause: String)

    /// For the log.
    package var cause: String {
        switch self {
        case .unique(let columns): "not unique: \(columns.joined(separator: ", "))"
        case .nulInText: "NUL in a text"
        case .failed(let cause): cause
        }
    }
}

extension ActionError {
    /// What a failure means that no rule foresaw: something of ours is down, unless it was the caller's text.
    package init(_ failure: SQLFailure) {
        switch failure {
        case .nulInText: self = .refused(.invalidArgument, detail: "A text must not contain NUL.")
        case .unique, .failed: self = .unavailable(Unavailable(.store, cause: failure.cause))
        }
    }
}
