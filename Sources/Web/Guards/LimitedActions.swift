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

    /// Inspects the code of a link.
    ///
    /// Only codes that never existed count against the limit, because only they are guesses. A
    /// right link is never refused because of others' wrong ones, so the code is looked up first
    /// (C13, V1).
    func inspect(_ link: ActionLink, in project: Project, for peer: String) async throws(ActionError) -> Inspection {
        try await counted(from: peer, in: project) { () async throws(ActionError) in try await actions.inspect(link, in: project) }
    }

    /// Inspects a code that came by the API, under the same limit as links.
    func inspect(_ code: OobCode, in project: Project, for peer: String, byAdmin: Bool) async throws(ActionError) -> Inspection {
        try await counted(from: peer, in: project, byAdmin: byAdmin) { () async throws(ActionError) in
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
    func redeem(_ pending: PendingAction, with input: RedeemInput = .press, from peer: String) async throws(ActionError) -> Outcome {
        try await meters.counting(pending.action) { () throws(ActionError) in
            guard pending.action.setsPassword else { return try await actions.redeem(pending, with: input) }
            return try await inTurn("code \(pending.project.id) \(pending.email ?? "")", from: peer) { () throws(ActionError) in
                try await actions.redeem(pending, with: input)
            }
        }
    }

    /// Runs work that hashes a password, when it is its turn: at most one such job runs for a
    /// subject, and for a source (V5).
    /// - Parameter peer: nil for admins.
    func inTurn<T: Sendable>(
        _ subject: String?, from peer: String?, _ work: () async throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        let turn = TurnQueue.Turn(subject: subject, source: peer.map { Source($0).widest })
        guard let result = try await turns.run(turn, work) else { throw .tooSoon(retryAfter: .seconds(1)) }
        return result
    }

    private func counted(
        from peer: String, in project: Project, byAdmin: Bool = false, _ look: () async throws(ActionError) -> Inspection
    ) async throws(ActionError) -> Inspection {
        do throws(ActionError) {
            // An upstream is asked over the network, which costs too much for every guess.
            if project.upstream != nil { try limiter.require(.code, from: peer, in: project, byAdmin: byAdmin) }
            let inspection = try await look()
            if case .unknown = inspection { try limiter.admit(.code, from: peer, in: project, byAdmin: byAdmin) }
            return inspection
        } catch {
            meters.refuse(nil, error)
            throw error
        }
    }
}

extension Inspection {
    /// Nil for an unknown code.
    var action: Action? {
        switch self {
        case .live(let pending): pending.action
        case .used(let ended), .withdrawn(let ended), .expired(let ended): ended.action
        case .unknown: nil
        }
    }
}
