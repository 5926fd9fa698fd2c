/// What a domain function throws: a no with its reason, or something of ours that is down.
package enum ActionError: Error, Sendable {
    /// A no. `detail` is a sentence for the caller, sent after `CODE : ` on the wire; it never holds a secret.
    case refused(Refusal, detail: String? = nil)
    /// Nothing was changed; trying again later may work.
    case unavailable(Unavailable)
}

/// Something of ours is down or full.
package struct Unavailable: Error, Sendable {
    /// The closed set of parts, fit for a metric label.
    package enum Part: String, Sendable, CaseIterable { case store, passwords, tokens, mail, upstream }

    package let part: Part
    /// For the log only.
    package let cause: String

    package init(_ part: Part, cause: String) {
        self.part = part
        self.cause = cause
    }
}
