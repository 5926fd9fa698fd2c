internal import Network

extension Accounts {
    /// Inspects the code of a link whose page is asked for, without changing anything (C6, N12).
    ///
    /// Only codes that never existed count against the limit, because only they are guesses. A
    /// right link is never refused because of others' wrong ones, so the code is looked up first
    /// (C13, V1).
    public func preview(_ link: ActionLink, in project: Project, from client: Client) async throws(ActionError) -> Inspection {
        try await countingGuesses(from: client, in: project) { () async throws(ActionError) in
            try await authority(of: project).preview(link, in: project)
        }
    }

    /// Inspects the code of a link that one of our pages has shown.
    public func inspect(_ link: ActionLink, in project: Project) async throws(ActionError) -> Inspection {
        try await authority(of: project).inspect(link, in: project)
    }

    /// Inspects the code of a link that was applied. What an upstream said to that is certain, even
    /// if the store failed to note it.
    public func inspect(applied link: ActionLink, in project: Project) async throws(ActionError) -> Inspection {
        guard project.upstream == nil else { return .used(upstream.applied(link, in: project)) }
        return try await inspect(link, in: project)
    }

    /// Inspects a code that was sent to the API, under the same limit as links. Only projects
    /// without an upstream have such codes.
    public func inspect(_ code: OobCode, in project: Project, from client: Client) async throws(ActionError) -> Inspection {
        try await countingGuesses(from: client, in: project) { () async throws(ActionError) in
            try await own.inspect(code, in: project)
        }
    }

    /// The action of a live code that was sent to the API. Refuses what `Inspection.pending`
    /// refuses.
    public func pending(_ code: OobCode, in project: Project, from client: Client) async throws(ActionError) -> PendingAction {
        let inspection = try await inspect(code, in: project, from: client)
        do { return try inspection.pending() } catch {
            observe(.refused(inspection.action, error))
            throw error
        }
    }

    /// Handles the press of the button on a link's page: applies the action, exactly once, unless
    /// the press looks like a program's (V10) or lacks what the action needs.
    /// - Parameter password: the new password that the user typed; empty if none was typed.
    public func press(
        _ link: ActionLink, _ press: Press, typing password: String = "", from client: Client, in project: Project
    ) async throws(ActionError) -> PressResult {
        let result = try await applyOrInspect(link, press, in: project)
        guard case .inspected(.live(let pending)) = result, pending.action == link.action, !pending.action.isAppliedByApp else {
            return result
        }
        guard pending.action.setsPassword else {
            // The other account may have come after the page was shown.
            guard pending.rivalMadeAt == nil || press.mayTakeAddress else { return result }
            return .applied(try await redeem(pending, with: .press(press.choice), from: client))
        }
        let objections = pending.objections(to: password)
        guard objections.isEmpty, !password.isEmpty else {
            return .passwordRefused(
                pending,
                PasswordRefusal(
                    objections: password.isEmpty ? [.empty] : objections, requirements: nil,
                    error: pending.passwordPolicy.refusal(of: objections)))
        }
        do throws(ActionError) {
            return .applied(try await redeem(pending, with: .newPassword(password), from: client))
        } catch {
            // An upstream may require more of a password than the page knew.
            guard let shortcomings = error.shortcomings else { throw error }
            return .passwordRefused(
                pending,
                PasswordRefusal(objections: shortcomings.objections, requirements: PasswordRequirements(shortcomings), error: error))
        }
    }

    /// Applies the action of a pressed link if it needs no further input and the press is not
    /// doubtful, and otherwise inspects its code.
    private func applyOrInspect(_ link: ActionLink, _ press: Press, in project: Project) async throws(ActionError) -> PressResult {
        do {
            let result = try await authority(of: project).press(link, press, in: project)
            if case .applied(let outcome) = result { observe(.applied(outcome.done.action)) }
            observe(.pressed(press, result))
            return result
        } catch {
            observe(.refused(link.action, error))
            throw error
        }
    }

    /// Applies the action of a live code, exactly once.
    public func redeem(
        _ pending: PendingAction, with input: RedeemInput = .call(), from client: Client
    ) async throws(ActionError) -> Outcome {
        try await observingUse(of: pending.action) { () throws(ActionError) in
            let authority = authority(of: pending.project)
            // An upstream hashes passwords itself.
            guard pending.action.setsPassword, pending.project.upstream == nil else {
                return try await authority.redeem(pending, with: input, from: client)
            }
            let outcome = try await inTurn("code \(pending.project.id) \(pending.email ?? "")", from: client) {
                (hadToWait) throws(ActionError) in
                // Another request may have used the code.
                if hadToWait { try await own.requireLive(pending) }
                return try await authority.redeem(pending, with: input, from: client)
            }
            limiter.forgetGuesses(at: pending.email, from: client, in: pending.project)
            return outcome
        }
    }

    /// Runs what applies a code, and reports its result.
    func observingUse<T>(of action: Action, _ apply: () async throws(ActionError) -> T) async throws(ActionError) -> T {
        do {
            let result = try await apply()
            observe(.applied(action))
            return result
        } catch {
            observe(.refused(action, error))
            throw error
        }
    }

    private func authority(of project: Project) -> any CodeAuthority { project.upstream == nil ? own : upstream }

    private func countingGuesses(
        from client: Client, in project: Project, _ look: () async throws(ActionError) -> Inspection
    ) async throws(ActionError) -> Inspection {
        do throws(ActionError) {
            let attempt: LimitedAttempt = project.upstream == nil ? .code : .upstreamCode
            if attempt == .upstreamCode, case let wait = limiter.wait(before: attempt, from: client, in: project), wait > .zero {
                return try await paced(from: client, in: project, look, orWait: wait)
            }
            return try await limiter.counted(by: [attempt], from: client, in: project, as: \.ending, look)
        } catch {
            observe(.refused(nil, error))
            throw error
        }
    }

    /// Inspects a code of an upstream, whose answers do not distinguish a guess from a link that
    /// was used elsewhere. So no link is refused because of others: an address with many unknown
    /// codes, which cost the upstream a request each, has them looked up eight at a time. A look is
    /// refused only while a hundred others of the same address wait (Y6).
    private func paced(
        from client: Client, in project: Project, _ look: () async throws(ActionError) -> Inspection, orWait wait: Duration
    ) async throws(ActionError) -> Inspection {
        guard case .peer(let peer, _) = client else { return try await look() }
        guard let paced = try await upstreamLooks.run(TurnQueue.Turn(subject: nil, source: Source(peer).description), look) else {
            throw .tooSoon(retryAfter: wait)
        }
        return paced
    }
}

extension Inspection {
    /// The action of a live code. Throws the API's error for each other state.
    public func pending() throws(ActionError) -> PendingAction {
        switch self {
        case .live(let pending): pending
        case .expired: throw .refused(.expiredOobCode)
        // Its holder has the code, whose page says the same.
        case .withdrawn(let ended) where ended.accountIsDisabled: throw .refused(.userDisabled)
        case .used, .withdrawn, .unknown: throw .refused(.invalidOobCode)
        case .uncertain: throw .refused(.invalidOobCode, detail: "It is not known whether an earlier request applied the code")
        }
    }

    /// Nil for an unknown code.
    public var action: Action? {
        switch self {
        case .live(let pending): pending.action
        case .used(let ended), .withdrawn(let ended), .expired(let ended), .uncertain(let ended): ended.action
        case .unknown: nil
        }
    }

    /// Only codes that never existed are guesses.
    fileprivate var ending: AttemptEnd { if case .unknown = self { .refused(.invalidOobCode) } else { .done } }
}

extension ActionError {
    /// The requirements that a refused password does not meet; nil for every other error.
    fileprivate var shortcomings: PasswordShortcomings? {
        guard case .refused(let refusal, let detail) = self, [.weakPassword, .passwordDoesNotMeetRequirements].contains(refusal) else {
            return nil
        }
        return PasswordShortcomings(refusalText: detail ?? "")
    }
}
