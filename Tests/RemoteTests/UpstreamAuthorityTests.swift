import Accounts
import Base
import Store
import Synchronization
import Testing
import World
@testable import Remote

/// Codes whose response is lost, delayed or contradicted by an upstream.
@Suite struct `A code of an upstream` {
    private let ada = AccountID(rawValue: "ada")

    /// Y3: the code is applied but the response is lost. The upstream says the same of a code that
    /// was lost with its account.
    @Test(arguments: Action.redeemable)
    func `has an unknown outcome after a lost response`(_ action: Action) async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(action)
            let pending = try await all.pending(link)
            let isFirst = OnceOnly()
            all.fail { path in path.hasSuffix(":update") || action == .resetPassword && isFirst.take() ? .lost : nil }
            #expect(await all.refusal(of: pending) == .invalidOobCode)
            #expect(try await all.state(link) == .uncertain)
        }
    }

    @Test func `counts as live after a lost request`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            let pending = try await all.pending(link)
            all.fail { $0.hasSuffix(":update") ? .instead(502, "") : nil }
            let down = try #require(await all.error(of: pending)?.unavailable)
            #expect(down.commitState == .notCommitted)
            #expect(try await all.state(link) == .live)
            all.fail { _ in nil }
            try await all.redeem(link)
        }
    }

    @Test func `has an unknown outcome while the upstream does not respond`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            let pending = try await all.pending(link)
            all.fail { $0.hasSuffix(":update") ? .lost : .instead(502, "") }
            let down = try #require(await all.error(of: pending)?.unavailable)
            #expect(down.commitState == .unknown)
            all.fail { _ in nil }
            #expect(try await all.state(link) == .uncertain)
        }
    }

    @Test(arguments: [
        (Unavailable.CommitState.notCommitted, Unavailable.CommitState.notCommitted), (.unknown, .notCommitted), (.pending, .pending),
    ])
    func `that is live after a lost response was not applied, unless the request may still run`(
        _ lost: Unavailable.CommitState, _ told: Unavailable.CommitState
    ) async throws {
        let base = try WebURL("https://upstream.example")
        let world = try await World { $0.upstream = UpstreamProject(base: base, domains: .file) }
        let accounts = world.accounts(signedWith: nil, upstreams: { _ in Losing(commitState: lost) })
        let link = ActionLink(action: .verifyEmail, code: FakeUpstream.code, apiKey: "shop-key")
        let pending = try await accounts.inspect(link, in: world.project).pending()
        let error = await #expect(throws: ActionError.self) { try await accounts.redeem(pending) }
        #expect(error?.unavailable?.commitState == told)
    }

    /// Z2: the process ends after the upstream applied the code and before the response.
    @Test func `has an unknown outcome after a crash during the request`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            let (project, moment) = (all.project.id, all.front.clock.now())
            let digest = link.code.digest(in: project, keyedBy: all.front.secrets)
            try await all.front.store.transaction { (records) throws(ActionError) in
                try records.beginUpstreamTry(of: digest, in: project, at: moment)
            }
            #expect(try await all.state(link) == .live)
            try await all.back.redeem(link.code)
            #expect(try await all.state(link) == .uncertain)
        }
    }

    /// Y3: what one node may have done is not forgotten by another, whose request came too late.
    @Test func `a code whose response was lost has an unknown outcome, also after another node was refused`() async throws {
        let base = try WebURL("https://upstream.example")
        let world = try await World { $0.upstream = UpstreamProject(base: base, domains: .file) }
        let link = ActionLink(action: .verifyEmail, code: FakeUpstream.code, apiKey: "shop-key")
        let isApplied = OnceOnly()
        let losing = world.accounts(signedWith: nil, upstreams: { _ in Contended(isApplied: isApplied) })
        let pending = try await losing.inspect(link, in: world.project).pending()
        let late = world.accounts(
            signedWith: nil, upstreams: { _ in Contended(isApplied: isApplied) { _ = try? await losing.redeem(pending) } })
        let error = await #expect(throws: ActionError.self) { try await late.redeem(pending) }
        #expect(error?.refusal == .invalidOobCode)
        guard case .uncertain = try await late.inspect(link, in: world.project) else {
            Issue.record("the attempt was forgotten")
            return
        }
    }

    /// Two nodes are refused a code that another client has used, so nothing is uncertain.
    @Test func `a code that was refused to two nodes at once does not look like one whose response was lost`() async throws {
        let base = try WebURL("https://upstream.example")
        let world = try await World { $0.upstream = UpstreamProject(base: base, domains: .file) }
        let link = ActionLink(action: .verifyEmail, code: FakeUpstream.code, apiKey: "shop-key")
        let isUsed = OnceOnly()
        let one = world.accounts(signedWith: nil, upstreams: { _ in Contended(isApplied: isUsed) })
        let pending = try await one.inspect(link, in: world.project).pending()
        let other = world.accounts(
            signedWith: nil,
            upstreams: { _ in
                Contended(isApplied: isUsed) {
                    _ = isUsed.take()
                    _ = try? await one.redeem(pending)
                }
            })
        await #expect(throws: ActionError.self) { try await other.redeem(pending) }
        guard case .unknown = try await other.inspect(link, in: world.project) else {
            Issue.record("a refusal is remembered as an attempt without an answer")
            return
        }
    }

    /// The attempt before is what the user has to know of.
    @Test func `has an unknown outcome also if it has expired since`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            let pending = try await all.pending(link)
            all.fail { _ in .instead(502, "") }
            #expect(await all.error(of: pending)?.unavailable?.commitState == .unknown)
            all.fail { _ in nil }
            #expect(try await all.state(link) == .live)
            all.advance(by: .days(4))
            #expect(try await all.state(link) == .uncertain)
        }
    }

    /// V1: presses of one code that wait are refused when they are many, and no others.
    @Test func `whose presses wait delays no other code`() async throws {
        try await Installations.run(.standIn) { all in
            let pressed = try await all.pending(try await all.issue(.verifyEmail))
            let other = try await all.pending(try await all.issue(.resetPassword))
            let (waiting, gate) = AsyncStream.makeStream(of: Never.self)
            let opened = Task { for await _ in waiting {} }
            let isFirst = OnceOnly()
            all.fail { $0.hasSuffix(":update") && isFirst.take() ? .after(opened) : nil }
            try await withThrowingTaskGroup { group in
                for _ in 0..<80 { group.addTask { await all.error(of: pressed) } }
                // One press waits for the upstream and as many as may for that one.
                let refused = try #require(try await group.next())
                guard case .tooSoon? = refused else { throw Unexpected() }
                #expect(await all.error(of: other) == nil)
                gate.finish()
                var applied = 0
                for try await error in group {
                    if error == nil {
                        applied += 1
                    } else if case .tooSoon? = error {
                        continue
                    } else {
                        #expect(error?.refusal == .invalidOobCode)
                    }
                }
                #expect(applied == 1)
            }
        }
    }

    @Test func `that was spent elsewhere is invalid`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            try await all.back.redeem(link.code)
            #expect(try await all.state(link) == .unknown)
        }
    }

    @Test func `that Onward applied is not requested again`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            try await all.redeem(link)
            all.fail { _ in .instead(500, "") }
            let asked = all.requests.count
            #expect(try await all.state(link) == .used)
            #expect(all.requests.count == asked)
        }
    }

    /// A refused attempt is forgotten, so that a code spent elsewhere later does not count as
    /// applied here.
    @Test func `does not count as applied after a refusal`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            let pending = try await all.pending(link)
            all.fail { $0.hasSuffix(":update") ? .instead(400, #"{"error":{"message":"TOO_MANY_ATTEMPTS_TRY_LATER"}}"#) : nil }
            #expect(await all.refusal(of: pending) == .tooManyAttempts)
            all.fail { _ in nil }
            try await all.back.redeem(link.code)
            #expect(try await all.state(link) == .unknown)
        }
    }

    @Test func `is purged from the record of attempts`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            try await all.redeem(link)
            let now = all.front.clock.now()
            #expect(try await all.front.store.purgeUpstreamTries(begunBefore: now) == 0)
            #expect(try await all.front.store.purgeUpstreamTries(begunBefore: now + .milliseconds(1)) == 1)
            #expect(try await all.state(link) == .unknown)
        }
    }

    /// Without the list of domains, no continue URL is authorised.
    @Test func `has no continue URL until the authorised domains were read`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            var project = all.project
            project.upstream = UpstreamProject(base: try #require(project.upstream?.base), domains: .awaited)
            await #expect(throws: ActionError.self) { try await all.accounts.inspect(link, in: project) }
            let (known, refused) = project.authorizing([
                "localhost", "elsewhere.example", "=x.example", "*.example", "com", "chrome-extension://abc", "a.example:80",
            ])
            #expect(known.authorizedDomains.texts == ["localhost", "elsewhere.example"])
            #expect(refused.count == 5)
            let pending = try await all.accounts.inspect(link, in: known).pending()
            guard case .stay(notAllowed: _?) = pending.destination(link: link) else { throw Unexpected() }
        }
    }
}

/// An upstream whose codes stay live.
private struct Losing: UpstreamToolkit {
    let commitState: Unavailable.CommitState

    func look(at code: OobCode, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamCode {
        UpstreamCode(action: .verifyEmail, email: "ada@app.example", newEmail: nil, secondFactor: nil)
    }

    func apply(_ code: OobCode, newPassword: String?, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamEffect {
        throw .unavailable(Unavailable(.upstream, cause: "lost", commitState: commitState))
    }

    func sendPasswordReset(to email: EmailAddress, for caller: UpstreamCaller) async throws(ActionError) {
        throw .unavailable(Unavailable(.upstream, cause: "lost"))
    }
}

/// An upstream that loses the response to the request that applies the code. It refuses one with a
/// request before it, and waits for that.
private struct Contended: UpstreamToolkit {
    let isApplied: OnceOnly
    var before: (@Sendable () async -> Void)?

    func look(at code: OobCode, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamCode {
        guard !isApplied.isTaken else { throw .refused(.invalidOobCode) }
        return UpstreamCode(action: .verifyEmail, email: "ada@app.example", newEmail: nil, secondFactor: nil)
    }

    func apply(_ code: OobCode, newPassword: String?, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamEffect {
        await before?()
        guard isApplied.take() else { throw .refused(.invalidOobCode) }
        throw .unavailable(Unavailable(.upstream, cause: "lost", commitState: .unknown))
    }

    func sendPasswordReset(to email: EmailAddress, for caller: UpstreamCaller) async throws(ActionError) {
        throw .unavailable(Unavailable(.upstream, cause: "lost"))
    }
}

struct Unexpected: Error {}

/// A flag that is true the first time it is read.
final class OnceOnly: Sendable {
    private let state = Mutex(false)

    var isTaken: Bool { state.withLock { $0 } }

    func take() -> Bool {
        state.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }
}
