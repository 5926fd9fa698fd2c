internal import Base

/// The code authority for projects whose codes are in Onward's own store. It is a class so that
/// passing it on copies one reference.
final class LocalAuthority: CodeAuthority {
    let store: any Storage
    let passwords: Passwords
    let secrets: Secrets
    let drafts: CodeDrafts
    let now: Now

    init(store: any Storage, passwords: Passwords, secrets: Secrets, drafts: CodeDrafts, now: @escaping Now) {
        (self.store, self.passwords, self.secrets, self.drafts, self.now) = (store, passwords, secrets, drafts, now)
    }

    func inspect(_ link: ActionLink, in project: Project) async throws(ActionError) -> Inspection {
        try await inspect(link.code, in: project)
    }

    func inspect(_ code: OobCode, in project: Project) async throws(ActionError) -> Inspection {
        try await store.read(inspection(of: code, in: project)) ?? .unknown
    }

    func preview(_ link: ActionLink, in project: Project) async throws(ActionError) -> Inspection {
        try await store.preview(inspection(of: link.code, in: project)) ?? .unknown
    }

    /// A read that inspects a code; it returns nil if there is no such code.
    private func inspection(of code: OobCode, in project: Project) -> @Sendable (any Records) throws(ActionError) -> Inspection? {
        let key = code.key(by: secrets)
        let moment = now()
        return { (records) throws(ActionError) in
            guard let (code, newer) = try records.codeAndNewer(key, at: moment), code.project == project.id else { return nil }
            func ended() throws(ActionError) -> EndedAction {
                // The newer link of a later wish went to another address.
                let newer = code.isSuperseded ? nil : newer
                return EndedAction(.own(code, account: try records.account(of: code), secondFactor: nil), in: project, newerSince: newer)
            }
            switch code.state(at: moment) {
            case .used: return .used(try ended())
            case .withdrawn: return .withdrawn(try ended())
            case .expired: return .expired(try ended())
            case .live:
                let account = try code.action.readsAccount ? records.account(of: code) : nil
                let findings = try account.map { (account) throws(ActionError) in try records.findings(on: code, of: account, in: project) }
                let factor = try records.secondFactor(of: code)
                // A factor that the account no longer has cannot be removed by its undo link. The
                // undo links of a disabled account wait until it is enabled.
                guard factor != nil || code.secondFactor == nil, account?.disabled != true || !code.action.isUndo else {
                    return .withdrawn(try ended())
                }
                return .live(
                    PendingAction(
                        code, in: project, account: account, findings: findings ?? CodeFindings(), secondFactor: factor,
                        newerSince: newer))
            }
        }
    }

    func press(_ link: ActionLink, _ press: Press, in project: Project) async throws(ActionError) -> PressResult {
        guard case .immediate(let effect) = link.action.effectSource(press.choice) else {
            return try await inspect(link, pressedBy: press, in: project)
        }
        let key = link.code.key(by: secrets)
        @Sendable func number(of code: StoredCode) -> String { link.code.confirmationNumber(by: secrets, of: code) }
        let moment = now()
        let pressed: Pressed
        do throws(ActionError) {
            pressed = try await store.transaction { (records) throws(ActionError) in
                var challenge: PressChallenge?
                let code = try records.spend(key, of: link.action, in: project.id, at: moment) { code throws(ActionError) in
                    // First, so that the number is not asked for twice.
                    challenge = try records.challenge(press, acceptingWaysBy: code, markedBy: self.secrets, in: project, at: moment)
                    if challenge == nil { challenge = try records.challenge(press, of: code, numbered: number, in: project, at: moment) }
                    return challenge == nil
                }
                guard let code else { return .unspent(challenge) }
                let pending = PendingAction(code, in: project, account: nil, secondFactor: nil, newerSince: nil)
                let effect = try effect.apply(code, in: records, at: moment)
                return .spent(Outcome(pending, of: code, after: effect, choice: press.choice), effect)
            }
        } catch {
            // An ended code can be reported even if the database is read-only.
            guard case .unavailable(let down) = error, down.commitState == .notCommitted,
                let inspection = try? await inspect(link, in: project), !inspection.isLive
            else { throw error }
            return .inspected(inspection)
        }
        switch pressed {
        case .unspent(let challenge): return result(of: try await inspect(link, in: project), challenge)
        case .spent(let outcome, let effect):
            observe(effect)
            return .applied(outcome)
        }
    }

    /// The result of the transaction of a press.
    private enum Pressed {
        case unspent(PressChallenge?)
        case spent(Outcome, AppliedEffect)
    }

    /// Inspects the code of an action that is prepared before it is applied. A transaction runs
    /// only if the press is doubtful.
    private func inspect(_ link: ActionLink, pressedBy press: Press, in project: Project) async throws(ActionError) -> PressResult {
        let inspection = try await inspect(link, in: project)
        let moment = now()
        guard case .live(let pending) = inspection, pending.action == link.action else { return .inspected(inspection) }
        if let challenge = pending.waysIn.flatMap({ press.challenge(accepting: $0, markedBy: secrets) }) {
            return result(of: inspection, challenge)
        }
        guard press.automationSign(of: link.action, try pending.stored().code, in: project, at: moment) != nil else {
            return .inspected(inspection)
        }
        let key = link.code.key(by: secrets)
        @Sendable func number(of code: StoredCode) -> String { link.code.confirmationNumber(by: secrets, of: code) }
        let (isLive, challenge) = try await store.transaction { (records) throws(ActionError) -> (Bool, PressChallenge?) in
            guard let code = try records.code(key), code.state(at: moment) == .live else { return (false, nil) }
            return (true, try records.challenge(press, of: code, numbered: number, in: project, at: moment))
        }
        guard isLive else { return .inspected(try await inspect(link, in: project)) }
        return challenge == nil ? .inspected(inspection) : result(of: try await inspect(link, in: project), challenge)
    }

    /// - Parameter inspection: the code after the press: the last wrong number withdraws it.
    private func result(of inspection: Inspection, _ challenge: PressChallenge?) -> PressResult {
        guard let challenge, case .live(let pending) = inspection else { return .inspected(inspection) }
        return .challenged(pending, challenge.question, challenge.sign)
    }

    func redeem(_ pending: PendingAction, with input: RedeemInput, from client: Client) async throws(ActionError) -> Outcome {
        let effect = try await effect(of: pending, with: input, from: client)
        let (code, project) = (try pending.stored().code, pending.project)
        let moment = now()
        let (outcome, applied) = try await store.transaction { (records) throws(ActionError) in
            let code = try records.spend(code, at: moment)
            if case .press(nil) = input, let seen = pending.waysIn { try records.require(seen, by: code, in: project) }
            let applied = try effect.apply(code, in: records, at: moment)
            return (Outcome(pending, of: code, after: applied, choice: input.choice), applied)
        }
        observe(applied)
        return outcome
    }

    private func effect(
        of pending: PendingAction, with input: RedeemInput, from client: Client
    ) async throws(ActionError) -> any Effect {
        let (code, account, secondFactor) = try pending.stored()
        switch pending.action.effectSource(input.choice) {
        case .immediate(let effect): return effect
        case .prepared(let effect):
            guard let account else { throw .refused(.invalidOobCode) }
            return try await effect.init(
                EffectContext(
                    pending: pending, code: code, account: account, findings: pending.findings, secondFactor: secondFactor, input: input,
                    client: client, passwords: passwords, drafts: drafts))
        case .app, nil: throw .refused(.invalidOobCode)
        }
    }

    /// Looks at a code again whose request has waited, so that no password is hashed in vain (V5).
    func requireLive(_ pending: PendingAction) async throws(ActionError) {
        let (key, moment) = (try pending.stored().code.key, now())
        let state = try await store.read { (records) throws(ActionError) in try records.code(key)?.state(at: moment) }
        switch state {
        case .live: return
        case .expired: throw .refused(.expiredOobCode)
        case .used, .withdrawn, nil: throw .refused(.invalidOobCode)
        }
    }

    /// Reports the codes that a committed effect mailed.
    private func observe(_ effect: AppliedEffect) {
        for issued in effect.issued { drafts.observe(issued) }
    }
}

extension Records {
    /// The question about the ways to sign in that a press of a live code accepts; nil if there is
    /// none to ask.
    fileprivate func challenge(
        _ press: Press, acceptingWaysBy code: StoredCode, markedBy secrets: Secrets, in project: Project, at now: Timestamp
    ) throws(ActionError) -> PressChallenge? {
        guard code.action == .verifyEmail, code.state(at: now) == .live, let account = try account(of: code) else { return nil }
        return press.challenge(accepting: try waysIn(to: account, in: project), markedBy: secrets)
    }

    /// Refuses a press for a moment if the ways in that it accepts have just changed.
    fileprivate func require(_ seen: WaysIn, by code: StoredCode, in project: Project) throws(ActionError) {
        guard let account = try account(of: code), try waysIn(to: account, in: project) != seen else { return }
        throw .tooSoon(retryAfter: .seconds(1))
    }

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
    fileprivate init(_ done: PendingAction, of code: StoredCode, after effect: AppliedEffect, choice: ActionChoice?) {
        self.init(
            done, account: effect.newAccount ?? code.account, email: effect.email?.value, choice: choice,
            passwordReset: effect.passwordReset)
    }
}
