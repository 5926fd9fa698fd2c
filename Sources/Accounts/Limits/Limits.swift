public import Base
internal import Network

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

    private struct Counts: Sendable {
        let allowances: [Limit: Allowance]
        let nodes: Int
        /// Created when first needed.
        private var buckets: [Token.Table: BucketTable] = [:]

        init(_ allowances: [Limit: Allowance], nodes: Int) { (self.allowances, self.nodes) = (allowances, nodes) }

        subscript(table: Token.Table) -> BucketTable {
            get { buckets[table] ?? Self.empty(table, allowances, nodes) }
            _modify { yield &buckets[table, default: Self.empty(table, allowances, nodes)] }
        }

        /// A larger network has eight times the allowance of the next smaller one, so that a few of
        /// its hosts do not use up the share of all. There are fewer of them.
        private static func empty(_ table: Token.Table, _ allowances: [Limit: Allowance], _ nodes: Int) -> BucketTable {
            let (allowance, factor) = (allowances[table.limit] ?? table.limit.standard, 1 << (3 * table.level))
            return BucketTable(
                Allowance(allowance.count * factor, per: allowance.span).share(of: nodes), capacity: BucketTable.capacity / factor)
        }

        /// The longest wait of the tokens. Creates no buckets.
        func wait(of tokens: [Token], at moment: Uptime) -> Duration {
            tokens.compactMap { buckets[$0.table]?.wait(of: $0.subject, at: moment) }.max() ?? .zero
        }

        mutating func take(_ tokens: [Token], at moment: Uptime) {
            for token in tokens { self[token.table].take(from: token.subject, at: moment) }
        }
    }

    private let allowances: [Limit: Allowance]
    private let counts: Locked<Counts>
    /// Keeps clients from choosing subjects with the same hash.
    private let key: [UInt8]
    private let uptime: @Sendable () -> Uptime

    /// - Parameters:
    ///   - allowances: limits that are missing here are off.
    ///   - nodes: the number of processes that share the allowances (decision 48).
    public init(
        _ allowances: [Limit: Allowance], nodes: Int = 1, secrets: Secrets,
        uptime: @escaping @Sendable () -> Uptime = { .now }
    ) {
        self.allowances = allowances
        counts = Locked(Counts(allowances, nodes: nodes))
        key = secrets.authenticationCode(of: [], for: .limit)
        self.uptime = uptime
    }

    /// Runs work under limits, and gives back what the kind of each limit says: the one way in
    /// which an attempt is counted.
    ///
    /// An attempt takes from all limits or from none: a source that exceeds one must not use up
    /// another, such as that of a user's account.
    /// - Parameters:
    ///   - ending: how work that throws nothing ended.
    ///   - excess: runs with the time to wait instead of work that a limit refuses.
    func counted<T>(
        _ counts: [LimitedAttempt.Count], collected collection: LimitedAttempt.Collection = .before,
        as ending: (T) -> AttemptEnd = { _ in .done },
        otherwise excess: (_ wait: Duration) async throws(ActionError) -> T, _ work: () async throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        let tokens = counts.compactMap(token)
        if collection == .before, let wait = take(tokens) { return try await excess(wait) }
        let (result, end): (Result<T, ActionError>, AttemptEnd)
        do throws(ActionError) {
            let value = try await work()
            (result, end) = (.success(value), ending(value))
        } catch { (result, end) = (.failure(error), AttemptEnd(error)) }
        switch collection {
        case .before: giveBack(tokens.filter { $0.table.limit.kind.givesBack(after: end) })
        case .afterwards(let refuses):
            let kept = tokens.filter { !$0.table.limit.kind.givesBack(after: end) }
            if let wait = take(kept, force: !refuses) { return try await excess(wait) }
        }
        return try result.get()
    }

    /// How long an attempt would have to wait; zero if it would be admitted. Counts nothing.
    func wait(before counts: [LimitedAttempt.Count]) -> Duration {
        let (tokens, moment) = (counts.compactMap(token), uptime())
        return self.counts.update { $0.wait(of: tokens, at: moment) }
    }

    /// Forgets what was counted.
    func forget(_ counts: [LimitedAttempt.Count]) {
        let tokens = counts.compactMap(token)
        self.counts.update { counts in
            for token in tokens { counts[token.table].fill(token.subject) }
        }
    }

    /// The token of a subject; nil if the limit is off.
    private func token(_ count: LimitedAttempt.Count) -> Token? {
        guard allowances[count.limit] != nil else { return nil }
        var hash = Hasher()
        hash.combine(key)
        hash.combine(count)
        return Token(table: .init(limit: count.limit, level: count.level), subject: UInt64(truncatingIfNeeded: hash.finalize()))
    }

    /// - Parameter force: whether to take tokens that are not there.
    /// - Returns: the time to wait if not all tokens are there; none is taken then.
    private func take(_ tokens: [Token], force: Bool = false) -> Duration? {
        let moment = uptime()
        return counts.update { counts in
            let wait = force ? .zero : counts.wait(of: tokens, at: moment)
            if wait == .zero { counts.take(tokens, at: moment) }
            return wait == .zero ? nil : wait
        }
    }

    private func giveBack(_ tokens: [Token]) {
        counts.update { counts in
            for token in tokens { counts[token.table].giveBack(to: token.subject) }
        }
    }
}
