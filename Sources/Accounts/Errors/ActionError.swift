/// What a domain function throws: a no with its reason, a no for now, or something of ours that is down.
package enum ActionError: Error, Sendable {
    /// A no. `detail` is a sentence for the caller, sent after `CODE : ` on the wire; it never holds a secret.
    case refused(Refusal, detail: String? = nil)
    /// A no until a while has gone by: too much was tried. Nothing was changed.
    case tooSoon(Refusal = .tooManyAttempts, retryAfter: Duration)
    /// Nothing was changed, unless it says so; trying again later may work.
    case unavailable(Unavailable)

    /// What the log says of a no.
    package var refusal: Refusal? {
        switch self {
        case .refused(let refusal, _), .tooSoon(let refusal, _): refusal
        case .unavailable: nil
        }
    }
}

/// Something of ours is down or full.
package struct Unavailable: Error, Sendable {
    /// The closed set of parts, fit for a metric label.
    package enum Part: String, Sendable, CaseIterable { case store, passwords, tokens, mail, upstream }

    package let part: Part
    /// For the log only.
    package let cause: String
    package let deed: Deed

    /// - Parameter deed: default: nothing was changed.
    package init(_ part: Part, cause: String, deed: Deed = .undone) {
        self.part = part
        self.cause = cause
        self.deed = deed
    }

    /// What became of what was asked for.
    package enum Deed: Sendable, Hashable {
        case undone
        /// It was done or it was not: the answer was lost.
        case uncertain
        /// Nobody waits for the answer any longer, but it may still be done.
        case underWay
    }
}
