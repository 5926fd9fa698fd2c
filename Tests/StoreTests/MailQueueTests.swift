import Accounts
import Base
import Store
import Testing

@Suite(.temporaryFolder) struct `The mail queue` {
    private static let report = DeliveryOutcome(.accepted, relay: "smtp.example:587", answer: "250 OK")
    private let later = Timestamp.noon + .seconds(60)

    private func lease(
        _ store: Store, _ limit: Int = 10, at now: Timestamp = .noon, after: ProjectID? = nil, most: Int = .max
    ) async throws -> [StoredMail] {
        try await store.lease(MailLease(limit: limit, until: now + .seconds(60), after: after) { _ in most }, at: now)
    }

    @Test(arguments: Engine.allCases) func `leases each mail to one caller until the lease ends`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.queue(.sample(1, kind: .notice(.passwordChanged)))
        let first = try await lease(store)
        #expect(first.map(\.id) == [1] && first[0].attempts == 1)
        #expect(try await lease(store, at: .noon + .seconds(59)).isEmpty)
        let second = try await lease(store, at: later)
        #expect(second.map(\.id) == [1] && second[0].attempts == 2)
        // The first caller comes back late: the mail is the second caller's now.
        try await store.end(first[0], as: .sent, Self.report, keepsLetter: false, at: later)
        #expect(try await store.backlog(countingTo: 9).mails == 1)
        try await store.end(second[0], as: .sent, Self.report, keepsLetter: false, at: later)
        #expect(try await store.backlog(countingTo: 9).mails == 0)
        #expect(try await lease(store, at: later + .seconds(600)).isEmpty)
    }

    /// V2: behind five thousand mails from one network, the next person's mail is the next but one.
    @Test(arguments: Engine.allCases) func `goes round the networks of a project`(on engine: Engine) async throws {
        let store = try await engine.store()
        for number in Int64(0)..<50 { try await store.queue(.sample(MailID(rawValue: number), source: 1)) }
        _ = try await lease(store, 10)
        try await store.queue(.sample(100, source: 2), .sample(101, source: 2), .sample(200, source: 3))
        let next = try await lease(store, 5).map(\.id)
        #expect(Set(next.prefix(3)) == [10, 100, 200])
        #expect(Set(next.suffix(2)) == [11, 101])
    }

    /// V7: a link that has expired only if the wall clock is right is neither sent nor ended.
    @Test(arguments: Engine.allCases) func `holds a mail whose link has expired by an unconfirmed time`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.queue(.sample(1), .sample(2, kind: .notice(.passwordChanged)))
        func lease(at now: Timestamp, latest: Timestamp) async throws -> [StoredMail] {
            try await store.lease(MailLease(limit: 9, until: now + .seconds(600), latest: latest), at: now)
        }
        #expect(try await lease(at: .noon, latest: .noon + .seconds(86_400)).map(\.id) == [2])
        // The wall clock was wrong.
        let sent = try await lease(at: .noon + .milliseconds(60_000 - 1), latest: .noon + .milliseconds(60_000 - 1))
        #expect(sent.isEmpty)
        #expect(try await store.mailRecord(1, at: .noon)?.end == nil)
        // It was right.
        #expect(try await lease(at: later, latest: later).isEmpty)
        #expect(try await store.mailRecord(1, at: later)?.end == .expired)
    }

    @Test(arguments: Engine.allCases) func `goes round the projects, whatever waits in one of them`(on engine: Engine) async throws {
        let store = try await engine.store()
        for number in Int64(0)..<20 { try await store.queue(.sample(MailID(rawValue: number), source: number)) }
        try await store.queue(.sample(20, in: .blog))
        #expect(try await lease(store, 2).map(\.project) == [.blog, .shop])
        #expect(try await lease(store, 2, after: .blog).map(\.project) == [.shop, .shop])
    }

    @Test(arguments: Engine.allCases) func `keeps the pace of a project`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.queue(.sample(1), .sample(2))
        #expect(try await lease(store, most: 0).isEmpty)
        #expect(try await lease(store, most: 1).count == 1)
    }

    @Test(arguments: Engine.allCases) func `sends what people wait for before notices`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.queue(
            .sample(1, kind: .notice(.passwordChanged)), .sample(2, kind: .action(.recoverEmail)),
            .sample(3, kind: .action(.resetPassword)))
        #expect(try await lease(store).map(\.id) == [3, 1, 2])
    }

    /// M4: delivery backs off, and stops when the code of a mail has expired.
    @Test(arguments: Engine.allCases) func `ends a mail whose link has expired, without its letter`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.queue(.sample(1))
        #expect(try await lease(store, at: .noon + .seconds(60)).isEmpty)
        #expect(try await store.mail(1) == nil)
        #expect(try await store.backlog(countingTo: 9).mails == 0)
    }

    /// M4, V2: after an hour without a relay, expired mails do not take the turns of live ones.
    @Test(arguments: Engine.allCases) func `passes over any number of expired mails`(on engine: Engine) async throws {
        let store = try await engine.store()
        for number in Int64(0)..<40 { try await store.queue(.sample(MailID(rawValue: number), source: number)) }
        try await store.queue(.sample(40, kind: .notice(.emailChanged)))
        #expect(try await lease(store, 5, at: .noon + .seconds(60)).map(\.id) == [40])
    }

    /// M4: delivery backs off, and stops when the code of a mail has expired.
    @Test(arguments: Engine.allCases) func `gives up mails that were not tried in time`(on engine: Engine) async throws {
        let store = try await engine.store()
        let month = Timestamp.noon + .seconds(30 * 86_400)
        let notice = LetterKind.notice(.passwordChanged)
        try await store.queue(.sample(1, kind: notice), .sample(2, kind: notice), .sample(3, kind: notice))
        for mail in try await store.lease(MailLease(limit: 9, until: month + .seconds(60)), at: .noon) {
            if mail.id == 1 { try await store.postpone(mail, until: later, Self.report) }
            if mail.id == 2 { try await store.end(mail, as: .parked, Self.report, keepsLetter: true, at: .noon) }
        }
        #expect(try await store.retryMail(2))
        try await store.queue(.sample(4, kind: notice), .sample(5), .sample(6))
        func giveUp(before moment: Timestamp, keepsLetters: Bool = false) async throws -> Int {
            try await store.giveUp(writtenBefore: moment, keepsLetters: keepsLetters, at: month)
        }
        #expect(try await giveUp(before: .noon) == 0)
        #expect(try await giveUp(before: later) == 4, "2 is retried by an admin, 3 is being sent")
        #expect(try await giveUp(before: later) == 0)
        var ends: [MailEndReason?] = []
        for id in Int64(1)...6 { ends.append(try await store.mailRecord(MailID(rawValue: id), at: month)?.end) }
        #expect(ends == [.parked, nil, nil, .parked, .expired, .expired])
        #expect(try await store.mailRecord(1, at: month)?.answer == Self.report.answer)
        #expect(try await Set(store.mails(limit: 9).map(\.id)) == [1, 2, 3, 4])
        #expect(try await store.retryMail(4))
        #expect(try await giveUp(before: later) == 0)
        #expect(try await Set(lease(store, at: month).map(\.id)) == [2, 4])
        try await store.queue(.sample(7))
        #expect(try await giveUp(before: later, keepsLetters: true) == 1)
        #expect(try await store.mail(7) != nil)
    }

    /// M4: the server stopped between two attempts.
    @Test(arguments: Engine.allCases) func `gives up mails that were due or released when the server stopped`(on engine: Engine)
        async throws
    {
        let store = try await engine.store()
        let notice = LetterKind.notice(.passwordChanged)
        try await store.queue(.sample(1, kind: notice), .sample(2, kind: notice))
        for mail in try await lease(store) { try await store.postpone(mail, until: .noon + .seconds(10), Self.report) }
        let again = try await lease(store, 1, at: later)
        try await store.release(again)
        #expect(again.count == 1)
        #expect(try await store.giveUp(writtenBefore: later, keepsLetters: false, at: .noon + .seconds(30 * 86_400)) == 2)
    }

    @Test(arguments: Engine.allCases) func `returns a postponed mail when it is due`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.queue(.sample(1, kind: .notice(.emailChanged)))
        let leased = try #require(try await lease(store).first)
        try await store.postpone(leased, until: .noon + .seconds(10), DeliveryOutcome(.accepted, answer: "450 later"))
        #expect(try await lease(store, at: .noon + .seconds(9)).isEmpty)
        #expect(try await lease(store, at: .noon + .seconds(10)).map(\.attempts) == [2])
    }

    @Test(arguments: Engine.allCases, MailEndReason.allCases)
    func `keeps the letter of an ended mail only if it is asked to`(on engine: Engine, end: MailEndReason) async throws {
        let store = try await engine.store()
        try await store.queue(.sample(1), .sample(2))
        let leased = try await lease(store)
        try await store.end(leased[0], as: end, Self.report, keepsLetter: false, at: .noon)
        try await store.end(leased[1], as: end, Self.report, keepsLetter: true, at: .noon)
        #expect(try await store.mails(limit: 9).map(\.id) == [leased[1].id])
    }

    /// V2: the networks that asked for the most give way first, and only those of the project that
    /// has the most.
    @Test(arguments: Engine.allCases) func `has a bound`(on engine: Engine) async throws {
        let store = try await engine.store()
        for number in Int64(0)..<30 { try await store.queue(.sample(MailID(rawValue: number), source: number < 28 ? 1 : number)) }
        try await store.queue(.sample(50, in: .blog), .sample(51, in: .blog))
        #expect(try await store.dropMails(beyond: 64, at: .noon) == 0)
        #expect(try await store.dropMails(beyond: 40, at: .noon) == 10, "half of it for one project")
        #expect(try await store.dropMails(beyond: 40, at: .noon) == 0)
        #expect(try await store.dropMails(beyond: 20, at: .noon) == 10, "half again")
        let left = try await Set(store.mails(limit: 99).map(\.id.rawValue))
        #expect(left == Set(0..<8).union([28, 29, 50, 51]))
        let dropped = try #require(try await store.mailRecord(27, at: .noon))
        #expect(dropped.end == .dropped && dropped.answer == "too many mails were waiting")
    }

    /// V2: of mails with the same turn, those that a user asked for go first.
    @Test(arguments: Engine.allCases) func `keeps notices and undo links longest`(on engine: Engine) async throws {
        let store = try await engine.store()
        for number in Int64(0)..<10 { try await store.queue(.sample(MailID(rawValue: number), source: number)) }
        try await store.queue(.sample(50, kind: .action(.recoverEmail), source: 50))
        #expect(try await store.dropMails(beyond: 12, at: .noon) == 5)
        #expect(try await Set(store.mails(limit: 99).map(\.id.rawValue)) == Set(0..<5).union([50]))
    }

    @Test(arguments: Engine.allCases) func `loses the mails of an account with the account`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare()
        try await store.queue(.sample(1, account: .ada), .sample(2, account: .bob), .sample(3))
        #expect(try await store.erasure.delete([.ada], force: true, in: .shop).isEmpty)
        #expect(try await Set(store.mails(limit: 9).map(\.id)) == [2, 3])
    }
}

extension Store {
    func queue(_ mails: StoredMail...) async throws {
        try await transaction({ (records) throws(ActionError) in
            for mail in mails { try records.insert(mail) }
        })
    }
}
