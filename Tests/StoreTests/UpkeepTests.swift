import Accounts
import EmailActions
import Store
import Testing

@Suite(.temporaryFolder) struct `A project` {
    @Test(arguments: Engine.allCases)
    func `lists its accounts page by page`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare()
        #expect(try await store.accounts(in: .shop, limit: 9).map(\.id) == [.ada, .bob])
        #expect(try await store.accounts(in: .shop, limit: 1).map(\.id) == [.ada])
        #expect(try await store.accounts(in: .shop, after: .ada, limit: 1).map(\.id) == [.bob])
        #expect(try await store.accounts(in: .blog, limit: 9).isEmpty)
        #expect(try await store.countAccounts(in: .shop) == 2)
    }

    @Test(arguments: Engine.allCases)
    func `forgets its accounts and codes, and no other's`(on engine: Engine) async throws {
        let database = try engine.database()
        let store = try await database.open()
        try await store.transaction(actions: { (records) throws(ActionError) in
            try records.insert(Account.sample(in: .blog))
            try records.insert(StoredCode.sample(.number(9), in: .blog))
        })
        let before = try await database.contents()
        try await store.prepare(.sample(), .sample(.number(2), .signIn, of: nil))
        try await store.deleteAccounts(in: .shop)
        #expect(try await database.contents() == before)
    }
}

@Suite(.temporaryFolder) struct `A store` {
    @Test(arguments: Engine.allCases)
    func `says that it can be written, and changes nothing to know it`(on engine: Engine) async throws {
        let database = try engine.database()
        let store = try await database.open()
        let before = try await database.contents()
        try await store.ping()
        #expect(try await database.contents() == before)
        #expect(try await store.findings().isEmpty == false)
    }
}
