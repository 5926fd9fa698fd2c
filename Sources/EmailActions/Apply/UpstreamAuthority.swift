package import Accounts
package import WebURL

/// The code authority for projects whose codes are kept by another Identity Toolkit.
///
/// The upstream spends a code immediately, and its answers do not distinguish a spent code from one
/// that never existed. Onward therefore records each attempt before it starts, so that a crash or a
/// lost response does not make a link that worked look invalid (C4).
package struct UpstreamAuthority: CodeAuthority {
    /// Returns the toolkit at a base URL.
    package typealias Toolkits = @Sendable (_ base: WebURL) -> (any UpstreamToolkit)?

    let toolkits: Toolkits
    let store: any ActionStore
    let secrets: Secrets
    let now: Now

    package func inspect(_ link: ActionLink, in project: Project) async throws(ActionError) -> Inspection {
        let toolkit = try toolkit(of: project)
        let digest = link.code.digest(in: project.id, keyedBy: secrets)
        let tried = try await store.read { (records: any ActionRecords) throws(ActionError) in try records.upstreamTry(of: digest) }
        let ended = EndedAction(.upstream(link), in: project)
        if tried == .succeeded { return .used(ended) }
        do throws(ActionError) {
            return .live(PendingAction(try await toolkit.look(at: link.code, for: project.caller(by: link)), of: link, in: project))
        } catch {
            switch error {
            // The code was live when the attempt began.
            case .refused(.invalidOobCode, _): return tried == nil ? .unknown : .used(ended)
            case .refused(.expiredOobCode, _): return .expired(ended)
            default: throw error
            }
        }
    }

    /// Inspects the code and leaves it unspent. An upstream does not explain its refusals, so the
    /// code is inspected before it is redeemed.
    package func press(_ link: ActionLink, _ press: Press, in project: Project) async throws(ActionError) -> PressResult {
        let inspection = try await inspect(link, in: project)
        let moment = now()
        guard case .live(let pending) = inspection, pending.action == link.action, !press.isSecondAfterPause(at: moment),
            let doubt = press.doubt(of: link.action, nil, in: project, at: moment)
        else { return .inspected(inspection) }
        return .questioned(pending, .secondPress, doubt)
    }

    package func redeem(_ pending: PendingAction, with input: RedeemInput) async throws(ActionError) -> Outcome {
        let project = pending.project
        let toolkit = try toolkit(of: project)
        // Sign-in codes are spent by the app itself.
        guard case .upstream(let link) = pending.evidence, !pending.action.isAppliedByApp else { throw .refused(.invalidOobCode) }
        let password = try password(in: input, for: pending)
        let (digest, moment) = (link.code.digest(in: project.id, keyedBy: secrets), now())
        try await store.transaction { (records: any ActionRecords) throws(ActionError) in
            try records.beginUpstreamTry(of: digest, in: project.id, at: moment)
        }
        let effect: UpstreamEffect
        do throws(ActionError) {
            effect = try await toolkit.apply(link.code, newPassword: password, for: project.caller(by: link))
        } catch {
            throw await meaning(of: error, for: link, in: project)
        }
        // If this write fails, the recorded start of the attempt has the same meaning.
        try? await store.transaction { (records: any ActionRecords) throws(ActionError) in
            try records.finishUpstreamTry(of: digest, in: project.id, at: moment)
        }
        let address = pending.action.setsNewAddress ? pending.newEmail : pending.email
        return Outcome(pending, account: effect.account, email: effect.email ?? address)
    }

    private func password(in input: RedeemInput, for pending: PendingAction) throws(ActionError) -> String? {
        guard pending.action.setsPassword else { return nil }
        guard case .newPassword(let password) = input else { throw .refused(.missingPassword) }
        try pending.project.passwordPolicy.check(password, words: pending.words)
        return password
    }

    /// The error to report for a code that was not confirmed as applied.
    private func meaning(of error: ActionError, for link: ActionLink, in project: Project) async -> ActionError {
        switch error {
        // The code was live a moment ago: another request spent it, or the response to this one was
        // lost.
        case .refused(.invalidOobCode, _): return error
        case .unavailable(let down) where down.commitState != .notCommitted:
            switch try? await inspect(link, in: project) {
            case .live where down.commitState == .unknown: return .unavailable(Unavailable(down.part, cause: down.cause))
            case .live, nil: return error
            case .used, .withdrawn, .unknown: return .refused(.invalidOobCode)
            case .expired: return .refused(.expiredOobCode)
            }
        case .refused, .tooSoon, .unavailable:
            let digest = link.code.digest(in: project.id, keyedBy: secrets)
            // If this write fails, the upstream still reports the code as live.
            try? await store.transaction { (records: any ActionRecords) throws(ActionError) in
                try records.forgetUpstreamTry(of: digest)
            }
            return error
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
        UpstreamCaller(apiKey: link.apiKey, language: link.language, page: self.actionURL)
    }
}
