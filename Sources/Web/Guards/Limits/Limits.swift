public import Accounts
internal import Queues

/// Counts attempts in memory: counts end with the process, and each process has its own (decisions
/// 8 and 48).
///
/// Counting takes a short lock and nothing else, so that limits hold even if the store or the
/// worker pools are overloaded (X9).
public final class Limits: Sendable {
    /// A limit with the level of its subject, and a keyed hash of the subject. Subjects themselves
    /// are not stored.
    struct Token: Sendable, Hashable {
        struct Table: Sendable, Hashable {
            let limit: Limit
            let level: Int
        }

        let table: Table
        let subject: UInt64
    }

    /// An attempt exceeded a limit.
    struct TooSoon: Error, Hashable {
        let wait: Duration
    }

    private struct Counts: Sendable {
        let allowances: [Limit: Allowance]
        let nodes: Int
        /// Created when first needed.
        private var buckets: [Token.Table: Buckets] = [:]

        init(_ allowances: [Limit: Allowance], nodes: Int) { (self.allowances, self.nodes) = (allowances, nodes) }

        subscript(table: Token.Table) -> Buckets {
            get { buckets[table] ?? Self.empty(table, allowances, nodes) }
            _modify { yield &buckets[table, default: Self.empty(table, allowances, nodes)] }
        }

        /// A larger network has eight times the allowance of the next smaller one, so that a few of
        /// its hosts do not use up the share of all. There are fewer of them.
        private static func empty(_ table: Token.Table, _ allowances: [Limit: Allowance], _ nodes: Int) -> Buckets {
            let (allowance, factor) = (allowances[table.limit] ?? table.limit.standard, 1 << (3 * table.level))
            return Buckets(Allowance(allowance.count * factor, per: allowance.span).share(of: nodes), capacity: Buckets.capacity / factor)
        }

        /// The longest wait of the tokens. Creates no buckets.
        func wait(of tokens: [Token], at moment: Timestamp) -> Duration {
            tokens.compactMap { buckets[$0.table]?.wait(of: $0.subject, at: moment) }.max() ?? .zero
        }
    }

    private let allowances: [Limit: Allowance]
    private let counts: Locked<Counts>
    /// Keeps clients from choosing subjects with the same hash.
    private let key: [UInt8]
    private let uptime: @Sendable () -> Duration

    /// - Parameters:
    ///   - allowances: limits that are missing here are off.
    ///   - nodes: the number of processes that share the allowances (decision 48).
    ///   - uptime: the time since a fixed moment; default: by a clock that is never set (V7).
    public init(
        _ allowances: [Limit: Allowance], nodes: Int = 1, secrets: Secrets,
        uptime: @escaping @Sendable () -> Duration = { [start = ContinuousClock.now] in .now - start }
    ) {
        self.allowances = allowances
        counts = Locked(Counts(allowances, nodes: nodes))
        key = secrets.authenticationCode(of: [], for: .limit)
        self.uptime = uptime
    }

    /// The token of a subject; nil if the limit is off.
    func token(_ count: Attempt.Count) -> Token? {
        guard allowances[count.limit] != nil else { return nil }
        var hash = Hasher()
        hash.combine(key)
        hash.combine(count)
        return Token(table: .init(limit: count.limit, level: count.level), subject: UInt64(truncatingIfNeeded: hash.finalize()))
    }

    /// Takes all tokens, or takes none and throws: a source that exceeds one limit must not use up
    /// another, such as that of a user's account.
    func take(_ tokens: [Token]) throws(TooSoon) {
        let moment = Timestamp(milliseconds: uptime().milliseconds)
        let wait = counts.update { counts in
            let wait = counts.wait(of: tokens, at: moment)
            if wait == .zero { for token in tokens { counts[token.table].take(from: token.subject, at: moment) } }
            return wait
        }
        guard wait == .zero else { throw TooSoon(wait: wait) }
    }

    /// Throws if `take` would, and takes nothing.
    func require(_ tokens: [Token]) throws(TooSoon) {
        let moment = Timestamp(milliseconds: uptime().milliseconds)
        let wait = counts.update { $0.wait(of: tokens, at: moment) }
        guard wait == .zero else { throw TooSoon(wait: wait) }
    }

    /// Takes `count` of each token, also if there are fewer.
    func charge(_ tokens: [Token], _ count: Int) {
        let moment = Timestamp(milliseconds: uptime().milliseconds)
        counts.update { counts in
            for token in tokens { counts[token.table].take(count, from: token.subject, at: moment) }
        }
    }

    func giveBack(_ tokens: [Token]) {
        counts.update { counts in
            for token in tokens { counts[token.table].giveBack(to: token.subject) }
        }
    }

    /// Gives back all tokens of a subject.
    func fill(_ token: Token) { counts.update { $0[token.table].fill(token.subject) } }
}
