/// The ending of a counted attempt, which decides what is given back.
public enum AttemptEnd: Sendable, Hashable {
    /// It had its effect, or the guess was right.
    case done
    /// It was answered with a refusal, and nothing was written or sent.
    case refused(Refusal)
    /// Nothing was judged, written or sent: another limit refused the attempt, a part of the server
    /// is down, or there was nothing to do.
    case void
    /// It is not known whether it had an effect.
    case unknown

    public init(_ error: ActionError) {
        self =
            switch error {
            case .refused(let refusal, _): .refused(refusal)
            case .tooSoon: .void
            case .unavailable: error.isWithoutEffect ? .void : .unknown
            }
    }
}

extension Limit {
    /// The subject of a limit, which decides when it is given back.
    enum Kind: Sendable, Hashable {
        /// Mails, text messages and other writes. Given back if nothing was written or sent.
        case effects
        /// Requests to the server of another, such as for a text message. Given back if it was not
        /// asked; a refusal of its has had its price.
        case deliveries
        /// Guesses at a secret. A guess that was answered is never given back, unless it was right.
        /// - Parameter answers: the refusals that tell the client that it was wrong, or in other
        ///   words what it wanted to know; nil: all.
        case guesses(answers: Set<Refusal>?)
        /// Credentials that a provider judges. Given back if right, and only then, because the
        /// provider was asked.
        case credentials
        /// Questions and requests. Never given back.
        case questions

        /// Whether an attempt that ended like this does not count.
        func givesBack(after ending: AttemptEnd) -> Bool {
            switch (self, ending) {
            case (.questions, _), (_, .unknown): false
            case (.credentials, let ending): ending == .done
            case (_, .void): true
            case (.effects, .refused), (.guesses, .done): true
            case (.effects, .done), (.deliveries, _): false
            case (.guesses(let answers), .refused(let refusal)): answers.map { !$0.contains(refusal) } ?? false
            }
        }
    }
}
