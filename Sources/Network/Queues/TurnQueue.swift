import Synchronization

/// Runs at most `width` jobs at once, of these at most one for each subject and `widthPerSource`
/// for each source. Sources take turns, so a source with many waiting jobs does not delay the
/// others.
///
/// Source: fair queueing, Nagle, RFC 970.
public final class TurnQueue: Sendable {
    /// The subject of a job, and its source.
    public struct Turn: Sendable, Hashable {
        /// The thing that at most one job may work on at a time, such as an account; nil for none.
        let subject: String?
        /// The origin of the job, such as a network; nil for jobs that need no limit.
        let source: String?
        /// The part of the source that the job comes from, such as a host.
        let client: String?

        public init(subject: String?, source: String?, client: String? = nil) {
            (self.subject, self.source, self.client) = (subject, source, client)
        }
    }

    private struct Waiter: Sendable {
        let turn: Turn
        /// Called with false if the job must not run.
        let proceed: @Sendable (Bool) -> Void
    }

    private struct State {
        var running = 0
        var busySubjects: Set<String> = []
        /// The number of running jobs, by source.
        var busySources: [String: Int] = [:]
        /// The jobs that wait, by source, in the order in which they came.
        var waiting: [String?: [Waiter]] = [:]
        /// The sources that have waiting jobs, in the order of their turns.
        var sources: [String?] = []

        var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

        func waitingCount(for subject: String?) -> Int {
            guard let subject else { return 0 }
            return waiting.values.reduce(0) { $0 + $1.count { $0.turn.subject == subject } }
        }

        private func isFree(subject: String?) -> Bool { subject.map { !busySubjects.contains($0) } ?? true }

        private func isFree(source: String?, width: Int) -> Bool { source.map { busySources[$0, default: 0] < width } ?? true }

        /// Begins the job that may run; nil if none may.
        mutating func next(widthPerSource: Int) -> Waiter? {
            for (index, source) in sources.enumerated() where isFree(source: source, width: widthPerSource) {
                let place = waiting[source]?.firstIndex { isFree(subject: $0.turn.subject) }
                guard let place, let waiter = waiting[source]?.remove(at: place) else { continue }
                sources.remove(at: index)
                if waiting[source]?.isEmpty == false { sources.append(source) } else { waiting[source] = nil }
                begin(waiter.turn)
                return waiter
            }
            return nil
        }

        /// Begins a job that comes when none waits; returns false if it may not run yet.
        mutating func beginAtOnce(_ turn: Turn, width: Int, widthPerSource: Int) -> Bool {
            guard sources.isEmpty, running < width, isFree(subject: turn.subject), isFree(source: turn.source, width: widthPerSource)
            else { return false }
            begin(turn)
            return true
        }

        private mutating func begin(_ turn: Turn) {
            running += 1
            if let subject = turn.subject { busySubjects.insert(subject) }
            if let source = turn.source { busySources[source, default: 0] += 1 }
        }

        mutating func end(_ turn: Turn) {
            running -= 1
            if let subject = turn.subject { busySubjects.remove(subject) }
            guard let source = turn.source, let count = busySources[source] else { return }
            busySources[source] = count > 1 ? count - 1 : nil
        }

        /// Removes the last job for a subject of the source that has the most of them, if that are
        /// more than `count`.
        mutating func removeLast(for subject: String?, ofMoreThan count: Int) -> Waiter? {
            let counts = waiting.mapValues { $0.count { $0.turn.subject == subject } }
            guard let (source, most) = counts.max(by: { $0.value < $1.value }), most > count,
                let place = waiting[source]?.lastIndex(where: { $0.turn.subject == subject })
            else { return nil }
            return waiting[source]?.remove(at: place)
        }

        /// Removes the last job of the client that has the most jobs of a source, if that are more
        /// than another client would have with one more.
        mutating func removeLast(inFavourOf turn: Turn) -> Waiter? {
            let jobs = waiting[turn.source, default: []]
            let counts = jobs.reduce(into: [:]) { $0[$1.turn.client, default: 0] += 1 }
            guard let (client, most) = counts.max(by: { $0.value < $1.value }), most > counts[turn.client, default: 0] + 1,
                let place = jobs.lastIndex(where: { $0.turn.client == client })
            else { return nil }
            return waiting[turn.source]?.remove(at: place)
        }

        /// Removes the last job of the source that has the most, if that are more than `count`.
        mutating func removeLast(ofMoreThan count: Int) -> Waiter? {
            guard let source = sources.max(by: { waiting[$0, default: []].count < waiting[$1, default: []].count }),
                waiting[source, default: []].count > count
            else { return nil }
            return waiting[source]?.popLast()
        }
    }

    private let width, widthPerSource: Int
    private let maxWaiting: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - width: the number of jobs that run at once.
    ///   - maxWaiting: the number of jobs that may wait for the same subject or from the same
    ///     source, and `width` times as many in all. So no job waits for more than `maxWaiting`
    ///     others.
    ///   - widthPerSource: the number of jobs that run at once for a source.
    public init(width: Int, maxWaiting: Int, widthPerSource: Int = 1) {
        self.width = max(1, width)
        self.widthPerSource = widthPerSource
        self.maxWaiting = maxWaiting
    }

    /// The number of jobs that wait.
    public var waitingCount: Int { state.withLock(\.waitingCount) }

    /// Runs `body` when it is its turn.
    /// - Returns: nil if too many jobs wait; those of the source, and of the client of a source,
    ///   that has the most give way first.
    public func run<T: Sendable, Failure: Error>(
        _ turn: Turn, _ body: () async throws(Failure) -> T
    ) async throws(Failure) -> T? {
        try await run(turn) { (_) async throws(Failure) in try await body() }
    }

    /// Runs `body` when it is its turn, and tells it whether it had to wait.
    public func run<T: Sendable, Failure: Error>(
        _ turn: Turn, _ body: (_ hadToWait: Bool) async throws(Failure) -> T
    ) async throws(Failure) -> T? {
        let startsAtOnce = state.withLock { $0.beginAtOnce(turn, width: width, widthPerSource: widthPerSource) }
        if !startsAtOnce {
            let mayRun: Bool = await suspended { continuation in submit(Waiter(turn: turn) { continuation.resume(returning: $0) }) }
            guard mayRun else { return nil }
        }
        defer { finish(turn) }
        return try await body(!startsAtOnce)
    }

    private func submit(_ waiter: Waiter) {
        let refused: Waiter? = state.withLock { state in
            let (subject, ownJobs) = (waiter.turn.subject, state.waiting[waiter.turn.source, default: []])
            let own = ownJobs.count
            let isSubjectFull = state.waitingCount(for: subject) >= maxWaiting
            var refused: Waiter?
            if own >= maxWaiting {
                refused = isSubjectFull ? nil : state.removeLast(inFavourOf: waiter.turn)
                guard refused != nil else { return waiter }
            } else if isSubjectFull {
                refused = state.removeLast(for: subject, ofMoreThan: ownJobs.count { $0.turn.subject == subject } + 1)
                guard refused != nil else { return waiter }
            } else if state.waitingCount >= maxWaiting * width {
                refused = state.removeLast(ofMoreThan: own + 1)
                guard refused != nil else { return waiter }
            }
            if own == 0 { state.sources.append(waiter.turn.source) }
            state.waiting[waiter.turn.source, default: []].append(waiter)
            return refused
        }
        refused?.proceed(false)
        startNext()
    }

    private func finish(_ turn: Turn) {
        state.withLock { $0.end(turn) }
        startNext()
    }

    private func startNext() {
        while let waiter = state.withLock({ $0.running < width ? $0.next(widthPerSource: widthPerSource) : nil }) { waiter.proceed(true) }
    }
}
