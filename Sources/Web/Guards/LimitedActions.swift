internal import Accounts
internal import EmailActions

/// Action codes as they are reached from outside: lookups are limited by source, and every use and
/// refusal of a code is counted.
struct LimitedActions: Sendable {
    let actions: EmailActions
    let limiter: RateLimiter
    let meters: CodeMeters

    /// Inspects the code of a link.
    ///
    /// Only codes that never existed count against the limit, because only they are guesses: an
    /// office behind one address may open all its links at once. When the limit is exceeded,
    /// nothing is looked up (C13).
    func inspect(_ link: ActionLink, in project: Project, for peer: String) async throws(ActionError) -> Inspection {
        try await counted(from: peer, in: project) { () async throws(ActionError) in try await actions.inspect(link, in: project) }
    }

    /// Inspects a code that came by the API, under the same limit as links.
    func inspect(_ code: OobCode, in project: Project, for peer: String, byAdmin: Bool) async throws(ActionError) -> Inspection {
        try await counted(from: peer, in: project, byAdmin: byAdmin) { () async throws(ActionError) in
            try await actions.inspect(code, in: project)
        }
    }

    /// Applies a link whose button was pressed, if it needs no further input.
    func press(_ link: ActionLink, in project: Project) async throws(ActionError) -> PressResult {
        do {
            let result = try await actions.press(link, in: project)
            if case .applied(let outcome) = result { meters.apply(outcome.done.action) }
            return result
        } catch {
            meters.refuse(link.action, error)
            throw error
        }
    }

    /// Applies a live code.
    func redeem(_ pending: PendingAction, with input: RedeemInput = .press) async throws(ActionError) -> Outcome {
        try await meters.counting(pending.action) { () throws(ActionError) in try await actions.redeem(pending, with: input) }
    }

    private func counted(
        from peer: String, in project: Project, byAdmin: Bool = false, _ look: () async throws(ActionError) -> Inspection
    ) async throws(ActionError) -> Inspection {
        do throws(ActionError) {
            try limiter.require(.code, from: peer, in: project, byAdmin: byAdmin)
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
