internal import Accounts

/// Onward's own store as the authority for codes. A class, so that whoever is handed one copies nothing.
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
            let isLive = code.end == nil && !code.isExpired(at: moment)
            guard isLive else {
                let ended = EndedAction(.own(code, account: nil, secondFactor: nil), in: project, newerSince: newer)
                return switch code.end {
                case .used: .used(ended)
                case .withdrawn: .withdrawn(ended)
                case nil: .expired(ended)
                }
            }
            let account: Account? =
                switch code.action {
                case .verifyEmail, .signIn: nil
                case .resetPassword, .verifyAndChangeEmail, .recoverEmail, .revertSecondFactorAddition:
                    try code.account.flatMap { (id) throws(ActionError) in try records.account(id, in: project.id) }
                }
            let factor = try code.secondFactor.flatMap { (id) throws(ActionError) in
                try code.account.flatMap { (account) throws(ActionError) in
                    try records.secondFactors(of: account, in: project.id).first { $0.id == id }
                }
            }
            return .live(PendingAction(code, in: project, account: account, secondFactor: factor, newerSince: newer))
        }
    }

    func press(_ link: ActionLink, in project: Project) async throws(ActionError) -> Pressing {
        guard link.action == .verifyEmail else { return .looked(try await inspect(link, in: project)) }
        let key = link.code.key(by: secrets)
        let moment = now()
        let outcome: Outcome?
        do throws(ActionError) {
            outcome = try await store.transaction { (records: any ActionRecords) throws(ActionError) in
                guard let code = try records.spend(key, of: .verifyEmail, in: project.id, at: moment) else { return nil }
                let pending = PendingAction(code, in: project, account: nil, secondFactor: nil, newerSince: nil)
                return Outcome(pending, of: code, email: try VerifyEmail().carryOut(by: code, in: records, at: moment))
            }
        } catch {
            // What is over can be told where nothing can be written.
            guard case .unavailable = error, let inspection = try? await inspect(link, in: project), !inspection.isLive else { throw error }
            return .looked(inspection)
        }
        if let outcome { return .done(outcome) }
        return .looked(try await inspect(link, in: project))
    }

    func redeem(_ pending: PendingAction, with input: RedeemInput) async throws(ActionError) -> Outcome {
        let effect = try await effect(of: pending, with: input)
        let code = try pending.stored().code
        let moment = now()
        let outcome = try await store.transaction { (records: any ActionRecords) throws(ActionError) in
            let code = try records.spend(code, at: moment)
            return Outcome(pending, of: code, email: try effect.carryOut(by: code, in: records, at: moment))
        }
        if let change = effect as? ChangeEmail { drafts.observe(change.oldAddressNotice.undo.issued) }
        return outcome
    }

    private func effect(of pending: PendingAction, with input: RedeemInput) async throws(ActionError) -> any Effect {
        let (code, account, secondFactor) = try pending.stored()
        if pending.action == .verifyEmail { return VerifyEmail() }
        guard let account else { throw .refused(.invalidOobCode) }
        let project = pending.project
        switch pending.action {
        case .resetPassword:
            guard project.signIn.password else { throw .refused(.passwordLoginDisabled) }
            guard case .newPassword(let password) = input else { throw .refused(.missingPassword) }
            try project.passwordPolicy.check(password, words: pending.words)
            return ResetPassword(
                hash: try await passwords.hash(password),
                notice: try drafts.notice(.passwordChanged, to: code.email, for: account, in: project))
        case .verifyAndChangeEmail:
            return ChangeEmail(
                oldAddressNotice: try drafts.oldAddressNotice(to: code.email, changingTo: code.newEmail, for: account, in: project))
        case .recoverEmail:
            let other = account.email.flatMap { $0 == code.email ? nil : $0 }
            return RecoverEmail(
                noticeToOther: try other.map { (other) throws(ActionError) in
                    try drafts.notice(.emailRestored, to: other, otherEmail: code.email, for: account, in: project)
                })
        case .revertSecondFactorAddition:
            guard let factor = secondFactor else { throw .refused(.invalidOobCode) }
            return RevertSecondFactorAddition(
                secondFactor: factor,
                notice: try drafts.notice(
                    .secondFactorRemoved, to: account.email ?? code.email, secondFactor: factor.displayName ?? factor.phoneNumber,
                    for: account, in: project))
        case .verifyEmail, .signIn:
            throw .refused(.invalidOobCode)
        }
    }
}

extension Outcome {
    fileprivate init(_ done: PendingAction, of code: StoredCode, email: EmailAddress?) {
        self.init(done, account: code.account, email: email?.value)
    }
}
