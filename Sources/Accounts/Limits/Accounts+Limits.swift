internal import Network

extension Accounts {
    /// Runs work that is counted as these attempts. Throws `tooSoon`.
    /// - Parameter ending: how work that throws nothing ended; default: with its effect.
    public func counted<T>(
        by attempts: [LimitedAttempt], from client: Client, in project: Project, as ending: (T) -> AttemptEnd = { _ in .done },
        _ work: () async throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await limiter.counted(by: attempts, from: client, in: project, as: ending, work)
    }

    /// Runs work whose answer may tell whether an address is taken. That tells a stranger of an
    /// account, so a client has to have the price, ten in an hour, before it is answered (V6).
    public func countedAsAddressQuestion<T>(
        and attempts: [LimitedAttempt] = [], from client: Client, in project: Project, as ending: (T) -> AttemptEnd = { _ in .done },
        _ work: () async throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        func observed(_ ending: AttemptEnd) -> AttemptEnd {
            if ending == .refused(.emailExists), client != .admin { observe(.takenAddressTold) }
            return ending
        }
        return try await counted(by: [.takenAddress] + attempts, from: client, in: project, as: { observed(ending($0)) }) {
            () throws(ActionError) in
            do throws(ActionError) { return try await work() } catch {
                _ = observed(AttemptEnd(error))
                throw error
            }
        }
    }

    /// Runs work that hashes a password, when it is its turn: at most one such job runs for a
    /// subject, and for a source (V5). If too many wait, those of the client that has the most in
    /// its network give way.
    func inTurn<T: Sendable>(
        _ subject: String?, from client: Client, _ work: () async throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await inTurn(subject, from: client) { (_) async throws(ActionError) in try await work() }
    }

    func inTurn<T: Sendable>(
        _ subject: String?, from client: Client, _ work: (_ hadToWait: Bool) async throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        let source: Source? = if case .peer(let peer, _) = client { Source(peer) } else { nil }
        let turn = TurnQueue.Turn(subject: subject, source: source?.widest, client: source?.client)
        guard let result = try await turns.run(turn, work) else { throw .tooSoon(retryAfter: .seconds(1)) }
        return result
    }
}
