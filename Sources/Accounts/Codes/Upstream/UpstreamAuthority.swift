public import Base
internal import Network

/// The code authority for projects whose codes are kept by another Identity Toolkit.
///
/// The upstream spends a code immediately, and its answers do not distinguish a spent code from one
/// that never existed. Onward therefore records each attempt before it starts, and what the
/// upstream answered: *yes* is remembered, *no* is forgotten, and an attempt without an answer
/// stays recorded, so that a crash or a lost response never looks like either (C4, Y3).
public struct UpstreamAuthority: CodeAuthority {
    /// Returns the toolkit at a base URL.
    public typealias Toolkits = @Sendable (_ base: WebURL) -> (any UpstreamToolkit)?

    let toolkits: Toolkits
    let store: any Storage
    let secrets: Secrets
    let now: Now
    private let uptime: @Sendable () -> Uptime
    /// One attempt runs for a code at a time, so that a second press waits for the answer to the
    /// first, and at most 64 wait. The transport to the upstream limits how many codes are tried at
    /// once.
    private let turns = TurnQueue(width: 1 << 16, maxWaiting: 64)
    /// The answers of the last half hour, after which other things may have happened to the
    /// account. An upstream deletes a code with its answer, so it cannot be asked again when a
    /// button is pressed twice or the link is opened once more. The answers are kept in memory
    /// only, because they contain addresses.
    private let answers = BoundedCache<Digest, KnownAnswer>(capacity: 4096, lifetime: .minutes(30))

    private enum KnownAnswer: Sendable {
        /// - Parameter email: the address of the account.
        case applied(email: EmailAddress?)
        case refused(Refusal)
    }

    init(
        toolkits: @escaping Toolkits, store: any Storage, secrets: Secrets, now: @escaping Now, uptime: @escaping @Sendable () -> Uptime
    ) {
        (self.toolkits, self.store, self.secrets, self.now, self.uptime) = (toolkits, store, secrets, now, uptime)
    }

    public func inspect(_ link: ActionLink, in project: Project) async throws(ActionError) -> Inspection {
        let digest = link.code.digest(in: project.id, keyedBy: secrets)
        if try await earlierTry(of: digest) == .succeeded { return .used(applied(link, in: project)) }
        do throws(ActionError) { return try await stateAtUpstream(of: link, in: project) } catch {
            return try await stateAfterRefusal(error, of: link, in: project)
        }
    }

    /// Asks the store only if the upstream does not report a live code.
    public func preview(_ link: ActionLink, in project: Project) async throws(ActionError) -> Inspection {
        do throws(ActionError) { return try await stateAtUpstream(of: link, in: project) } catch {
            let digest = link.code.digest(in: project.id, keyedBy: secrets)
            if try await earlierTry(of: digest) == .succeeded { return .used(applied(link, in: project)) }
            return try await stateAfterRefusal(error, of: link, in: project)
        }
    }

    private func stateAtUpstream(of link: ActionLink, in project: Project) async throws(ActionError) -> Inspection {
        let code = try await toolkit(of: project).look(at: link.code, for: project.caller(by: link))
        return .live(PendingAction(code, of: link, in: project))
    }

    /// The state of a code after its inspection failed.
    private func stateAfterRefusal(_ refusal: ActionError, of link: ActionLink, in project: Project) async throws(ActionError) -> Inspection
    {
        switch refusal {
        case .refused(.invalidOobCode, _):
            if let state = try await stateAfterOwnTry(of: link, in: project) { return state }
            return try stateAfterDeletion(of: link, in: project)
        case .refused(.expiredOobCode, _):
            return try await stateAfterOwnTry(of: link, in: project) ?? .expired(EndedAction(.upstream(link), in: project))
        case .unavailable(let down):
            // An earlier attempt may have applied the code.
            guard try await earlierTry(of: link.code.digest(in: project.id, keyedBy: secrets)) == .unanswered else { throw refusal }
            throw .unavailable(Unavailable(down.part, cause: down.cause, commitState: .unknown))
        default: throw refusal
        }
    }

    /// A code that was applied, with its address if that is known still.
    func applied(_ link: ActionLink, in project: Project) -> EndedAction {
        guard case .applied(let address)? = answer(to: link, in: project) else { return EndedAction(.upstream(link), in: project) }
        return EndedAction(.upstream(link), in: project, appliedTo: address)
    }

    /// The state of a code that was not applied and that the upstream does not know: the upstream
    /// may have deleted it with a refusal, which then is what there is to say (Y2).
    private func stateAfterDeletion(of link: ActionLink, in project: Project) throws(ActionError) -> Inspection {
        switch answer(to: link, in: project) {
        case .refused(.expiredOobCode)?: return .expired(EndedAction(.upstream(link), in: project))
        case .refused(let refusal)?: throw .refused(refusal)
        case .applied?, nil: return .unknown
        }
    }

    private func answer(to link: ActionLink, in project: Project) -> KnownAnswer? {
        answers[link.code.digest(in: project.id, keyedBy: secrets), at: uptime()]
    }

    /// The state of a code that the upstream does not accept any more, once an attempt that runs
    /// has ended; nil if Onward did not try it.
    private func stateAfterOwnTry(of link: ActionLink, in project: Project) async throws(ActionError) -> Inspection? {
        let digest = link.code.digest(in: project.id, keyedBy: secrets)
        let tried = try await inTurn(digest) { () async throws(ActionError) in try await self.earlierTry(of: digest) }
        return switch tried {
        case .succeeded: .used(applied(link, in: project))
        case .unanswered: .uncertain(EndedAction(.upstream(link), in: project))
        case nil: nil
        }
    }

    /// Inspects the code and leaves it unspent. An upstream does not explain its refusals, so the
    /// code is inspected before it is redeemed.
    public func press(_ link: ActionLink, _ press: Press, in project: Project) async throws(ActionError) -> PressResult {
        let inspection = try await inspect(link, in: project)
        let moment = now()
        guard case .live(let pending) = inspection, pending.action == link.action, !press.isSecondAfterPause(at: moment),
            let sign = press.automationSign(of: link.action, nil, in: project, at: moment)
        else { return .inspected(inspection) }
        return .challenged(pending, .secondPress, sign)
    }

    public func redeem(_ pending: PendingAction, with input: RedeemInput, from client: Client) async throws(ActionError) -> Outcome {
        let toolkit = try toolkit(of: pending.project)
        // Sign-in codes are spent by the app itself.
        guard case .upstream(let link) = pending.record, !pending.action.isAppliedByApp else { throw .refused(.invalidOobCode) }
        let password = try password(in: input, for: pending)
        let digest = link.code.digest(in: pending.project.id, keyedBy: secrets)
        let expected = pending.action.setsNewAddress ? pending.newEmail : pending.email
        let effect = try await inTurn(digest) { () async throws(ActionError) in
            let effect = try await apply(link, newPassword: password, in: pending.project, by: toolkit)
            let (before, after) = (expected.flatMap { EmailAddress($0) }, effect.email.flatMap { EmailAddress($0) })
            // A reset must not go to the address of an intruder, which the account may have now.
            answers.add(.applied(email: after == nil || after == before ? before : nil), of: digest, at: uptime())
            return effect
        }
        return Outcome(pending, account: effect.account, email: effect.email ?? expected)
    }

    /// The refusals that another press would meet as well.
    private static let lasting: Set<Refusal> = [
        .emailExists, .userDisabled, .operationNotAllowed, .passwordLoginDisabled, .expiredOobCode,
    ]

    /// Applies a code and records the answer.
    private func apply(
        _ link: ActionLink, newPassword: String?, in project: Project, by toolkit: any UpstreamToolkit
    ) async throws(ActionError) -> UpstreamEffect {
        let (digest, moment) = (link.code.digest(in: project.id, keyedBy: secrets), now())
        try await store.transaction { (records) throws(ActionError) in
            guard try records.upstreamTry(of: digest) != .succeeded else { throw .refused(.invalidOobCode) }
            try records.beginUpstreamTry(of: digest, in: project.id, at: moment)
        }
        let effect: UpstreamEffect
        do throws(ActionError) {
            effect = try await toolkit.apply(link.code, newPassword: newPassword, for: project.caller(by: link))
        } catch {
            let (error, wasAnswered) = await meaning(of: error, for: link, in: project, by: toolkit)
            // Another attempt without an answer stays unanswered. If this write fails, so does this
            // one.
            if wasAnswered, let refusal = error.refusal, Self.lasting.contains(refusal) {
                answers.add(.refused(refusal), of: digest, at: uptime())
            }
            if wasAnswered {
                try? await store.transaction { (records) throws(ActionError) in
                    try records.forgetUpstreamTry(of: digest)
                }
            }
            throw error
        }
        // If this write fails, the page that is shown now still says that it worked.
        try? await store.transaction { (records) throws(ActionError) in
            try records.finishUpstreamTry(of: digest, in: project.id, at: moment)
        }
        return effect
    }

    /// The error to report for a code that was not confirmed as applied, and whether it is an
    /// answer: the code was not applied by this attempt.
    private func meaning(
        of error: ActionError, for link: ActionLink, in project: Project, by toolkit: any UpstreamToolkit
    ) async -> (ActionError, wasAnswered: Bool) {
        guard case .unavailable(let down) = error, down.commitState != .notCommitted else { return (error, true) }
        do throws(ActionError) {
            _ = try await toolkit.look(at: link.code, for: project.caller(by: link))
            // The code is live. A request that was only not waited for may still be executed.
            guard down.commitState == .unknown else { return (error, false) }
            return (.unavailable(Unavailable(down.part, cause: down.cause)), true)
        } catch {
            // The code may have been applied, or lost with its account or with the upstream.
            return ([.invalidOobCode, .expiredOobCode].contains(error.refusal) ? error : .unavailable(down), false)
        }
    }

    private func earlierTry(of digest: Digest) async throws(ActionError) -> UpstreamTry? {
        try await store.read { (records) throws(ActionError) in try records.upstreamTry(of: digest) }
    }

    private func inTurn<T: Sendable>(_ digest: Digest, _ work: () async throws(ActionError) -> T) async throws(ActionError) -> T {
        let code = Base64URL.encode(digest.bytes)
        // The code is the source as well, so that its many presses crowd out none of another code.
        let turn = TurnQueue.Turn(subject: code, source: code)
        guard let result = try await turns.run(turn, work) else { throw .tooSoon(retryAfter: .seconds(1)) }
        return result
    }

    private func password(in input: RedeemInput, for pending: PendingAction) throws(ActionError) -> String? {
        guard pending.action.setsPassword else { return nil }
        guard case .newPassword(let password) = input else { throw .refused(.missingPassword) }
        try pending.passwordPolicy.check(password, words: pending.words)
        return password
    }

    /// Has the upstream mail a password reset. Whether the address has an account is not told.
    func sendPasswordReset(
        to email: EmailAddress, after link: ActionLink, language: String?, in project: Project
    ) async throws(ActionError) {
        let caller = UpstreamCaller(
            apiKey: link.apiKey, language: language ?? link.language, page: project.actionURL, tenant: link.tenant, network: link.network)
        do throws(ActionError) { try await toolkit(of: project).sendPasswordReset(to: email, for: caller) } catch {
            // The toolkit reports an unknown address as an invalid code.
            guard error.refusal == .invalidOobCode else { throw error }
        }
    }

    private func toolkit(of project: Project) throws(ActionError) -> any UpstreamToolkit {
        guard let upstream = project.upstream, let toolkit = toolkits(upstream.base) else {
            throw .unavailable(Unavailable(.upstream, cause: "there is none for project \(project.id)"))
        }
        guard upstream.domains != .awaited else {
            throw .unavailable(Unavailable(.upstream, cause: "\(upstream.base.origin): its authorized domains have not been read yet"))
        }
        return toolkit
    }
}

extension Project {
    fileprivate func caller(by link: ActionLink) -> UpstreamCaller {
        UpstreamCaller(apiKey: link.apiKey, language: link.language, page: self.actionURL, tenant: link.tenant, network: link.network)
    }
}
