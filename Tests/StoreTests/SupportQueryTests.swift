import Accounts
import Base
import Store
import Testing

/// The lists of people who help users.
@Suite(.temporaryFolder) struct `A list for support` {
    private func store(on engine: Engine, accounts: [Account]) async throws -> Store {
        let store = try await engine.store()
        try await store.transaction({ (records) throws(ActionError) in for account in accounts { try records.insert(account) } })
        return store
    }

    private func account(_ id: String, _ email: String?, madeAt: Timestamp = .noon, in project: ProjectID = .shop) -> Account {
        var account = Account(project: project, id: AccountID(rawValue: id), createdAt: madeAt)
        account.email = email.flatMap { EmailAddress($0) }
        return account
    }

    @Test(arguments: Engine.allCases) func `names the accounts whose addresses begin with a text, in their order`(on engine: Engine)
        async throws
    {
        let store = try await store(
            on: engine,
            accounts: [
                account("1", "ada@z.example"), account("2", "ada@a.example"), account("3", "adam@a.example"), account("4", "bob@a.example"),
                account("5", nil), account("6", "ada@b.example", in: .blog), account("7", "ad_a@a.example"), account("8", "ad%a@a.example"),
            ])
        func ids(from start: String, limit: Int = 9) async throws -> [String] {
            try await store.read { (records) throws(ActionError) in
                try records.accounts(withEmailFrom: start, to: "ada\u{10FFFF}", limit: limit, in: .shop).map(\.id.rawValue)
            }
        }
        #expect(try await ids(from: "ada") == ["2", "1", "3"])
        #expect(try await ids(from: "ada", limit: 2) == ["2", "1"])
        #expect(try await ids(from: "ada@z.example\u{1}") == ["3"])
        #expect(try await ids(from: "ad_a") == ["7", "2", "1", "3"])
    }

    @Test(arguments: Engine.allCases) func `names the newest accounts, each on one page, even if many are of one moment`(on engine: Engine)
        async throws
    {
        let store = try await store(
            on: engine,
            accounts: (0..<7).map { account("\($0)", nil, madeAt: .noon + .seconds(Int64($0 / 3))) } + [account("x", nil, in: .blog)])
        var (ids, last): ([String], Account?) = ([], nil)
        while true {
            let page = try await store.read { [last] (records) throws(ActionError) in
                try records.newestAccounts(before: last, limit: 2, in: .shop)
            }
            guard let end = page.last else { break }
            ids += page.map(\.id.rawValue)
            last = end
        }
        #expect(ids == ["6", "5", "4", "3", "2", "1", "0"])
    }

    @Test(arguments: Engine.allCases) func `names the mails about an account, those that wait, and those that are parked`(on engine: Engine)
        async throws
    {
        let store = try await engine.store()
        try await store.prepare()
        try await store.transaction({ (records) throws(ActionError) in
            for id: MailID in [1, 2, 3, 4, 5] { try records.insert(StoredMail.sample(id, account: id.rawValue % 2 == 1 ? .ada : nil)) }
            try records.insert(StoredMail.sample(6, in: .blog))
        })
        let ends: [Int64: MailEndReason] = [1: .parked, 2: .parked, 3: .sent]
        for mail in try await store.lease(MailLease(limit: 9, until: .noon + .seconds(60)), at: .noon) {
            guard let end = ends[mail.id.rawValue] else { continue }
            try await store.end(mail, as: end, DeliveryOutcome(.accepted, relay: "r", answer: "a"), keepsLetter: true, at: .noon)
        }
        func ids(_ selection: MailSelection, before id: MailID? = nil, limit: Int = 9) async throws -> [MailID] {
            try await store.read { (records) throws(ActionError) in
                try records.mailRecords(selection, in: .shop, before: id, limit: limit, at: .noon).map(\.id)
            }
        }
        #expect(try await ids(.about(.ada)) == [5, 3, 1])
        #expect(try await ids(.parked) == [2, 1])
        #expect(try await ids(.parked, before: 2) == [1])
        #expect(try await Set(ids(.waiting)) == [4, 5])
        #expect(try await ids(.to(.number(1)), limit: 2) == [5, 4])
    }

    @Test(arguments: Engine.allCases) func `counts the mails of a project by kind, relay and hour`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare()
        try await store.transaction({ (records) throws(ActionError) in
            for id: MailID in [1, 2, 3, 4, 5, 6] { try records.insert(StoredMail.sample(id)) }
            try records.insert(StoredMail.sample(7, in: .blog))
        })
        let leased = try await store.lease(MailLease(limit: 20, until: .noon + .seconds(60)), at: .noon)
        #expect(leased.count == 7)
        for mail in leased {
            let moment = Timestamp.noon + .hours(Int(mail.id.rawValue) / 3)
            let outcome = DeliveryOutcome(.accepted, relay: "r", answer: "a\(mail.id.rawValue)")
            switch mail.id {
            case 4: try await store.end(mail, as: .parked, outcome, keepsLetter: true, at: moment)
            case 5: try await store.postpone(mail, until: .noon + .hours(1), outcome)
            case 6: break
            default: try await store.end(mail, as: .sent, outcome, keepsLetter: false, at: moment)
            }
        }
        func overview(since moment: Timestamp, endedLimit: Int = 99) async throws -> MailOverview {
            try await store.read { (records) throws(ActionError) in
                try records.mailOverview(in: .shop, since: moment, limit: 9, endedLimit: endedLimit)
            }
        }
        let all = try await overview(since: .noon)
        #expect(all.waiting.map(\.count) == [1, 1] && Set(all.waiting.map(\.relay)) == [nil, "r"], "\(all.waiting)")
        #expect(all.since == .noon && all.oldestWaiting == .noon)
        #expect(all.waiting.compactMap(\.answer) == ["a5"] && all.parked.map(\.answer) == ["a4"])
        #expect(all.ended.filter { $0.end == .sent }.map(\.count).reduce(0, +) == 3)
        #expect(all.ended.filter { $0.end == .parked }.map(\.count) == [1])
        #expect(Set(all.ended.map(\.start)).count == 2 && all.ended.allSatisfy { $0.start.milliseconds % 3_600_000 == 0 })
        // A busy project does not make the question slow: what is told begins later.
        let cut = try await overview(since: .noon, endedLimit: 2)
        #expect(cut.since > .noon && cut.ended.map(\.count).reduce(0, +) == 2 && !cut.ended.isEmpty)
        #expect(try await overview(since: .noon + .days(1)).ended.isEmpty)
    }

    /// Nothing is shown of other projects.
    @Test(arguments: Engine.allCases) func `names what was done to an account, in parts that end soon`(on engine: Engine) async throws {
        let store = try await engine.store()
        for number in 0..<10 {
            var record = AuditRecord(at: .noon, actor: "key:k", method: "update\(number)")
            (record.project, record.subjects) = (number == 9 ? .blog : .shop, number % 4 == 1 ? ["ada"] : ["adam", "x"])
            _ = try await store.begin(record)
        }
        func page(_ search: AuditSearch) async throws -> (methods: [String], next: Int?) {
            let page = try await store.read { (records) throws(ActionError) in try records.audit(search, in: .shop) }
            return (page.records.map(\.method), page.next)
        }
        #expect(try await page(AuditSearch(limit: 3)).methods == ["update8", "update7", "update6"])
        let all = try await page(AuditSearch(account: .ada, limit: 9))
        #expect(all.methods == ["update5", "update1"] && all.next == nil)
        // Each part looks at few records, and leads to the next one.
        var (methods, before): ([String], Int?) = ([], nil)
        repeat {
            let part = try await page(AuditSearch(account: .ada, before: before, limit: 9, window: 3))
            #expect(part.methods.count <= 1)
            methods += part.methods
            before = part.next
        } while before != nil
        #expect(methods == ["update5", "update1"])
        #expect(
            try await Engine.sqlite.store().read { (records) throws(ActionError) in try records.audit(AuditSearch(limit: 9), in: .shop).next
            } == nil)
    }

    @Test(arguments: Engine.allCases) func `names sessions by their present tokens, and links that work`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare(
            .sample(.number(1), .verifyEmail), .sample(.number(2), .signIn), .sample(.number(3), .resetPassword, lasting: .zero))
        try await store.transaction({ (records) throws(ActionError) in
            try records.insert(RefreshTokenRecord.sample(.number(1)))
            try records.insert(RefreshTokenRecord.sample(.number(2)))
            try records.insert(RefreshTokenRecord.sample(.number(3), of: .bob))
            try records.retireSession(.number(1), at: .noon)
            _ = try records.spend(.number(2), of: .signIn, in: .shop, at: .noon)
        })
        let (tokens, links) = try await store.read { (records) throws(ActionError) in
            guard let ada = try records.account(.ada, in: .shop) else { throw .refused(.userNotFound) }
            return (try records.sessions(of: ada, limit: 9).map(\.token), try records.liveCodes(of: ada, at: .noon, limit: 9).map(\.action))
        }
        #expect(tokens == [.number(2)])
        #expect(links == [.verifyEmail])
    }
}
