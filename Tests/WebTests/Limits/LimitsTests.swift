import Accounts
import EmailActions
import HTTPTypes
import Testing
import World

@testable import Web

@Suite struct `The limits` {
    /// V2: as many mails of strangers as the addresses of one subscriber may ask for.
    @Test func `do not stop the mails of a project`() async throws {
        let world = try await World()
        let limiter = RateLimiter(limits: Limits(Limit.standards, secrets: world.secrets, now: world.clock.now))
        for network in 0..<56 {
            for count in 0..<100 {
                let stranger = try #require(EmailAddress("p\(network).\(count)@example.com"))
                try limiter.admit(.reset(to: stranger), from: "2001:db8:0:\(network)::1", in: world.project)
            }
        }
        let owner = try #require(EmailAddress("ada@example.com"))
        try limiter.admit(.reset(to: owner), from: "192.0.2.1", in: world.project)
        try limiter.admit(.mail(to: owner), from: "127.0.0.1", in: world.project, byAdmin: true)
    }

    static let email = EmailAddress("ada@example.com")!

    /// Every kind of attempt.
    static let attempts: [Attempt] = [
        .password(email), .mail(to: email), .mail(to: email, account: AccountID(rawValue: "ada")), .reset(to: email), .signUp, .code,
        .probe,
        .refresh, .customToken,
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

    /// C13: inspections use up nothing; when nothing is left, nothing is inspected.
    @Test func `can be checked without being used up`() async throws {
        let world = try await World()
        let limits = world.limits(of: 2)
        let token = try #require(limits.token(.wrongCodesPerSource, of: "192.0.2.1"))
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
        for _ in 0..<2 { try limiter.admit(.password(other), from: "192.0.2.1", in: api.world.project) }
        for _ in 0..<5 {
            #expect(throws: ActionError.self) {
                try limiter.admit(.password(Self.email), from: "192.0.2.1", in: api.world.project)
            }
        }
        for _ in 0..<2 { try limiter.admit(.password(Self.email), from: "192.0.2.2", in: api.world.project) }
    }

    @Test(arguments: attempts) func `apply to admins only for mails`(attempt: Attempt) async throws {
        let api = try await API { $0.limits(of: 1) }
        let limiter = api.site.actionPages.actions.limiter
        let isMail =
            switch attempt {
            case .mail, .reset: true
            default: false
            }
        var refused = 0
        for _ in 0..<3 {
            do { try limiter.admit(attempt, from: "192.0.2.1", in: api.world.project, byAdmin: true) } catch { refused += 1 }
        }
        #expect(refused == (isMail ? 2 : 0))
    }

    @Test func `do not apply if there are none`() async throws {
        let api = try await API()
        for _ in 0..<100 { try api.site.actionPages.actions.limiter.admit(.signUp, from: "192.0.2.1", in: api.world.project) }
        let off = try await API { Limits([:], secrets: $0.secrets, now: $0.clock.now) }
        for _ in 0..<100 { try off.site.actionPages.actions.limiter.admit(.password(Self.email), from: "192.0.2.1", in: off.world.project) }
    }

    /// C14: a billion guesses a second for a year, among a million live codes.
    @Test func `are not the only protection against guessed codes`() throws {
        // Eight of the bytes depend on the others.
        let bits = 8 * (try #require(Base64URL.decode(OobCode(random: { [UInt8](repeating: 7, count: $0) }).text)).count - 8)
        let codes = Double(sign: .plus, exponent: bits, significand: 1)
        #expect(1e9 * 365 * 86_400 * 1e6 / codes < 1e-18)
    }
}
