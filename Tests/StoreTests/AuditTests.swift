import Accounts
import Base
import Store
import Testing

@Suite(.temporaryFolder) struct `An audit record` {
    private static func record(_ method: String, in project: ProjectID? = .shop, secondsAfterNoon seconds: Int64 = 0) -> AuditRecord {
        var record = AuditRecord(at: .noon + .seconds(seconds), actor: "key:k7mq2xwd deploy", method: method)
        record.project = project
        return record
    }

    private static func ended(_ record: AuditRecord, _ outcome: AuditOutcome, subjects: [String] = []) -> AuditRecord {
        var record = record
        (record.outcome, record.subjects) = (outcome, subjects)
        return record
    }

    /// O3: a crash in between leaves the record without an outcome.
    @Test(arguments: Engine.allCases)
    func `is stored before the operation ends, and completed afterwards`(on engine: Engine) async throws {
        let database = try await engine.database()
        let store = try await database.open()
        var record = Self.record("update")
        (record.peer, record.request) = ("127.0.0.1", "r1")
        let position = try await store.begin(record)
        // Read by another connection, as another process would.
        let other = try await database.open()
        #expect(try await other.audit(after: 0, limit: 9).map(\.record) == [record])
        for outcome in [AuditOutcome.done, .refused(code: "EMAIL_EXISTS")] {
            let position = try await store.begin(record)
            try await store.end(position, as: Self.ended(record, outcome, subjects: ["ada"]))
            #expect(try await other.audit(after: position - 1, limit: 9).map(\.record) == [Self.ended(record, outcome, subjects: ["ada"])])
        }
        #expect(try await other.audit(after: 0, limit: 9).first?.position == position)
    }

    @Test(arguments: Engine.allCases)
    func `never changes once it has an outcome`(on engine: Engine) async throws {
        let store = try await engine.store()
        let record = Self.record("delete")
        let position = try await store.begin(record)
        try await store.end(position, as: Self.ended(record, .refused(code: "USER_NOT_FOUND")))
        let error = try await failure { try await store.end(position, as: Self.ended(record, .done)) }
        #expect(error?.cause == "there is no audit record to complete")
        #expect(try await store.audit(after: 0, limit: 9).map(\.record.outcome) == [.refused(code: "USER_NOT_FOUND")])
    }

    /// O2: an event is one line, and no value can forge another.
    @Test(arguments: Engine.allCases)
    func `keeps ids with special characters`(on engine: Engine) async throws {
        let store = try await engine.store()
        var record = Self.record("lookup")
        record.subjects = ["two\nlines", "quote\"", "[\"ada\"]", "nul\0", "a,b", "\u{202e}", "🙂", ""]
        _ = try await store.begin(record)
        #expect(try await store.audit(after: 0, limit: 9).map(\.record.subjects) == [record.subjects])
    }

    @Test(arguments: Engine.allCases)
    func `is listed page by page, by time and by project`(on engine: Engine) async throws {
        let store = try await engine.store()
        for second in 0..<6 {
            _ = try await store.begin(Self.record("m\(second)", in: [.shop, .blog, nil][second % 3], secondsAfterNoon: Int64(second)))
        }
        let first = try await store.audit(after: 0, limit: 4)
        #expect(first.map(\.record.method) == ["m0", "m1", "m2", "m3"])
        #expect(try await store.audit(after: #require(first.last).position, limit: 4).map(\.record.method) == ["m4", "m5"])
        #expect(try await store.audit(after: 0, since: .noon + .seconds(4), limit: 9).map(\.record.method) == ["m4", "m5"])
        #expect(try await store.audit(after: 0, in: .blog, limit: 9).map(\.record.method) == ["m1", "m4"])
        #expect(try await store.audit(after: 0, since: .noon + .seconds(2), in: .blog, limit: 9).map(\.record.method) == ["m4"])
    }

    @Test(arguments: Engine.allCases)
    func `is purged when it is old, in batches, except for the newest`(on engine: Engine) async throws {
        let store = try await engine.store()
        for second in 0..<6 { _ = try await store.begin(Self.record("m\(second)", secondsAfterNoon: Int64(second))) }
        #expect(try await store.purgeAudit(before: .noon + .seconds(4), limit: 3) == 3)
        #expect(try await store.purgeAudit(before: .noon + .seconds(4), limit: 3) == 1)
        #expect(try await store.audit(after: 0, limit: 9).map(\.record.method) == ["m4", "m5"])
        #expect(try await store.purgeAudit(before: .noon + .seconds(60), limit: 3) == 1)
        let last = try #require(try await store.audit(after: 0, limit: 9).last)
        #expect(try await store.begin(Self.record("later")) > last.position)
    }
}
