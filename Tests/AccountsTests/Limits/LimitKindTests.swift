import Base
import Testing
import World
@testable import Accounts

/// The endings of an attempt, with what each limit gives back after it.
@Suite struct `The kind of a limit` {
    private static let wrong = ActionError.refused(.invalidOobCode)
    private static let taken = ActionError.refused(.emailExists)
    private static let unknown = ActionError.refused(.emailNotFound)
    private static let weak = ActionError.refused(.weakPassword)
    private static let pause = ActionError.tooSoon(retryAfter: .seconds(30))
    private static let full = ActionError.unavailable(Unavailable(.store, cause: "full"))
    private static let lost = ActionError.unavailable(Unavailable(.store, cause: "lost", commitState: .unknown))
    private static let late = ActionError.unavailable(Unavailable(.store, cause: "late", commitState: .pending))

    /// The endings, in the order of the columns below; nil is success.
    private static let endings: [(name: String, error: ActionError?)] = [
        ("done", nil), ("wrong", wrong), ("taken", taken), ("no account", unknown), ("weak", weak), ("pause", pause), ("full", full),
        ("lost", lost), ("late", late),
    ]

    /// A row of the table: a limit, an attempt that it counts, and the endings that it gives back.
    struct Row: Sendable, CustomTestStringConvertible {
        let limit: Limit
        let attempt: LimitedAttempt?
        let givenBack: Set<String>
        var testDescription: String { limit.rawValue }
    }

    private static let ada = EmailAddress("ada@example.com")!
    private static let account = AccountID(rawValue: "ada")
    private static let number = PhoneNumber("+15555550123")!

    /// Nothing was written or sent.
    private static let effects: Set = ["wrong", "taken", "no account", "weak", "pause", "full"]
    /// Nothing was asked of another's server.
    private static let deliveries: Set = ["pause", "full"]
    /// The guess was right, or not looked at.
    private static let guesses: Set = ["done", "pause", "full"]

    static let rows: [Row] = [
        Row(limit: .mailsPerAddress, attempt: nil, givenBack: effects),
        Row(limit: .mailsPerAccount, attempt: .mail(account: account), givenBack: effects),
        Row(limit: .mailsPerSource, attempt: .reset, givenBack: effects),
        Row(limit: .noAccountMailsPerSource, attempt: .noAccountMail, givenBack: effects),
        Row(limit: .textMessagesPerNumber, attempt: .textMessage(number, .stranger), givenBack: effects),
        Row(limit: .textMessagesPerKnownNetwork, attempt: .textMessage(number, .knownNetwork), givenBack: effects),
        Row(limit: .textMessagesPerRange, attempt: .textMessage(number, .stranger), givenBack: deliveries),
        Row(limit: .textMessagesPerSource, attempt: .textMessage(number, .secondFactor(inKnownNetwork: false)), givenBack: deliveries),
        Row(limit: .signUpsPerSource, attempt: .signUp, givenBack: effects),
        Row(limit: .changesPerAccount, attempt: .profile(account), givenBack: effects),
        Row(limit: .changesPerSource, attempt: .change, givenBack: effects),
        Row(limit: .shortLinksPerSource, attempt: .shortLink, givenBack: effects),
        Row(limit: .passwordsPerAccountAndSource, attempt: .password(ada, fromKnownNetwork: false), givenBack: guesses),
        Row(limit: .passwordsPerKnownNetwork, attempt: .password(ada, fromKnownNetwork: true), givenBack: guesses),
        Row(limit: .passwordsPerSource, attempt: .password(ada, fromKnownNetwork: true), givenBack: guesses),
        Row(limit: .wrongCodesPerSource, attempt: .code, givenBack: guesses.union(["taken", "no account", "weak"])),
        Row(limit: .takenAddressesPerSource, attempt: .takenAddress, givenBack: guesses.union(["wrong", "weak"])),
        Row(limit: .providerSignInsPerSource, attempt: .provider, givenBack: ["done"]),
        Row(limit: .probesPerSource, attempt: .probe, givenBack: []),
        Row(limit: .refreshesPerSource, attempt: .refresh, givenBack: []),
        Row(limit: .customTokensPerSource, attempt: .customToken, givenBack: []),
    ]

    @Test func `is in the table for every limit`() {
        #expect(Self.rows.map(\.limit.rawValue).sorted() == Limit.allCases.map(\.rawValue).sorted())
    }

    /// B4: with one attempt and no other limit, a second one is admitted if the first was given
    /// back, and only then.
    @Test(arguments: rows) func `says what is given back`(row: Row) async throws {
        for (name, error) in Self.endings {
            let world = try await World()
            let limits = Limits([row.limit: Allowance(1, per: .hours(1))], secrets: world.secrets, uptime: world.clock.uptime)
            func run(_ error: ActionError?) async -> Bool {
                guard let attempt = row.attempt else { return await Self.write(by: limits, in: world.project.id, error) }
                do throws(ActionError) {
                    try await RateLimiter(limits: limits).counted(by: [attempt], from: .peer("192.0.2.1"), in: world.project) {
                        () throws(ActionError) in if let error { throw error }
                    }
                    return true
                } catch {
                    if case .tooSoon(_, let wait) = error { return wait == .seconds(30) }
                    return true
                }
            }
            #expect(await run(error), "\(name): the first attempt")
            // What is counted only in the end shows by an ending that counts.
            #expect(await run(Self.lost) == row.givenBack.contains(name), "\(name)")
        }
    }

    /// The limit of an address, which is counted where the mail is written.
    private static func write(by limits: Limits, in project: ProjectID, _ error: ActionError?) async -> Bool {
        var wasAdmitted = false
        try? await RateLimiter(limits: limits).countingMail(.signIn, to: ada, in: project) {
            (excess) throws(ActionError) in
            wasAdmitted = excess == nil
            if let error { throw error }
        }
        return wasAdmitted
    }
}
