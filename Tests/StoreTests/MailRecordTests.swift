import Accounts
import Base
import Store
import Testing

@Suite(.temporaryFolder) struct `The record of a mail` {
    private func records(_ store: Store, before: MailID? = nil, limit: Int = 9, at now: Timestamp = .noon) async throws -> [MailRecord] {
        try await store.mailRecords(to: .number(1), in: .shop, before: before, limit: limit, at: now)
    }

    @Test(arguments: Engine.allCases) func `tells its state, attempts, relay and answer`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.transaction({ (records) throws(ActionError) in
            try records.insert(StoredMail.sample(1))
            try records.insert(StoredMail.sample(2, to: .bob))
        })
        let waiting = try #require(try await records(store).first)
        #expect(waiting.id == 1 && waiting.end == nil && waiting.attempts == 0 && waiting.code == nil)
        #expect(try await records(store).count == 1)

        let leased = try await store.lease(MailLease(limit: 9, until: .noon + .seconds(60)), at: .noon)
        let report = DeliveryOutcome(.accepted, relay: "smtp.example:587", answer: "550 no such user")
        for mail in leased { try await store.end(mail, as: .parked, report, keepsLetter: true, at: .noon) }
        let parked = try #require(try await records(store).first)
        #expect(parked.end == .parked && parked.attempts == 1 && parked.relay == "smtp.example:587" && parked.answer == "550 no such user")
        #expect(try await Set(store.mailQueue(limit: 9, at: .noon).map(\.id)) == [1, 2])

        #expect(try await store.retryMail(1))
        #expect(try await !store.retryMail(3))
        #expect(try await store.lease(MailLease(limit: 9, until: .noon + .seconds(60)), at: .noon).map(\.id) == [1])
        #expect(try await store.dropMail(1, at: .noon))
        #expect(try await !store.dropMail(1, at: .noon))
        #expect(try await store.mailRecord(1, at: .noon)?.end == .dropped)
        #expect(try await store.mail(1) == nil)
        #expect(try await !store.retryMail(1))
    }

    @Test(arguments: Engine.allCases) func `is found page by page, the newest first`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.transaction({ (records) throws(ActionError) in
            for id: MailID in [1, 2, 3] { try records.insert(StoredMail.sample(id)) }
        })
        let first = try await records(store, limit: 2)
        #expect(first.map(\.id) == [3, 2])
        #expect(try await records(store, before: #require(first.last).id).map(\.id) == [1])
    }

    @Test(arguments: Engine.allCases, MailRecord.Code.allCases)
    func `tells what became of its code`(on engine: Engine, code: MailRecord.Code) async throws {
        let store = try await engine.store()
        let stored = StoredCode.sample()
        try await store.prepare(stored)
        let mail = StoredMail.sample(1, code: stored.key.rowID)
        var moment = Timestamp.noon
        try await store.transaction({ (records) throws(ActionError) in
            try records.insert(mail)
            switch code {
            case .used: _ = try records.spend(stored.key, of: stored.action, in: stored.project, at: .noon)
            case .withdrawn: try records.withdrawCodes(to: stored.email, in: stored.project, for: stored.action, at: .noon)
            case .live, .expired: break
            }
        })
        if code == .expired { moment = stored.expiresAt }
        #expect(try await records(store, at: moment).first?.code == code)
    }
}
