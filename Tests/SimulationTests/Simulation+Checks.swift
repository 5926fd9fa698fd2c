import Accounts
import Base
import Store
import World

/// Checks of everything that must be true.
extension Simulation {
    /// Takes note of what callers were told.
    func learn(_ batch: [Call], _ answers: [(told: Told, gain: Gain)], hadAccident: Bool) throws {
        let (expected, isAlone) = (mustWork, batch.count == 1 && !hadAccident)
        if batch.count == 1, let user = batch[0].account, let number = batch[0].applies, codes[number].action == .verifyAndChangeEmail,
            answers[0].told == .done, let before = possible[user]?.first, before.isVerified
        {
            leftAddress = (user, before.email)
        }
        let ends = Set(
            zip(batch, answers).compactMap { $1.told != .refused && ($0.applies != nil || $0.ending != .nothing) ? $0.account : nil })
        mustWork = nil
        for (call, answer) in zip(batch, answers) {
            if answer.told == .done { done[String(call.name.prefix { $0 != " " }), default: 0] += 1 }
            if isAlone, let expected, call.use == expected, answer.told != .done, isDue(expected) {
                throw broken("a new code does not work")
            }
            if let password = call.password { passwords[password] = call.applies }
            if let user = call.account, possible[user] == nil { try learn(answer.told, ofSignUp: user) }
            if answer.told == .done, let number = call.applies { try learnUse(of: number, by: call) }
            if answer.told == .done, let number = call.texted { try learnUse(ofText: number) }
            if batch.count == 1, answer.told == .unknown, let number = call.applies, let user = call.account, let change = call.change,
                let before = possible[user]?.first
            {
                unsure = (number, call.ending, { found in found != before && change(before).contains(found) })
            }
        }
        try checkRivals(zip(batch, answers).compactMap { $1.told == .done ? $0.applies.map { codes[$0] } : nil })
        for (call, answer) in zip(batch, answers) where answer.told == .done {
            if let user = call.account, endsAll(call, of: user, isAlone: batch.count == 1) { endAll(of: user) }
            if let number = call.applies, codes[number].action == .signIn { endLinks(like: codes[number]) }
            if batch.count == 1, let user = call.account, let name = call.enrolls { newFactor = (user, name) }
        }
        for (call, answer) in zip(batch, answers) {
            guard let user = call.account else { continue }
            try learn(answer.gain, of: user, isAlone: isAlone, mayHaveEnded: batch.count > 1 && ends.contains(user))
        }
        for user in Set(batch.compactMap(\.account)) {
            let changes = zip(batch, answers).compactMap { call, answer in
                call.account == user ? call.change.map { (change: $0, told: answer.told) } : nil
            }
            try learn(changes, of: user)
        }
    }

    private func endsAll(_ call: Call, of user: AccountID, isAlone: Bool) -> Bool {
        call.ending == .all || call.ending == .allIfUnverified && isAlone && possible[user]?.first?.isVerified == false
    }

    /// Takes note of what a user has now.
    private func learn(_ gain: Gain, of user: AccountID, isAlone: Bool, mayHaveEnded: Bool) throws {
        switch gain {
        case .nothing, .upstream: break
        case .code(let issued):
            codes.append(
                Code(
                    code: issued.code, action: issued.action, account: user, recipient: (issued.newEmail ?? issued.email).value,
                    expiresAt: issued.expiresAt, sentIn: calls, after: callsBefore, madeAfter: stepStart))
            promised.insert(issued.code)
            if isAlone { mustWork = .code(codes.count - 1) }
        case .text(let issued):
            texts.append(Text(account: user, issued: issued))
            if isAlone, possible[user]?.allSatisfy(\.factors.isEmpty) == true { mustWork = .text(texts.count - 1) }
        case .session(let session):
            if let proof = session.proof { try learn(proof: proof) }
            if session.proof == nil, callsBefore == calls - 1, possible[user]?.contains(where: \.factors.isEmpty) == false {
                throw broken("one factor was enough for \(user)")
            }
            guard !mayHaveEnded else { return }
            sessions[user, default: []].append((session.token, stepStart))
            newSession = session.token
        case .enrolled(let new): for proof in new { try learn(proof: proof) }
        case .destination(let destination):
            // Nothing leads to a page that is not authorised now.
            if case .web(let page) = destination {
                let allowed = ["https://app.example/"] + (isExactAllowed ? ["https://exact.example/"] : [])
                guard allowed.contains(where: page.serialized.hasPrefix) else {
                    throw broken("\(page) follows, which is not authorised")
                }
            }
        }
    }

    /// Whether a code that is used now has not expired.
    private func isDue(_ use: Use) -> Bool {
        switch use {
        case .code(let number): codes[number].expiresAt.map { world.now() < $0 } == true
        case .text(let number): world.now() < texts[number].issued.expiresAt
        }
    }

    private func learn(proof: String) throws {
        guard proofs.insert(proof).inserted else { throw broken("\(proof) proved a second factor twice") }
        done["proof", default: 0] += 1
    }

    /// Links that end each other have not both taken effect.
    private func checkRivals(_ used: [Code]) throws {
        for (number, code) in used.enumerated() {
            let rivals = used[(number + 1)...].filter { other in
                code.action == .signIn
                    ? other.action == .signIn && other.recipient == code.recipient
                    : other.account == code.account && code.endsOthers && other.endsOthers && !code.action.isUndo && !other.action.isUndo
            }
            guard rivals.isEmpty else { throw broken("\(code.action.rawValue) and \(rivals[0].action.rawValue) took effect") }
        }
    }

    private func learn(_ told: Told, ofSignUp user: AccountID) throws {
        switch told {
        case .done:
            possible[user] = [AccountState(email: "\(user)@app.example")]
            unknownSignUps.remove(user)
        case .unknown: unknownSignUps.insert(user)
        case .refused, .notDone: break
        }
    }

    /// I1: of one code there is one effect, while it is live.
    private func learnUse(of number: Int, by call: Call) throws {
        let code = codes[number]
        codes[number].uses += 1
        guard code.uses == 0 else { throw broken("the code \(number) took effect twice") }
        guard !code.hasEnded else { throw broken("the code \(number) has ended and took effect") }
        if let end = code.expiresAt, end <= stepStart { throw broken("the code \(number) has expired and took effect") }
        if let password = call.password { try learnEffect(password, of: number) }
    }

    /// I1, for the code of a text message.
    private func learnUse(ofText number: Int) throws {
        texts[number].uses += 1
        let text = texts[number]
        guard text.uses == 1 else { throw broken("the text message \(number) took effect twice") }
        guard !text.hasEnded else { throw broken("the text message \(number) has ended and took effect") }
        guard stepStart < text.issued.expiresAt else { throw broken("the text message \(number) has expired and took effect") }
    }

    /// I4: every session and link of an account has ended, but undo links.
    private func endAll(of user: AccountID) {
        end((sessions.removeValue(forKey: user) ?? []).map(\.token))
        // A link that was sent while this one was applied may be newer.
        for other in codes.indices where codes[other].account == user && !codes[other].action.isUndo {
            if codes[other].sentIn < calls, codes[other].uses == 0 { codes[other].hasEnded = true }
        }
    }

    /// A sign-in by a link ends the others.
    private func endLinks(like code: Code) {
        for other in codes.indices where codes[other].action == .signIn && codes[other].recipient == code.recipient {
            if codes[other].sentIn < calls, codes[other].uses == 0 { codes[other].hasEnded = true }
        }
    }

    /// Takes note of sessions that have ended.
    func end(_ tokens: [String]) {
        ended += tokens
        newlyEnded += tokens.count
    }

    private func learnEffect(_ password: String, of number: Int) throws {
        if codes[number].effects.insert(password).inserted { resets[codes[number].account, default: 0] += 1 }
        guard codes[number].effects.count == 1 else { throw broken("the code \(number) took effect twice") }
    }

    /// Computes the states that an account may have after changes in any order. A change without an
    /// answer may have happened or not.
    private func learn(_ changes: [(change: @Sendable (AccountState) -> [AccountState], told: Told)], of user: AccountID) throws {
        let changes = changes.filter { [.done, .unknown].contains($0.told) }
        guard !changes.isEmpty, let before = possible[user] else { return }
        var after: Set<AccountState> = []
        func go(_ state: AccountState, _ left: [Int]) {
            if !left.contains(where: { changes[$0].told == .done }) { after.insert(state) }
            for number in left {
                for next in changes[number].change(state) { go(next, left.filter { $0 != number }) }
            }
        }
        for state in before { go(state, Array(changes.indices)) }
        guard !after.isEmpty else { throw broken("what was done to \(user) cannot have been done") }
        possible[user] = after
    }

    /// I2: what was acknowledged is there, and what was done without an answer is there as a whole.
    /// I4: no session outlives what ended it. I6: what an admin did has an audit record.
    func check() async throws {
        for user in unknownSignUps where possible[user] == nil {
            if try await world.stored(user) != nil { possible[user] = [AccountState(email: "\(user)@app.example")] }
        }
        unknownSignUps = []
        for (user, states) in possible.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let (account, factors, isLinked) = try await world.ways(of: user) else { throw broken("\(user) is lost") }
            guard let found = try await state(of: account, factors, isLinked, among: states) else {
                throw broken("\(user) is none of \(states), but \(account) with \(factors), \(isLinked ? "" : "not ")linked")
            }
            possible[user] = [found]
            if let (number, ending, hasHappened) = unsure, codes[number].account == user, hasHappened(found) {
                guard codes[number].uses == 0 else { throw broken("the code \(number) took effect twice") }
                codes[number].uses = 1
                if ending == .all { endAll(of: user) }
            }
            if let number = passwords[found.password ?? ""] { try learnEffect(found.password ?? "", of: number) }
            if let name = found.name, !audited.contains(name) {
                audited.formUnion(try await world.store.audit(after: 0, limit: .max).map(\.record.method))
                guard audited.contains(name) else { throw broken("\(name) was set without an audit record") }
            }
        }
        // Those that have just ended, and an older one.
        let old = ended.count > newlyEnded ? [ended[generator.next(below: ended.count - newlyEnded)]] : []
        unsure = nil
        for token in ended.suffix(newlyEnded) + old where try await isOpen(token) { throw broken("an ended session works") }
        newlyEnded = 0
        if let newSession, try await !isOpen(newSession) { throw broken("a new session does not work") }
        newSession = nil
        try await checkMails()
        if let (user, email) = leftAddress,
            !codes.contains(where: { $0.account == user && $0.action == .recoverEmail && $0.recipient == email })
        {
            throw broken("the address that \(user) left got no undo link")
        }
        leftAddress = nil
        if let (user, name) = newFactor, !codes.contains(where: { $0.account == user && $0.factor == name }) {
            throw broken("the factor that \(user) enrolled got no undo link")
        }
        newFactor = nil
        if generator.next(below: 4) == 0 { try await checkEvents() }
    }

    private func state(
        of account: Account, _ factors: Set<String>, _ isLinked: Bool, among states: Set<AccountState>
    ) async throws -> AccountState? {
        for state in states
        where state.email == account.email?.value && state.isVerified == account.emailVerified && state.name == account.displayName
            && state.phone?.name == account.phoneNumber?.value && Set(state.factors.map(\.name)) == factors && state.isLinked == isLinked
        {
            if try await has(account, state.password) { return state }
        }
        return nil
    }

    private func has(_ account: Account, _ password: String?) async throws -> Bool {
        guard let password, let hash = account.passwordHash else { return password == nil && account.passwordHash == nil }
        if let known = hashes[password] { return known == hash }
        guard try await world.passwords.verify(password, against: hash) else { return false }
        hashes[password] = hash
        return true
    }

    private func isOpen(_ token: String) async throws -> Bool {
        do throws(ActionError) {
            _ = try await world.accounts.account(behind: token, in: world.project.id)
            return true
        } catch {
            guard case .refused = error else { throw error }
            return false
        }
    }

    /// Takes note of the mails of the last step.
    func learnMails() async throws {
        // A step sends no more.
        for mail in try await world.store.mails(limit: 12) {
            guard let action = mail.kind.action, let account = mail.account else { continue }
            let letter = try world.outbox.open(mail)
            let text = letter.link?.split(separator: "oobCode=").last
            guard let code = text.flatMap({ OobCode(String($0.prefix(43))) }) else { throw broken("a mail has no link") }
            guard mails.updateValue(mail.id, forKey: code) == nil, !promised.contains(code) else { continue }
            codes.append(
                Code(
                    code: code, action: action, account: account, recipient: mail.recipient.value, sentIn: calls, after: callsBefore,
                    madeAfter: stepStart,
                    factor: letter.secondFactor))
            promised.insert(code)
        }
    }

    /// I3: every promised mail waits, was taken by a relay, is parked with a reason, or its link is
    /// over.
    private func checkMails() async throws {
        latest = max(latest, world.now())
        try await learnMails()
        for code in promised {
            guard let id = mails[code], let mail = try await world.store.mailRecord(id, at: latest) else {
                throw broken("a promised mail is lost")
            }
            guard let end = mail.end else { continue }
            let isTrue =
                switch end {
                case .sent: relay.timesTaken(id) > 0
                case .parked: mail.answer?.isEmpty == false
                case .expired: mail.code != .live
                case .dropped: false
                }
            guard isTrue else { throw broken("a mail is \(end), which is not true: \(mail)") }
            promised.remove(code)
        }
        for (code, id) in mails where relay.timesTaken(id) > 1 && !mayRepeat.contains(code) && !relay.hasLostAnswer(to: id) {
            throw broken("a mail was sent twice")
        }
    }

    /// The endpoint was told or will be told each reset, in the order of an account's events.
    func checkEvents() async throws {
        let found = try await resetEvents()
        for user in possible.keys where found[user, default: 0] != resets[user, default: 0] {
            throw broken("\(user) has \(resets[user, default: 0]) resets and \(found[user, default: 0]) events")
        }
        guard !endpoint.isOutOfOrder else { throw broken("events are told out of order") }
    }

    /// The number of events of resets of each account.
    func resetEvents() async throws -> [AccountID: Int] {
        let waiting = try await world.store.events(parked: nil, in: nil, limit: 10_000).map(\.event)
        let all = Dictionary((waiting + endpoint.taken).map { ($0.id, $0) }) { first, _ in first }
        let ofResets = all.values.filter { $0.kind == .passwordReset || $0.alsoKinds.contains(.passwordReset) }
        return ofResets.reduce(into: [:]) { counts, event in if let account = event.account { counts[account, default: 0] += 1 } }
    }

    /// Once the endpoint is well, it is told of every event that was not given up. One that was
    /// written while the clock was ahead is due when that time comes.
    func endEvents() async throws {
        endpoint.recover()
        for _ in 0..<60 {
            world.clock.advance(by: .hours(1))
            try await world.tellEvents(from: world.store, inTurn: {}, to: endpoint)
            if try await world.store.events(parked: false, in: nil, limit: 1).isEmpty { return try await checkEvents() }
        }
        throw broken("events wait for ever")
    }

    /// I3: once the relay is well, every mail ends.
    func endMails() async throws {
        relay.recover()
        for _ in 0..<40 where !promised.isEmpty {
            world.clock.advance(by: .minutes(10))
            await world.deliver(from: world.store, by: relay, confirmed: clock.confirmed)
            try await checkMails()
        }
        guard let code = promised.first else { return }
        let mail = if let id = mails[code] { try await world.store.mailRecord(id, at: world.now()) } else { MailRecord?.none }
        throw broken("a mail waits for ever: \(mail.map { "\($0)" } ?? "none")")
    }
}

extension World {
    /// An account with the names of its second factors, and whether a provider is linked.
    fileprivate func ways(of user: AccountID) async throws -> (account: Account, factors: Set<String>, isLinked: Bool)? {
        let project = project.id
        return try await store.read { (records) throws(ActionError) in
            guard let account = try records.account(user, in: project) else { return nil }
            let factors = try records.secondFactors(of: user, in: project).compactMap(\.displayName)
            return (account, Set(factors), try !records.linkedProviders(of: user, in: project).isEmpty)
        }
    }
}
