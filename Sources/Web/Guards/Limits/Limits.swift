package import Accounts
internal import Queues

/// What everyone has tried lately. In memory only: it ends with the process, and each process counts for itself (decision 8).
///
/// On a queue of its own, so that neither a full store nor a busy crew keeps it from saying no (X9).
package actor Limits {
    /// One count: what of, and a keyed hash of whose. No address is kept.
    struct Token: Sendable, Hashable {
        let limit: Limit
        let subject: UInt64
    }

    /// Somebody tried too often.
    struct TooSoon: Error, Hashable {
        let wait: Duration
    }

    private let executor = QueueExecutor(label: "onward.limits")
    private let allowances: [Limit: Allowance]
    /// Made when first needed.
    private var buckets: [Limit: Buckets] = [:]
    private let secrets: Secrets
    private let now: Now

    nonisolated package var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter allowances: a limit that is not among them is off.
    package init(_ allowances: [Limit: Allowance], secrets: Secrets, now: @escaping Now) {
        self.allowances = allowances
        self.secrets = secrets
        self.now = now
    }

    /// The token of a subject; nil where the limit is off.
    nonisolated func token(_ limit: Limit, of subject: String) -> Token? {
        guard allowances[limit] != nil else { return nil }
        let digest = secrets.digest(Array("\(limit.rawValue) \(subject)".utf8), for: .limit)
        return Token(limit: limit, subject: digest.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Takes all, or none and throws: whoever is held up by one limit uses up no other, least of all that of somebody else's account.
    func take(_ tokens: [Token]) throws(TooSoon) {
        let moment = now()
        let wait = tokens.map { self[$0.limit].wait(of: $0.subject, at: moment) }.max() ?? .zero
        guard wait == .zero else { throw TooSoon(wait: wait) }
        for token in tokens { self[token.limit].take(from: token.subject, at: moment) }
    }

    func giveBack(_ tokens: [Token]) {
        for token in tokens { self[token.limit].giveBack(to: token.subject) }
    }

    /// Gives back everything that a subject has used up.
    func fill(_ token: Token) { self[token.limit].fill(token.subject) }

    private subscript(limit: Limit) -> Buckets {
        get { buckets[limit] ?? Buckets(allowances[limit] ?? limit.standard) }
        _modify { yield &buckets[limit, default: Buckets(allowances[limit] ?? limit.standard)] }
    }
}
