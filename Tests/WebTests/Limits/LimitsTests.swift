import Accounts
import EmailActions
import HTTPTypes
import Testing
import World

@testable import Web

@Suite struct `The limits` {
    /// V2: a /56 has eight times what a /64 has, however many of these it has.
    @Test func `count the networks around a source, too`() async throws {
        let world = try await World()
        let limiter = RateLimiter(limits: Limits(Limit.standards, secrets: world.secrets, uptime: world.uptime))
        func ask(_ source: String) -> Bool { (try? limiter.admit(.reset, from: source, in: world.project)) != nil }
        let subnets = (0..<56).map { "2001:db8:0:\(String(0xab00 + $0, radix: 16))::" }
        let asked = subnets.flatMap { subnet in (0..<100).map { ask("\(subnet)\($0)") } }
        #expect(asked.count { $0 } == 800)
        #expect(ask("192.0.2.1"), "elsewhere")
        try limiter.admit(.mail(), from: "2001:db8:0:ab00::1", in: world.project, byAdmin: true)
    }

    static let email = EmailAddress("ada@example.com")!

    /// Every kind of attempt.
    static let attempts: [Attempt] = [
        .password(email, fromKnownNetwork: true), .password(email, fromKnownNetwork: false), .mail(),
        .mail(account: AccountID(rawValue: "ada")), .reset, .signUp, .code, .probe, .refresh, .customToken,
    ]

    /// B2, C13.
    @Test(arguments: attempts) func `refuse the third of two, until its time has come`(attempt: Attempt) async throws {
        let api = try await API { $0.limits(of: 2) }
        let limiter = api.site.actionPages.actions.limiter
        for _ in 0..<2 { try limiter.admit(attempt, from: "192.0.2.1", in: api.world.project) }
        try await refuses(.seconds(45)) { try limiter.admit(attempt, from: "192.0.2.1", in: api.world.project) }
        api.world.clock.advance(by: .milliseconds(44_999))
        try await refuses(.milliseconds(1)) { try limiter.admit(attempt, from: "192.0.2.1", in: api.world.project) }
        api.world.clock.advance(by: .milliseconds(1))
        let admission = try limiter.admit(attempt, from: "192.0.2.1", in: api.world.project)
        admission.giveBack()
        try limiter.admit(attempt, from: "192.0.2.1", in: api.world.project)
    }

    /// B4: a password counts that was found to be wrong, and not one that was not looked at.
    @Test func `count what was judged only`() async throws {
        let api = try await API { $0.limits(of: 2) }
        let limiter = api.site.actionPages.actions.limiter
        func attempt(_ error: ActionError?) async throws {
            let attempt = Attempt.password(Self.email, fromKnownNetwork: false)
            let admission = try limiter.admit(attempt, from: "192.0.2.1", in: api.world.project)
            try? await admission.countingAnswers { () async throws(ActionError) in if let error { throw error } }
        }
        let down = ActionError.unavailable(Unavailable(.passwords, cause: "full"))
        for error in [nil, .tooSoon(retryAfter: .seconds(1)), down] { for _ in 0..<3 { try await attempt(error) } }
        for _ in 0..<2 { try await attempt(.refused(.invalidLoginCredentials)) }
        await #expect(throws: ActionError.self) { try await attempt(.refused(.invalidLoginCredentials)) }
    }

    /// N6: three processes together give no more attempts at once than one does, unless that is
    /// less than one for each, and as many over time.
    @Test(arguments: [1, 2, 5, 100]) func `are shared by processes`(count: Int) throws {
        let uptime = TestClock()
        let secrets = Secrets(root: [UInt8](repeating: 7, count: 32))
        let nodes = (0..<3).map { _ in
            Limits([.mailsPerSource: Allowance(count, per: .seconds(600))], nodes: 3, secrets: secrets) {
                uptime.now() - Timestamp(seconds: 0)
            }
        }
        func taken() -> Int {
            nodes.reduce(0) { sum, limits in
                var taken = 0
                while let token = limits.token(.init(limit: .mailsPerSource, subject: "192.0.2.1")), (try? limits.take([token])) != nil {
                    taken += 1
                }
                return sum + taken
            }
        }
        let atOnce = taken()
        #expect(atOnce <= max(3, count) && atOnce > 0)
        var later = 0
        for _ in 0..<600 {
            uptime.advance(by: .seconds(30))
            later += taken()
        }
        // As many as come back in five hours.
        #expect(abs(later - 30 * count) <= 3)
    }

    /// C13: inspections use up nothing; when nothing is left, nothing is inspected.
    @Test func `can be checked without being used up`() async throws {
        let world = try await World()
        let limits = world.limits(of: 2)
        let token = try #require(limits.token(.init(limit: .wrongCodesPerSource, subject: "192.0.2.1")))
        for _ in 0..<9 { try limits.require([token]) }
        for _ in 0..<2 { try limits.take([token]) }
        #expect(throws: Limits.TooSoon(wait: .seconds(45))) { try limits.require([token]) }
    }

    private func refuses(_ wait: Duration, _ attempt: () async throws -> Admission) async throws {
        do {
            _ = try await attempt()
            Issue.record("admitted")
        } catch ActionError.tooSoon(_, let said) { #expect(said == wait) }
    }

    /// An attempt that the limit of a source refuses uses up nothing of the account's limit (B4).
    @Test func `take from all or from none`() async throws {
        let api = try await API { $0.limits(of: 2, but: [.passwordsPerAccountAndSource: Allowance(9, per: .hours(1))]) }
        let limiter = api.site.actionPages.actions.limiter
        let other = try #require(EmailAddress("grace@example.com"))
        for _ in 0..<2 { try limiter.admit(.password(other, fromKnownNetwork: false), from: "192.0.2.1", in: api.world.project) }
        for _ in 0..<5 {
            #expect(throws: ActionError.self) {
                try limiter.admit(.password(Self.email, fromKnownNetwork: false), from: "192.0.2.1", in: api.world.project)
            }
        }
        for _ in 0..<2 { try limiter.admit(.password(Self.email, fromKnownNetwork: false), from: "192.0.2.2", in: api.world.project) }
    }

    @Test(arguments: attempts) func `do not apply to admins`(attempt: Attempt) async throws {
        let api = try await API { $0.limits(of: 1) }
        for _ in 0..<3 {
            try api.site.actionPages.actions.limiter.admit(attempt, from: "192.0.2.1", in: api.world.project, byAdmin: true)
        }
    }

    @Test func `do not apply if there are none`() async throws {
        let api = try await API()
        for _ in 0..<100 { try api.site.actionPages.actions.limiter.admit(.signUp, from: "192.0.2.1", in: api.world.project) }
        let off = try await API { Limits([:], secrets: $0.secrets, uptime: $0.uptime) }
        for _ in 0..<100 {
            try off.site.actionPages.actions.limiter.admit(
                .password(Self.email, fromKnownNetwork: false), from: "192.0.2.1", in: off.world.project)
        }
    }

    /// C14: a billion guesses a second for a year, among a million live codes.
    @Test func `are not the only protection against guessed codes`() throws {
        // Eight of the bytes depend on the others.
        let bits = 8 * (try #require(Base64URL.decode(OobCode(random: { [UInt8](repeating: 7, count: $0) }).text)).count - 8)
        let codes = Double(sign: .plus, exponent: bits, significand: 1)
        #expect(1e9 * 365 * 86_400 * 1e6 / codes < 1e-18)
    }
}
