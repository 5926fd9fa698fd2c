package import Accounts
internal import Queues

/// What everyone has tried lately. In memory only: it ends with the process, and each process counts for itself (decision 8).
///
/// Waits for nothing but another who counts, so that neither a full store nor a busy crew keeps it from saying no (X9).
package final class Limits: Sendable {
    /// One count: what of, and a keyed hash of whose. No address is kept.
    struct Token: Sendable, Hashable {
        let limit: Limit
        let subject: UInt64
    }

    /// Somebody tried too often.
    struct TooSoon: Error, Hashable {
        let wait: Duration
    }

    private struct Counts: Sendable {
        let allowances: [Limit: Allowance]
        /// Made when first needed.
        private var buckets: [Limit: Buckets] = [:]

        init(_ allowances: [Limit: Allowance]) { self.allowances = allowances }

        subscript(limit: Limit) -> Buckets {
            get { buckets[limit] ?? Buckets(allowances[limit] ?? limit.standard) }
            _modify { yield &buckets[limit, default: Buckets(allowances[limit] ?? limit.standard)] }
        }

        /// Makes no bucket for those who only ask.
        func wait(of tokens: [Token], at moment: Timestamp) -> Duration {
            tokens.compactMap { buckets[$0.limit]?.wait(of: $0.subject, at: moment) }.max() ?? .zero
        }
    }

    private let allowances: [Limit: Allowance]
    private let counts: Locked<Counts>
    /// Nobody can choose two subjects that are counted as one.
    private let key: Digest
    private let now: Now

    /// - Parameter allowances: a limit that is not among them is off.
    package init(_ allowances: [Limit: Allowance], secrets: Secrets, now: @escaping Now) {
        self.allowances = allowances
        counts = Locked(Counts(allowances))
        key = secrets.digest([], for: .limit)
        self.now = now
    }

    /// The token of a subject; nil where the limit is off.
    func token(_ limit: Limit, of subject: String) -> Token? {
        guard allowances[limit] != nil else { return nil }
        var hash = Hasher()
        hash.combine(key)
        hash.combine(limit)
        hash.combine(subject)
        return Token(limit: limit, subject: UInt64(truncatingIfNeeded: hash.finalize()))
    }

    /// Takes all, or none and throws: whoever is held up by one limit uses up no other, least of all that of somebody else's account.
    func take(_ tokens: [Token]) throws(TooSoon) {
        let moment = now()
        let wait = counts.update { counts in
            let wait = counts.wait(of: tokens, at: moment)
            if wait == .zero { for token in tokens { counts[token.limit].take(from: token.subject, at: moment) } }
            return wait
        }
        guard wait == .zero else { throw TooSoon(wait: wait) }
    }

    /// Throws where `take` would, and takes nothing.
    func require(_ tokens: [Token]) throws(TooSoon) {
        let moment = now()
        let wait = counts.update { $0.wait(of: tokens, at: moment) }
        guard wait == .zero else { throw TooSoon(wait: wait) }
    }

    func giveBack(_ tokens: [Token]) {
        counts.update { counts in
            for token in tokens { counts[token.limit].giveBack(to: token.subject) }
        }
    }

    /// Gives back everything that a subject has used up.
    func fill(_ token: Token) { counts.update { $0[token.limit].fill(token.subject) } }
}
