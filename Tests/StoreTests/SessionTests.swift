import Accounts
import Base
import Store
import Testing

@Suite(.temporaryFolder) struct `Refresh tokens` {
    private func session(_ number: Int, family: Int, parent: Int? = nil, retiredAt: Timestamp? = nil, claims: String? = nil)
        -> RefreshTokenRecord
    {
        RefreshTokenRecord(
            token: .number(number), project: .shop, account: .ada, authTime: .noon, provider: .custom, family: .number(family),
            parent: parent.map { .number($0) }, createdAt: .noon + .seconds(number), retiredAt: retiredAt, claims: claims)
    }

    private func store(_ engine: Engine, _ sessions: [RefreshTokenRecord]) async throws -> Store {
        let store = try await engine.store()
        try await store.prepare()
        try await store.transaction { (records) throws(ActionError) in
            for session in sessions { try records.insert(session) }
        }
        return store
    }

    private func left(_ store: Store, of numbers: ClosedRange<Int>) async throws -> [Int] {
        try await store.read { (records) throws(ActionError) in
            var left: [Int] = []
            for number in numbers where try records.session(.number(number)) != nil { left.append(number) }
            return left
        }
    }

    @Test(arguments: Engine.allCases)
    func `are stored with every column`(on engine: Engine) async throws {
        let whole = session(2, family: 1, parent: 1, retiredAt: .noon + .seconds(9), claims: #"{"role":"guest"}"#)
        let store = try await store(engine, [whole])
        let found = try await store.read { (records) throws(ActionError) in try records.session(.number(2)) }
        #expect(found == whole)
    }

    @Test(arguments: Engine.allCases)
    func `are retired once, and deleted by family`(on engine: Engine) async throws {
        let store = try await store(engine, [session(1, family: 1), session(2, family: 1, parent: 1), session(3, family: 3)])
        let retiredAt = try await store.transaction { (records) throws(ActionError) in
            for seconds in [5, 6] { try records.retireSession(.number(1), at: .noon + .seconds(seconds)) }
            let retiredAt = try records.session(.number(1))?.retiredAt
            try records.deleteSessions(of: .number(1))
            return retiredAt
        }
        #expect(retiredAt == .noon + .seconds(5))
        #expect(try await left(store, of: 1...3) == [3])
    }

    @Test(arguments: Engine.allCases)
    func `beyond the newest of a family are deleted, except retired ones and the one in use`(on engine: Engine) async throws {
        let store = try await store(
            engine,
            [
                session(1, family: 1), session(2, family: 1, retiredAt: .noon), session(3, family: 1), session(4, family: 1),
                session(5, family: 1), session(6, family: 6),
            ])
        try await store.transaction { (records) throws(ActionError) in
            try records.deleteUnusedSessions(of: .number(1), exceptNewest: 2, and: .number(1))
        }
        #expect(try await left(store, of: 1...6) == [1, 2, 4, 5, 6])
    }

    @Test(arguments: Engine.allCases)
    func `of an account that has too many are deleted, retired ones first and then the oldest`(on engine: Engine) async throws {
        let ofBob = RefreshTokenRecord(
            token: .number(99), project: .shop, account: .bob, authTime: .noon, provider: .custom, createdAt: .noon)
        let many = (1...20).map { session($0, family: $0, retiredAt: $0 == 20 ? .noon : nil) }
        let store = try await store(engine, [ofBob] + many)
        func thin(to most: Int) async throws -> [Int] {
            try await store.transaction { (records) throws(ActionError) in
                try records.trimSessions(of: .ada, in: .shop, to: most)
            }
            return try await left(store, of: 1...99)
        }
        #expect(try await thin(to: 21).count == 21)
        #expect(try await thin(to: 20) == Array(2...19) + [99])
    }

    @Test(arguments: Engine.allCases)
    func `are purged some time after they were retired, in batches`(on engine: Engine) async throws {
        let store = try await store(engine, (1...4).map { session($0, family: 1, retiredAt: $0 < 4 ? .noon + .seconds($0) : nil) })
        #expect(try await store.purgeSessions(retiredBefore: .noon + .seconds(3), limit: 1) == 1)
        #expect(try await left(store, of: 1...4) == [2, 3, 4])
        #expect(try await store.purgeSessions(retiredBefore: .noon + .seconds(3)) == 1)
        #expect(try await store.purgeSessions(retiredBefore: .noon + .seconds(3)) == 0)
        #expect(try await left(store, of: 1...4) == [3, 4])
    }

    /// A client may refresh as often as the limits allow, and retired tokens are kept for days, so
    /// no refresh may read them.
    @Test(arguments: Engine.allCases)
    func `of a family that are not retired are found by an index`(on engine: Engine) async throws {
        let database = try await engine.database()
        try await database.open().prepare()
        let plan = try await database.plan(of: "SELECT digest FROM session WHERE family = ? AND retired_at IS NULL", [.blob([1])])
        #expect(plan.contains("unretired_session"), "\(plan)")
    }
}
