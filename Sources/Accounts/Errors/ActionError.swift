/// The error that domain functions throw: a refusal, a refusal for a while, or a failure of this
/// server.
public enum ActionError: Error, Sendable {
    /// The request is refused. `detail` is a sentence for the caller, sent after `CODE : ` on the
    /// wire. It never contains a secret.
    case refused(Refusal, detail: String? = nil)
    /// The request is refused until some time has passed, because a limit was exceeded. Nothing was
    /// changed.
    case tooSoon(Refusal = .tooManyAttempts, retryAfter: Duration)
    /// A part of the server failed. Trying again later may work; `Unavailable.commitState` says
    /// whether anything was changed.
    case unavailable(Unavailable)

    /// The refusal, as the log names it; nil for a failure.
    public var refusal: Refusal? {
        switch self {
        case .refused(let refusal, _), .tooSoon(let refusal, _): refusal
        case .unavailable: nil
        }
    }

    /// Whether it is certain that nothing was changed and nothing sent.
    public var isWithoutEffect: Bool {
        if case .unavailable(let down) = self { down.commitState == .notCommitted } else { true }
    }

    /// The reason as one line for the operator's log.
    public var cause: String {
        switch self {
        case .unavailable(let down): down.cause
        case .refused(let refusal, let detail): detail.map { "\(refusal.rawValue): \($0)" } ?? refusal.rawValue
        case .tooSoon(let refusal, _): refusal.rawValue
        }
    }
}

/// A part of this server is down or full.
public struct Unavailable: Error, Sendable {
    /// The parts, a closed set that is fit for a metric label.
    public enum Part: String, Sendable, CaseIterable { case store, passwords, tokens, mail, textMessages, upstream, provider, largeBodies }

    public let part: Part
    /// The reason, for the log only.
    public let cause: String
    public let commitState: CommitState

    /// - Parameter commitState: whether the request took effect; by default it did not.
    public init(_ part: Part, cause: String, commitState: CommitState = .notCommitted) {
        self.part = part
        self.cause = cause
        self.commitState = commitState
    }

    /// Whether the request that failed took effect.
    public enum CommitState: Sendable, Hashable {
        /// Nothing was changed.
        case notCommitted
        /// The outcome is unknown, because the response was lost.
        case unknown
        /// The request was not waited for any longer, and may still take effect.
        case pending
    }
}
