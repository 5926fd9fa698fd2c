import Base
import Store
import World

@testable import Accounts

extension Simulation {
    /// Decides a call of a user, an admin or the deliverer of mails.
    func call() -> Call {
        let user = AccountID(rawValue: ["ada", "ben", "cleo"][generator.next(below: 3)])
        guard let email = possible[user]?.first?.email else { return signUp(user) }
        switch generator.next(below: 25) {
        case 0: return send(.verifyEmail, to: user, at: email)
        case 1, 2: return send(.resetPassword, to: user, at: email)
        case 3: return send(.verifyAndChangeEmail, to: user, at: email)
        case 4: return send(.signIn, to: user, at: email)
        case 5, 6, 7, 8, 9, 10, 11: return codes.isEmpty ? deliverMails() : press()
        case 12, 13: return nameByAdmin(user)
        case 14, 15: return signIn(user)
        case 19: return possible[user]?.first?.phone == nil ? linkPhone(user) : text(user)
        case 20: return linkPhone(user)
        case 21, 22: return texts.isEmpty ? text(user) : signInByPhone()
        case 23: return signInByProvider(user)
        case 24: return linkProvider(user)
        case 16: return enroll(user)
        case 17: return tellEvents()
        case 18: return pressUpstream()
        default: return deliverMails()
        }
    }

    /// A number that no other call has, so that a name, password or address that a call sets shows
    /// later whether it happened.
    func nextNumber() -> Int {
        numbers += 1
        return numbers
    }

    private func signUp(_ user: AccountID) -> Call {
        var new = NewAccount(project: world.project.id)
        (new.id, new.email, new.isByAdmin) = (user, EmailAddress("\(user.rawValue)@app.example"), true)
        let (account, project) = (new, world.project)
        return Call(name: "sign up \(user)", account: user) { (accounts, _) throws(ActionError) in
            _ = try await accounts.signUp(byAdmin: account, in: project)
            return .nothing
        }
    }

    private func send(_ action: Action, to user: AccountID, at email: String) -> Call {
        let (project, host) = (world.project, ["app.example", "exact.example", "evil.example"][generator.next(below: 3)])
        let newEmail = action.setsNewAddress ? EmailAddress("\(user.rawValue)-\(nextNumber())@app.example") : nil
        return Call(name: "send \(action.rawValue) to \(user)", account: user) { (accounts, store) throws(ActionError) in
            var settings = ActionCodeSettings()
            settings.url = "https://\(host)/after"
            let approved = try ApprovedSettings(settings, in: project)
            guard let address = EmailAddress(email),
                let account = try await store.read({ (records) throws(ActionError) in try records.account(user, in: project.id) })
            else { throw .refused(.userNotFound) }
            var request = CodeRequest(action, for: action.setsNewAddress ? .account(account) : .address(address), with: approved)
            request.newEmail = newEmail
            guard let issued = try await accounts.send(request) else { throw .refused(.emailNotFound) }
            return .code(issued)
        }
    }

    /// Presses a link, most often the newest, also one that was pressed before.
    private func press() -> Call {
        var number = max(0, codes.count - 1 - generator.next(below: 4))
        if case .code(let new) = mustWork, generator.next(below: 2) == 0 { number = new }
        let (code, project) = (codes[number], world.project)
        var call = Call(name: "press \(number) \(code.action.rawValue) of \(code.account)", account: code.account) {
            (accounts, _) throws(ActionError) in
            let pending = try await accounts.inspect(code.code, in: project).pending()
            _ = try await accounts.redeem(pending, with: .call())
            return .destination(pending.destination(link: ActionLink(action: code.action, code: code.code, apiKey: "shop-key")))
        }
        call.applies = number
        call.ending = code.endsOthers ? .all : code.action == .signIn ? .allIfUnverified : .nothing
        let isForPresentAddress: @Sendable (AccountState) -> Bool = { $0.email == code.recipient }
        switch code.action {
        case .resetPassword:
            let password = "a long phrase, number \(nextNumber())"
            call.password = password
            call.run = { (accounts, _) throws(ActionError) in
                let pending = try await accounts.inspect(code.code, in: project).pending()
                _ = try await accounts.redeem(pending, with: .newPassword(password))
                return .destination(pending.destination(link: ActionLink(action: code.action, code: code.code, apiKey: "shop-key")))
            }
            call.change = { before in
                guard isForPresentAddress(before) else { return [] }
                return [before.ownerArrived().with { ($0.password, $0.isLinked) = (password, false) }]
            }
        case .signIn:
            call.run = { (accounts, _) throws(ActionError) in
                let pending = try await accounts.inspect(code.code, in: project).pending()
                let (_, result) = try await accounts.signIn(by: pending, as: EmailAddress(code.recipient), for: nil, from: .someone)
                return if case .signedIn(let tokens) = result { .session(Session(token: tokens.idToken, proof: nil)) } else { .nothing }
            }
            call.change = { isForPresentAddress($0) ? [$0.ownerArrived()] : [] }
        case .verifyAndChangeEmail: call.change = { [$0.with { ($0.email, $0.isVerified) = (code.recipient, true) }] }
        case .recoverEmail:
            let callsBeforeJump = callsBeforeJump
            call.change = { $0.undone(by: code, callsBeforeJump: callsBeforeJump) }
        case .revertSecondFactorAddition:
            call.change = { before in
                guard let factor = before.factors.first(where: { $0.name == code.factor }) else { return [] }
                return [before.with { $0.factors.remove(factor) }]
            }
        default: call.change = { isForPresentAddress($0) ? [$0.with { $0.isVerified = true }] : [] }
        }
        return call
    }

    /// An admin names an account. As in the server, an audit record goes first (O3).
    private func nameByAdmin(_ user: AccountID) -> Call {
        let (name, project, now) = ("Name \(nextNumber())", world.project, world.now)
        var call = Call(name: "name \(user)", account: user) { (accounts, store) throws(ActionError) in
            let audit = Audit(store: TurnedAudit(storage: store), lost: { _, _ in })
            let entry = try await audit.begin(AuditRecord(at: now(), actor: "simulation", method: name))
            return try await entry.run(code: { "\($0)" }, subjects: { _ in [] }) { () throws(ActionError) in
                guard let account = try await store.read({ (records) throws(ActionError) in try records.account(user, in: project.id) })
                else { throw .refused(.userNotFound) }
                var change = AccountChange()
                change.displayName = .set(name)
                _ = try await accounts.update(account, with: change, byAdmin: true, in: project)
                return .nothing
            }
        }
        call.change = { [$0.with { $0.name = name }] }
        return call
    }

    private func deliverMails() -> Call {
        let (world, relay, confirmed) = (world, relay, clock.confirmed)
        return Call(name: "deliver mails") { (_, store) throws(ActionError) in
            await world.deliver(from: store, by: relay, confirmed: confirmed)
            return .nothing
        }
    }
}

extension Simulation {
    private func tellEvents() -> Call {
        let (world, endpoint) = (world, endpoint)
        return Call(name: "tell events") { (_, store) throws(ActionError) in
            try await world.tellEvents(from: store.base, inTurn: store.wait, to: endpoint)
            return .nothing
        }
    }
}

extension Simulation.AccountState {
    /// This state with a change.
    func with(_ change: (inout Self) -> Void) -> Self {
        var state = self
        change(&state)
        return state
    }

    /// This state after the owner of the address came. What a stranger set up in advance has ended.
    func ownerArrived() -> Self {
        isVerified ? self : with { ($0.isVerified, $0.password, $0.phone, $0.isLinked) = (true, nil, nil, false) }
    }

    /// The states after an undo, which ends the password, the provider, and the phone and the
    /// factors that were added later. Those that were added at the same time may be of either kind,
    /// and so may all if the time went back between.
    fileprivate func undone(by code: Simulation.Code, callsBeforeJump: Int) -> [Self] {
        func isUnsure(_ addition: Simulation.Addition) -> Bool {
            addition.after == code.after || min(addition.after, code.after) < callsBeforeJump
        }
        let undone = with { state in
            (state.email, state.isVerified, state.password, state.isLinked) = (code.recipient, true, nil, false)
            state.factors = factors.filter { $0.after < code.after && !isUnsure($0) }
            state.phone = phone.flatMap { $0.after < code.after && !isUnsure($0) ? $0 : nil }
        }
        let states = factors.filter(isUnsure).reduce(into: [undone]) { states, factor in
            states += states.map { state in state.with { $0.factors.insert(factor) } }
        }
        guard let phone, isUnsure(phone) else { return states }
        return states + states.map { state in state.with { $0.phone = phone } }
    }
}

/// Audit records, written when it is the caller's turn.
private struct TurnedAudit: AuditStore {
    let storage: TurnedStorage

    func begin(_ record: AuditRecord) async throws(ActionError) -> Int {
        await storage.waitForTurn()
        return try await storage.base.begin(record)
    }

    func end(_ position: Int, as record: AuditRecord) async throws(ActionError) {
        await storage.waitForTurn()
        try await storage.base.end(position, as: record)
    }
}
