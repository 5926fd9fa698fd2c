import Accounts
import Base
import Store
import World
@testable import Accounts

extension Simulation {
    private var users: [AccountID] { ["ada", "ben", "cleo"].map { AccountID(rawValue: $0) } }

    private func address(of id: AccountID) -> EmailAddress { EmailAddress("\(id.rawValue)@app.example")! }

    /// Does one thing, and returns its name with the answer.
    func operate() async throws -> String {
        let user = users[generator.next(below: users.count)]
        guard possible[user] != nil else { return try await signUp(user) }
        switch generator.next(below: 10) {
        case 0: return try await send(.verifyEmail, to: user)
        case 1, 2: return try await send(.resetPassword, to: user)
        case 3, 4, 5, 6: return try await press()
        case 7: return try await changeByAdmin(user)
        case 8: return try await signIn(user)
        default:
            world.clock.advance(by: .seconds(60 * (1 + generator.next(below: 40))))
            return "wait"
        }
    }

    /// Every attempt to change an account sets a name or password that no other attempt sets, which
    /// shows later whether it happened.
    private func change(
        _ user: AccountID, _ name: String, _ effect: (AccountState) -> AccountState, by operation: () async throws -> Void
    ) async throws -> String {
        let answer = try await attempt(operation)
        let before = possible[user] ?? []
        switch answer {
        case .done: possible[user] = Set(before.map(effect))
        case .unknown: possible[user] = before.union(before.map(effect))
        case .refused, .notDone: break
        }
        return "\(name) \(user): \(answer.rawValue)"
    }

    private func signUp(_ user: AccountID) async throws -> String {
        var new = NewAccount(project: world.project.id)
        (new.id, new.email, new.isByAdmin) = (user, address(of: user), true)
        let answer = try await attempt { _ = try await world.accounts.signUp(byAdmin: new, in: world.project) }
        if answer == .done { possible[user] = [AccountState()] }
        if answer == .unknown { unknownSignUps.insert(user) }
        return "sign up \(user): \(answer.rawValue)"
    }

    private func send(_ action: Action, to user: AccountID) async throws -> String {
        let request = CodeRequest(action, for: .address(address(of: user)), with: ApprovedSettings(in: world.project))
        var issued: IssuedCode?
        let answer = try await attempt { issued = try await world.accounts.send(request) }
        if answer == .done, let code = issued?.code {
            codes.append((code, action, user))
            promised.append(code)
        }
        return "send \(action.rawValue) to \(user): \(answer.rawValue)"
    }

    /// Presses a link, most often the newest, also one that was pressed before.
    private func press() async throws -> String {
        guard !codes.isEmpty else { return "press nothing" }
        let number = max(0, codes.count - 1 - generator.next(below: 3))
        let (code, action, user) = codes[number]
        let password = "a long phrase, number \(log.count)"
        if action == .resetPassword { resets[password] = code }
        var answer = Told.refused
        let told = try await change(user, "press \(number) \(action.rawValue) of") { state in
            var state = state
            state.isVerified = true
            if action == .resetPassword { state.password = password }
            return state
        } by: {
            answer = try await attempt {
                let pending = try await world.accounts.inspect(code, in: world.project).pending()
                let input: RedeemInput = action == .resetPassword ? .newPassword(password) : .call()
                _ = try await world.accounts.redeem(pending, with: input)
            }
            if answer != .done { throw ActionError.told(answer) }
        }
        guard answer == .done else { return told }
        uses[code, default: 0] += 1
        guard uses[code] == 1 else { throw broken("the code \(number) took effect twice") }
        if action == .resetPassword { endSessions(of: user) }
        return told
    }

    private func changeByAdmin(_ user: AccountID) async throws -> String {
        let name = "Name \(log.count)"
        return try await change(user, "name") { state in
            var state = state
            state.name = name
            return state
        } by: {
            guard let account = try await world.stored(user) else { throw ActionError.refused(.userNotFound) }
            var change = AccountChange()
            change.displayName = .set(name)
            _ = try await world.accounts.update(account, with: change, byAdmin: true, in: world.project)
        }
    }

    private func signIn(_ user: AccountID) async throws -> String {
        let answer = try await attempt {
            guard let account = try await world.stored(user) else { throw ActionError.refused(.userNotFound) }
            let token = try await world.accounts.openSession(for: account, by: .custom, in: world.project).idToken
            sessions[user, default: []].append(token)
        }
        return "sign in \(user): \(answer.rawValue)"
    }

    private func endSessions(of user: AccountID) {
        ended += sessions.removeValue(forKey: user) ?? []
        // A change counts for the sessions of earlier seconds.
        world.clock.advance(by: .seconds(1))
    }

    // MARK: What must be true

    /// I1: of one code there is one effect. I2: what was acknowledged is there, and what was done
    /// without an answer is there as a whole. I4: no session outlives what ended it.
    func check() async throws {
        for user in unknownSignUps where try await world.stored(user) != nil { possible[user] = [AccountState()] }
        unknownSignUps = []
        for (user, states) in possible {
            guard let account = try await world.stored(user) else { throw broken("\(user) is lost") }
            var found: AccountState?
            for state in states where state.isVerified == account.emailVerified && state.name == account.displayName {
                if try await has(account, state.password) { found = state }
            }
            guard let found else {
                throw broken("\(user) is none of \(states): \(account.emailVerified), \(account.displayName ?? "no name")")
            }
            possible[user] = [found]
            guard let password = found.password, let code = resets[password] else { continue }
            effects[code, default: []].insert(password)
            guard effects[code]?.count == 1 else { throw broken("a code of \(user) took effect twice") }
        }
        for token in ended.suffix(4) {
            if (try? await world.accounts.account(behind: token, in: world.project.id)) != nil { throw broken("an ended session works") }
        }
    }

    /// I3: every promised mail is in the queue.
    func checkMails() async throws {
        let links = try await world.mails().compactMap(\.link).joined(separator: " ")
        for code in promised where !links.contains(code.text) { throw broken("a promised mail is lost") }
    }

    private func has(_ account: Account, _ password: String?) async throws -> Bool {
        guard let password, let hash = account.passwordHash else { return password == nil && account.passwordHash == nil }
        if let known = hashes[password] { return known == hash }
        guard try await world.passwords.verify(password, against: hash) else { return false }
        hashes[password] = hash
        return true
    }
}

extension ActionError {
    /// An error that has this answer again.
    fileprivate static func told(_ answer: Simulation.Told) -> ActionError {
        answer == .refused
            ? .refused(.invalidOobCode)
            : .unavailable(Unavailable(.store, cause: "told", commitState: answer == .notDone ? .notCommitted : .unknown))
    }
}
