import Accounts
import EmailActions
import Store
import Synchronization
import Testing
import WebURL
import World

@testable import Upstream

/// What only an upstream can do to a link.
@Suite struct `A code that an upstream has` {
    private let ada = AccountID(rawValue: "ada")

    /// C4: the deed is done, and its answer never arrives.
    @Test(arguments: Action.redeemable)
    func `is known to be done when the answer was lost`(_ action: Action) async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(action)
            let pending = try await all.pending(link)
            let isFirst = OnceOnly()
            all.harm { path in path.hasSuffix(":update") || action == .resetPassword && isFirst.take() ? .lost : nil }
            #expect(await all.refusal(of: pending) == .invalidOobCode)
            #expect(try await all.state(link) == .used)
        }
    }

    @Test func `is known to be alive when the request was lost`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            let pending = try await all.pending(link)
            all.harm { $0.hasSuffix(":update") ? .instead(502, "") : nil }
            let down = try #require(await all.error(of: pending)?.unavailable)
            #expect(down.deed == .undone)
            #expect(try await all.state(link) == .live)
            all.harm { _ in nil }
            try await all.redeem(link)
        }
    }

    @Test func `is not known to be either while nothing comes back`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            let pending = try await all.pending(link)
            all.harm { $0.hasSuffix(":update") ? .lost : .instead(502, "") }
            let down = try #require(await all.error(of: pending)?.unavailable)
            #expect(down.deed == .uncertain)
            // And as soon as something does, the link tells.
            all.harm { _ in nil }
            #expect(try await all.state(link) == .used)
        }
    }

    @Test(arguments: [
        (Unavailable.Deed.undone, Unavailable.Deed.undone), (.uncertain, .undone), (.underWay, .underWay),
    ])
    func `that is alive after a lost answer is undone, unless the upstream may still be at it`(
        _ lost: Unavailable.Deed, _ told: Unavailable.Deed
    ) async throws {
        let base = try WebURL("https://upstream.example")
        let world = try await World { $0.upstream = UpstreamProject(base: base, domains: .file) }
        let actions = world.actions { _ in Losing(deed: lost) }
        let link = ActionLink(action: .verifyEmail, code: FakeUpstream.code, apiKey: "shop-key")
        let pending = try await actions.inspect(link, in: world.project).pending()
        let error = await #expect(throws: ActionError.self) { try await actions.redeem(pending) }
        #expect(error?.unavailable?.deed == told)
    }

    /// Z2: Onward dies after the upstream did it and before it was told.
    @Test func `is known to be done after a crash in the middle`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            let (project, moment) = (all.project.id, all.front.clock.now())
            let digest = link.code.digest(in: project, keyedBy: all.front.secrets)
            try await all.front.store.transaction { (records: any ActionRecords) throws(ActionError) in
                try records.beginUpstreamTry(of: digest, in: project, at: moment)
            }
            #expect(try await all.state(link) == .live)
            try await all.back.redeem(link.code)
            #expect(try await all.state(link) == .used)
        }
    }

    @Test func `that something else spent is unknown`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            try await all.back.redeem(link.code)
            #expect(try await all.state(link) == .unknown)
        }
    }

    @Test func `that Onward applied is done without asking again`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            try await all.redeem(link)
            all.harm { _ in .instead(500, "") }
            let asked = all.requests.count
            #expect(try await all.state(link) == .used)
            #expect(all.requests.count == asked)
        }
    }

    /// A refused try is forgotten, so that a code that ends elsewhere afterwards is not said to have worked here.
    @Test func `is not claimed after a refusal`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            let pending = try await all.pending(link)
            all.harm { $0.hasSuffix(":update") ? .instead(400, #"{"error":{"message":"TOO_MANY_ATTEMPTS_TRY_LATER"}}"#) : nil }
            #expect(await all.refusal(of: pending) == .tooManyAttempts)
            all.harm { _ in nil }
            try await all.back.redeem(link.code)
            #expect(try await all.state(link) == .unknown)
        }
    }

    @Test func `is forgotten in time`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            try await all.redeem(link)
            let now = all.front.clock.now()
            #expect(try await all.front.store.purgeUpstreamTries(begunBefore: now) == 0)
            #expect(try await all.front.store.purgeUpstreamTries(begunBefore: now + .milliseconds(1)) == 1)
            #expect(try await all.state(link) == .unknown)
        }
    }

    /// Nobody is sent anywhere by a list that was never read.
    @Test func `waits for the domains that its upstream authorizes`() async throws {
        try await Installations.run(.upstream) { all in
            let link = try await all.issue(.verifyEmail)
            var project = all.project
            project.upstream = UpstreamProject(base: try #require(project.upstream?.base), domains: .awaited)
            await #expect(throws: ActionError.self) { try await all.actions.inspect(link, in: project) }
            let (known, refused) = project.authorizing([
                "localhost", "elsewhere.example", "=x.example", "*.example", "com", "chrome-extension://abc", "a.example:80",
            ])
            #expect(known.authorizedDomains.texts == ["localhost", "elsewhere.example"])
            #expect(refused.count == 5)
            let pending = try await all.actions.inspect(link, in: known).pending()
            guard case .stay(notAllowed: _?) = pending.destination(link: link) else { throw Unexpected() }
        }
    }
}

/// Its codes are alive, whatever is done with them.
private struct Losing: UpstreamToolkit {
    let deed: Unavailable.Deed

    func look(at code: OobCode, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamCode {
        UpstreamCode(action: .verifyEmail, email: "ada@app.example", newEmail: nil, secondFactor: nil)
    }

    func apply(_ code: OobCode, newPassword: String?, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamEffect {
        throw .unavailable(Unavailable(.upstream, cause: "lost", deed: deed))
    }
}

struct Unexpected: Error {}

/// True once.
final class OnceOnly: Sendable {
    private let isTaken = Mutex(false)

    func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }
}
