internal import Accounts
internal import EmailActions
internal import Queues

/// Action codes as they are reached from outside: lookups are limited by source, and every use and
/// refusal of a code is counted.
struct LimitedActions: Sendable {
    let actions: EmailActions
    let limiter: RateLimiter
    let turns: TurnQueue
    let meters: CodeMeters
    /// The turns of addresses that looked up many unknown codes of upstreams.
    private let looks = TurnQueue(width: 16, maxWaiting: 100, widthPerSource: 8)

    init(actions: EmailActions, limiter: RateLimiter, turns: TurnQueue, meters: CodeMeters) {
        (self.actions, self.limiter, self.turns, self.meters) = (actions, limiter, turns, meters)
    }

    /// Inspects the code of a link whose page is asked for.
    ///
    /// Only codes that never existed count against the limit, because only they are guesses. A
    /// right link is never refused because of others' wrong ones, so the code is looked up first
    /// (C13, V1).
    func preview(_ link: ActionLink, in project: Project, for peer: String) async throws(ActionError) -> Inspection {
        try await counting(from: peer, in: project) { () async throws(ActionError) in try await actions.preview(link, in: project) }
    }

    /// Inspects a code that came by the API, under the same limit as links.
    func inspect(_ code: OobCode, in project: Project, for peer: String, byAdmin: Bool) async throws(ActionError) -> Inspection {
        try await counting(from: peer, in: project, byAdmin: byAdmin) { () async throws(ActionError) in
            try await actions.inspect(code, in: project)
        }
    }

    /// Applies a link whose button was pressed, if it needs no further input and the press does not
    /// look like a program's.
    func press(_ link: ActionLink, _ press: Press, in project: Project) async throws(ActionError) -> PressResult {
        do {
            let result = try await actions.press(link, press, in: project)
            if case .applied(let outcome) = result { meters.apply(outcome.done.action) }
            meters.answer(press, result)
            return result
        } catch {
            meters.refuse(link.action, error)
            throw error
        }
    }

    /// Applies a live code.
    func redeem(_ pending: PendingAction, with input: RedeemInput = .call(), from peer: String) async throws(ActionError) -> Outcome {
        try await meters.counting(pending.action) { () throws(ActionError) in
            // An upstream hashes passwords itself.
            guard pending.action.setsPassword, pending.project.upstream == nil else {
                return try await actions.redeem(pending, with: input)
            }
            return try await inTurn("code \(pending.project.id) \(pending.email ?? "")", from: peer) { () throws(ActionError) in
                try await actions.redeem(pending, with: input)
            }
        }
    }

    /// Runs work that hashes a password, when it is its turn: at most one such job runs for a
    /// subject, and for a source (V5). If too many wait, those of the client that has the most in
    /// its network give way.
    /// - Parameter peer: nil for admins.
    func inTurn<T: Sendable>(
        _ subject: String?, from peer: String?, _ work: () async throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        let source = peer.map { Source($0) }
        let turn = TurnQueue.Turn(subject: subject, source: source?.widest, client: source?.client)
        guard let result = try await turns.run(turn, work) else { throw .tooSoon(retryAfter: .seconds(1)) }
        return result
    }

    private func counting(
        from peer: String, in project: Project, byAdmin: Bool = false, _ look: () async throws(ActionError) -> Inspection
    ) async throws(ActionError) -> Inspection {
        do throws(ActionError) {
            let attempt: Attempt = project.upstream == nil ? .code : .upstreamCode
            if attempt == .upstreamCode, case let wait = limiter.wait(before: attempt, from: peer, in: project), wait > .zero {
                return try await paced(from: peer, in: project, look, orWait: wait)
            }
            return try await limiter.counted(by: [attempt], from: peer, in: project, byAdmin: byAdmin, as: \.ending, look)
        } catch {
            meters.refuse(nil, error)
            throw error
        }
    }

    /// Inspects a code of an upstream, whose answers do not distinguish a guess from a link that
    /// was used elsewhere. So no link is refused because of others: an address with many unknown
    /// codes, which cost the upstream a request each, has them looked up eight at a time. A look is
    /// refused only while a hundred others of the same address wait (Y6).
    private func paced(
        from peer: String, in project: Project, _ look: () async throws(ActionError) -> Inspection, orWait wait: Duration
    ) async throws(ActionError) -> Inspection {
        guard let paced = try await looks.run(TurnQueue.Turn(subject: nil, source: Source(peer).description), look) else {
            throw .tooSoon(retryAfter: wait)
        }
        return paced
    }
}

extension Inspection {
    /// Only codes that never existed are guesses.
    fileprivate var ending: AttemptEnd { if case .unknown = self { .refused(.invalidOobCode) } else { .done } }

    /// Nil for an unknown code.
    var action: Action? {
        switch self {
        case .live(let pending): pending.action
        case .used(let ended), .withdrawn(let ended), .expired(let ended), .uncertain(let ended): ended.action
        case .unknown: nil
        }
    }
}
