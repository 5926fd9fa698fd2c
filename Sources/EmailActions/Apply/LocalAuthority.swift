internal import Accounts

/// The code authority for projects whose codes are in Onward's own store. It is a class so that
/// passing it on copies one reference.
final class LocalAuthority: CodeAuthority {
    let store: any ActionStore
    let passwords: Passwords
    let secrets: Secrets
    let drafts: CodeDrafts
    let now: Now

    init(store: any ActionStore, passwords: Passwords, secrets: Secrets, drafts: CodeDrafts, now: @escaping Now) {
        (self.store, self.passwords, self.secrets, self.drafts, self.now) = (store, passwords, secrets, drafts, now)
    }

    func inspect(_ link: ActionLink, in project: Project) async throws(ActionError) -> Inspection {
        try await inspect(link.code, in: project)
    }

    func inspect(_ code: OobCode, in project: Project) async throws(ActionError) -> Inspection {
        let key = code.key(by: secrets)
        let moment = now()
        return try await store.read { (records: any ActionRecords) throws(ActionError) in
            guard let (code, newer) = try records.codeAndNewer(key, at: moment), code.project == project.id else { return .unknown }
            func ended() -> EndedAction { EndedAction(.own(code, account: nil, secondFactor: nil), in: project, newerSince: newer) }
            switch code.state(at: moment) {
            case .used: return .used(ended())
            case .withdrawn: return .withdrawn(ended())
            case .expired: return .expired(ended())
            case .live:
                let account = try code.action.readsAccount ? records.account(of: code) : nil
                let factor = try records.secondFactor(of: code)
                return .live(PendingAction(code, in: project, account: account, secondFactor: factor, newerSince: newer))
            }
        }
    }

    func press(_ link: ActionLink, in project: Project) async throws(ActionError) -> PressResult {
        guard case .immediate(let effect) = link.action.effectSource else { return .inspected(try await inspect(link, in: project)) }
        let key = link.code.key(by: secrets)
        let moment = now()
        let applied: (outcome: Outcome, effect: AppliedEffect)?
        do throws(ActionError) {
            applied = try await store.transaction { (records: any ActionRecords) throws(ActionError) in
                guard let code = try records.spend(key, of: link.action, in: project.id, at: moment) else { return nil }
                let pending = PendingAction(code, in: project, account: nil, secondFactor: nil, newerSince: nil)
                let effect = try effect.apply(code, in: records, at: moment)
                return (Outcome(pending, of: code, after: effect), effect)
            }
        } catch {
            // An ended code can be reported even if the database is read-only.
            guard case .unavailable = error, let inspection = try? await inspect(link, in: project), !inspection.isLive else { throw error }
            return .inspected(inspection)
        }
        guard let applied else { return .inspected(try await inspect(link, in: project)) }
        observe(applied.effect)
        return .applied(applied.outcome)
    }

    func redeem(_ pending: PendingAction, with input: RedeemInput) async throws(ActionError) -> Outcome {
        let effect = try await effect(of: pending, with: input)
        let code = try pending.stored().code
        let moment = now()
        let (outcome, applied) = try await store.transaction { (records: any ActionRecords) throws(ActionError) in
            let code = try records.spend(code, at: moment)
            let applied = try effect.apply(code, in: records, at: moment)
            return (Outcome(pending, of: code, after: applied), applied)
        }
        observe(applied)
        return outcome
    }

    private func effect(of pending: PendingAction, with input: RedeemInput) async throws(ActionError) -> any Effect {
        let (code, account, secondFactor) = try pending.stored()
        switch pending.action.effectSource {
        case .immediate(let effect): return effect
        case .prepared(let effect):
            guard let account else { throw .refused(.invalidOobCode) }
            try await requireLive(code.key, in: pending.project)
            return try await effect.init(
                EffectContext(
                    pending: pending, code: code, account: account, secondFactor: secondFactor, input: input, passwords: passwords,
                    drafts: drafts))
        case .app: throw .refused(.invalidOobCode)
        }
    }

    /// Looks at a code again before anything slow is done for it, because it may have been used
    /// while the request waited for its turn (V5).
    private func requireLive(_ key: CodeKey, in project: Project) async throws(ActionError) {
        let moment = now()
        let state = try await store.read { (records: any ActionRecords) throws(ActionError) in try records.code(key)?.state(at: moment) }
        switch state {
        case .live: return
        case .expired: throw .refused(.expiredOobCode)
        case .used, .withdrawn, nil: throw .refused(.invalidOobCode)
        }
    }

    /// Reports the code that a committed effect stored.
    private func observe(_ effect: AppliedEffect) {
        if let issued = effect.issued { drafts.observe(issued) }
    }
}

extension ActionRecords {
    fileprivate func account(of code: StoredCode) throws(ActionError) -> Account? {
        guard let id = code.account else { return nil }
        return try account(id, in: code.project)
    }

    fileprivate func secondFactor(of code: StoredCode) throws(ActionError) -> SecondFactor? {
        guard let id = code.secondFactor, let account = code.account else { return nil }
        return try secondFactors(of: account, in: code.project).first { $0.id == id }
    }
}

extension Outcome {
    fileprivate init(_ done: PendingAction, of code: StoredCode, after effect: AppliedEffect) {
        self.init(done, account: code.account, email: effect.email?.value)
    }
}
