package import Accounts
internal import Queues

/// Counts attempts in memory: counts end with the process, and each process has its own (decision
/// 8).
///
/// Counting takes a short lock and nothing else, so that limits hold even if the store or the
/// worker pools are overloaded (X9).
package final class Limits: Sendable {
    /// A limit and a keyed hash of a subject. Subjects themselves are not stored.
    struct Token: Sendable, Hashable {
        let limit: Limit
        let subject: UInt64
    }

    /// An attempt exceeded a limit.
    struct TooSoon: Error, Hashable {
        let wait: Duration
    }

    private struct Counts: Sendable {
        let allowances: [Limit: Allowance]
        /// Created when first needed.
        private var buckets: [Limit: Buckets] = [:]

        init(_ allowances: [Limit: Allowance]) { self.allowances = allowances }

        subscript(limit: Limit) -> Buckets {
            get { buckets[limit] ?? Buckets(allowances[limit] ?? limit.standard) }
            _modify { yield &buckets[limit, default: Buckets(allowances[limit] ?? limit.standard)] }
        }

        /// The longest wait of the tokens. Creates no buckets.
        func wait(of tokens: [Token], at moment: Timestamp) -> Duration {
            tokens.compactMap { buckets[$0.limit]?.wait(of: $0.subject, at: moment) }.max() ?? .zero
        }
    }

    private let allowances: [Limit: Allowance]
    private let counts: Locked<Counts>
    /// Keeps clients from choosing subjects with the same hash.
    private let key: [UInt8]
    private let now: Now

    /// - Parameter allowances: limits that are missing here are off.
    package init(_ allowances: [Limit: Allowance], secrets: Secrets, now: @escaping Now) {
        self.allowances = allowances
        counts = Locked(Counts(allowances))
        key = secrets.authenticationCode(of: [], for: .limit)
        self.now = now
    }

    /// The token of a subject; nil if the limit is off.
    func token(_ limit: Limit, of subject: String) -> Token? {
        guard allowances[limit] != nil else { return nil }
        var hash = Hasher()
        hash.combine(key)
        hash.combine(limit)
        hash.combine(subject)
        return Token(limit: limit, subject: UInt64(truncatingIfNeeded: hash.finalize()))
    }

    /// Takes all tokens, or takes none and throws: a source that exceeds one limit must not use up
    /// another, such as that of a user's account.
    func take(_ tokens: [Token]) throws(TooSoon) {
        let moment = now()
        let wait = counts.update { counts in
            let wait = counts.wait(of: tokens, at: moment)
            if wait == .zero { for token in tokens { counts[token.limit].take(from: token.subject, at: moment) } }
            return wait
        }
        guard wait == .zero else { throw TooSoon(wait: wait) }
    }

    /// Throws if `take` would, and takes nothing.
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

    /// Gives back all tokens of a subject.
    func fill(_ token: Token) { counts.update { $0[token.limit].fill(token.subject) } }
}
