import Accounts
import Store
import Testing
import World

/// The contract of every code authority, local or upstream.
@Suite struct `A code authority` {
    /// C6: only a press of the button applies a code.
    @Test(arguments: AuthorityKind.allCases, Action.allCases)
    func `inspects without spending`(_ kind: AuthorityKind, _ action: Action) async throws {
        try await Installations.run(kind) { all in
            let link = try await all.issue(action)
            for _ in 1...3 {
                let pending = try await all.pending(link)
                #expect(pending.action == action)
                #expect(pending.email == (action == .signIn ? nil : "ada@app.example"))
                #expect((pending.factorName != nil) == (action == .revertSecondFactorAddition))
                if action == .verifyAndChangeEmail { #expect(pending.newEmail == "new@app.example") }
                if action == .recoverEmail { #expect(pending.newEmail == "intruder@app.example") }
            }
        }
    }

    @Test(arguments: AuthorityKind.allCases, Action.redeemable)
    func `applies a code and remembers it`(_ kind: AuthorityKind, _ action: Action) async throws {
        try await Installations.run(kind) { all in
            let link = try await all.issue(action)
            let before = try await all.ada()
            let outcome = try await all.redeem(link)
            let after = try await all.ada()
            #expect(outcome.done.action == action)
            #expect(outcome.email == after.email)
            #expect(outcome.account == nil || outcome.account == AccountID(rawValue: "ada"))
            switch action {
            case .resetPassword: #expect(after.password != before.password)
            case .verifyEmail: #expect(after.isVerified && !before.isVerified)
            case .verifyAndChangeEmail: #expect(after.email == "new@app.example")
            case .recoverEmail: #expect(after.email == "ada@app.example" && before.email != after.email)
            case .revertSecondFactorAddition: #expect(!after.hasFactor && before.hasFactor)
            case .signIn: break
            }
            #expect(try await all.state(link) == .used)
        }
    }

    /// C3: exactly one of any number of simultaneous attempts applies a code.
    @Test(arguments: AuthorityKind.allCases, Action.redeemable)
    func `applies one of many concurrent requests and reports the code as applied to the others`(_ kind: AuthorityKind, _ action: Action)
        async throws
    {
        try await Installations.run(kind) { all in
            let link = try await all.issue(action)
            let pending = try await all.pending(link)
            let refusals = await withTaskGroup { group in
                for number in 1...30 { group.addTask { await all.refusal(of: pending, "a quiet long phrase \(number)") } }
                return await group.reduce(into: [Refusal?]()) { $0.append($1) }
            }
            #expect(refusals.count { $0 == nil } == 1)
            #expect(refusals.count { $0 == .invalidOobCode } == 29)
            #expect(try await all.state(link) == .used)
        }
    }

    @Test(arguments: AuthorityKind.allCases)
    func `refuses an unknown code`(_ kind: AuthorityKind) async throws {
        try await Installations.run(kind) { all in
            let link = all.link(.verifyEmail, OobCode(random: all.back.random.bytes))
            let state = try await all.state(link)
            #expect(state == .unknown)
        }
    }

    /// C8: expiry is judged at the moment of use, and equality counts as expired.
    @Test(arguments: AuthorityKind.strict, Action.redeemable)
    func `reports when a code has expired`(_ kind: AuthorityKind, _ action: Action) async throws {
        try await Installations.run(kind) { all in
            let link = try await all.issue(action)
            let pending = try await all.pending(link)
            all.advance(by: all.back.project.lifetimes[action])
            #expect(try await all.state(link) == .expired)
            #expect(await all.refusal(of: pending) == .expiredOobCode)
            #expect(try await all.state(link) == .expired)
        }
    }

    @Test(arguments: AuthorityKind.allCases)
    func `refuses a weak password and keeps the code`(_ kind: AuthorityKind) async throws {
        try await Installations.run(kind) { all in
            let link = try await all.issue(.resetPassword)
            #expect(await all.refusal(of: try await all.pending(link), "short") == .weakPassword)
            #expect(try await all.state(link) == .live)
            try await all.redeem(link)
        }
    }

    @Test(arguments: AuthorityKind.strict)
    func `refuses the codes of a disabled account`(_ kind: AuthorityKind) async throws {
        try await Installations.run(kind) { all in
            let link = try await all.issue(.verifyEmail)
            var account = try #require(try await all.back.stored(AccountID(rawValue: "ada")))
            account.disabled = true
            let closed = account
            try await all.back.store.transaction { (records) throws(ActionError) in try records.update(closed) }
            #expect(await all.refusal(of: try await all.pending(link)) == .userDisabled)
            #expect(try await all.state(link) == .live)
        }
    }

    @Test(arguments: AuthorityKind.allCases)
    func `refuses an address that was taken in the meantime`(_ kind: AuthorityKind) async throws {
        try await Installations.run(kind) { all in
            let link = try await all.issue(.verifyAndChangeEmail)
            try await all.occupy("new@app.example")
            #expect(await all.refusal(of: try await all.pending(link)) == .emailExists)
            guard kind == .standIn else {
                #expect(try await all.state(link) == .live)
                return
            }
            // The emulator deletes the code before it checks the address. The refusal is remembered
            // for a while.
            await #expect(throws: ActionError.self) { try await all.state(link) }
            all.advance(by: .seconds(1800))
            #expect(try await all.state(link) == .unknown)
        }
    }

    @Test(arguments: AuthorityKind.allCases)
    func `leaves sign-in codes to the app`(_ kind: AuthorityKind) async throws {
        try await Installations.run(kind) { all in
            let link = try await all.issue(.signIn)
            let pending = try await all.pending(link)
            #expect(await all.refusal(of: pending) == .invalidOobCode)
            #expect(try await all.state(link) == .live)
            let location = try #require(pending.destination(link: link).location)
            #expect(location.hasPrefix("https://app.example/welcome?a=1&"))
            #expect(location.contains("oobCode=\(link.code.text)"))
        }
    }

    /// R9: the current list of domains applies, not that of the time when the link was sent.
    @Test(arguments: AuthorityKind.allCases)
    func `continues only to authorised domains`(_ kind: AuthorityKind) async throws {
        try await Installations.run(kind) { all in
            let link = try await all.issue(.verifyEmail)
            #expect(try await all.pending(link).destination(link: link).location == "https://app.example/welcome?a=1")
            let outcome = try await all.redeem(link)
            #expect(outcome.done.destination(link: link).location == "https://app.example/welcome?a=1")
        }
    }
}
