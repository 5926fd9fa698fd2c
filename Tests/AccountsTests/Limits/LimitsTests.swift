import Base
import Testing
import World
@testable import Accounts

@Suite struct `The limits` {
    static let email = EmailAddress("ada@example.com")!
    static let peer = "192.0.2.1"
    static let wrong = ActionError.refused(.invalidOobCode)

    /// Every kind of attempt that a limit refuses.
    static let attempts: [LimitedAttempt] = [
        .password(email, fromKnownNetwork: true), .password(email, fromKnownNetwork: false), .mail(),
        .mail(account: AccountID(rawValue: "ada")), .reset, .signUp, .takenAddress, .profile(AccountID(rawValue: "ada")), .change,
        .notice(AccountID(rawValue: "ada")), .code, .probe,
        .refresh, .customToken, .provider, .shortLink, .textMessage(PhoneNumber("+15555550123")!, .stranger),
        .textMessage(PhoneNumber("+15555550123")!, .knownNetwork),
    ]

    /// An attempt that uses up a token of every limit: one that ends in an unknown way.
    @discardableResult
    private func use(_ attempt: LimitedAttempt, of limits: Limits?, from peer: String = peer, in project: Project, byAdmin: Bool = false)
        async
        -> Duration?
    {
        let lost = ActionError.unavailable(Unavailable(.store, cause: "lost", commitState: .unknown))
        do {
            try await RateLimiter(limits: limits).counted(by: [attempt], from: byAdmin ? .admin : .peer(peer), in: project) {
                () throws(ActionError) in throw lost
            }
        } catch { if case .tooSoon(_, let wait) = error { return wait } }
        return nil
    }

    /// V2: a /56 has eight times what a /64 has, however many of these it has.
    @Test func `count the networks around a source, too`() async throws {
        let world = try await World()
        let limits = Limits(Limit.standards, secrets: world.secrets, uptime: world.clock.uptime)
        func ask(_ source: String) async -> Bool { await use(.reset, of: limits, from: source, in: world.project) == nil }
        var asked = 0
        for subnet in 0..<56 {
            for host in 0..<100 where await ask("2001:db8:0:\(String(0xab00 + subnet, radix: 16))::\(host)") { asked += 1 }
        }
        #expect(asked == 800)
        #expect(await ask("192.0.2.1"), "elsewhere")
        #expect(await use(.mail(), of: limits, from: "2001:db8:0:ab00::1", in: world.project, byAdmin: true) == nil)
    }

    /// B5: the tables of limits take a bounded amount of memory.
    @Test func `take less than a hundred megabytes for all their tables`() {
        #expect(BucketTable.maxBytes * Limit.allCases.count < 100_000_000)
    }

    /// B2: mail is limited by address and kind, and by source. C13: attempts with unknown codes are
    /// limited by source.
    @Test(arguments: attempts) func `refuse the third of two, until its time has come`(attempt: LimitedAttempt) async throws {
        let world = try await World()
        let limits = world.limits(of: 2)
        func use() async -> Duration? { await self.use(attempt, of: limits, in: world.project) }
        for _ in 0..<2 { #expect(await use() == nil) }
        #expect(await use() == .seconds(45))
        world.clock.advance(by: .milliseconds(44_999))
        #expect(await use() == .milliseconds(1))
        world.clock.advance(by: .milliseconds(1))
        #expect(await use() == nil)
        #expect(await use() == .seconds(45))
    }

    /// Y6: an address with many unknown codes of an upstream has to wait for its turn, and is not
    /// refused.
    @Test func `refuse no code of an upstream`() async throws {
        let world = try await World()
        let limiter = RateLimiter(limits: world.limits(of: 2))
        for round in 0..<9 {
            #expect((limiter.wait(before: .upstreamCode, from: .peer(Self.peer), in: world.project) > .zero) == (round >= 2))
            await #expect(throws: ActionError.self) {
                try await limiter.counted(by: [.upstreamCode], from: .peer(Self.peer), in: world.project) { () throws(ActionError) in
                    throw Self.wrong
                }
            }
        }
    }

    /// C13, V1: a right code is looked at, and a wrong one is refused instead of answered.
    @Test func `refuse no right code`() async throws {
        let world = try await World()
        let limiter = RateLimiter(limits: world.limits(of: 1))
        func look(_ error: ActionError?) async -> Refusal? {
            do throws(ActionError) {
                try await limiter.counted(by: [.code], from: .peer(Self.peer), in: world.project) { () throws(ActionError) in
                    if let error { throw error }
                }
                return nil
            } catch { return error.refusal }
        }
        #expect(await look(Self.wrong) == .invalidOobCode)
        #expect(await look(Self.wrong) == .tooManyAttempts)
        for _ in 0..<3 { #expect(await look(nil) == nil) }
    }

    /// N6: three processes together give no more attempts at once than one does, unless that is
    /// less than one for each, and as many over time.
    @Test(arguments: [1, 2, 5, 100]) func `are shared by processes`(count: Int) async throws {
        let world = try await World()
        let nodes = (0..<3).map { _ in
            Limits([.mailsPerSource: Allowance(count, per: .seconds(600))], nodes: 3, secrets: world.secrets, uptime: world.clock.uptime)
        }
        func taken() async -> Int {
            var taken = 0
            for limits in nodes { while await use(.reset, of: limits, in: world.project) == nil { taken += 1 } }
            return taken
        }
        let atOnce = await taken()
        #expect(atOnce <= max(3, count) && atOnce > 0)
        var later = 0
        for _ in 0..<600 {
            world.clock.advance(by: .seconds(30))
            later += await taken()
        }
        // As many as come back in five hours.
        #expect(abs(later - 30 * count) <= 3)
    }

    /// An attempt that the limit of a source refuses uses up nothing of the account's limit (B4).
    @Test func `take from all or from none`() async throws {
        let world = try await World()
        let limits = world.limits(of: 2, but: [.passwordsPerAccountAndSource: Allowance(9, per: .hours(1))])
        let other = try #require(EmailAddress("grace@example.com"))
        for _ in 0..<2 { #expect(await use(.password(other, fromKnownNetwork: false), of: limits, in: world.project) == nil) }
        let own = LimitedAttempt.password(Self.email, fromKnownNetwork: false)
        for _ in 0..<5 { #expect(await use(own, of: limits, in: world.project) != nil) }
        for _ in 0..<2 { #expect(await use(own, of: limits, from: "192.0.2.2", in: world.project) == nil) }
    }

    @Test(arguments: attempts) func `do not apply to admins`(attempt: LimitedAttempt) async throws {
        let world = try await World()
        let limits = world.limits(of: 1)
        for _ in 0..<3 { #expect(await use(attempt, of: limits, in: world.project, byAdmin: true) == nil) }
    }

    @Test func `do not apply if there are none`() async throws {
        let world = try await World()
        for limits in [nil, Limits([:], secrets: world.secrets, uptime: world.clock.uptime)] {
            for _ in 0..<100 { #expect(await use(.signUp, of: limits, in: world.project) == nil) }
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
