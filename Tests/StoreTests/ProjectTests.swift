import Accounts
import Store
import Testing

@Suite(.temporaryFolder) struct `A project` {
    @Test(arguments: Engine.allCases)
    func `lists its accounts page by page`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare()
        func page(_ limit: Int, after: AccountID? = nil, offset: Int = 0, descending: Bool = false, in project: ProjectID = .shop)
            async throws -> [AccountID]
        {
            var page = Accounts.PageRequest(limit: limit)
            (page.after, page.offset, page.isDescending) = (after, offset, descending)
            let asked = page
            return try await store.read { (records) throws(ActionError) in
                try records.accounts(asked, in: project).map(\.id)
            }
        }
        #expect(try await page(9) == [.ada, .bob])
        #expect(try await page(1) == [.ada])
        #expect(try await page(1, after: .ada) == [.bob])
        #expect(try await page(9, offset: 1) == [.bob])
        #expect(try await page(9, descending: true) == [.bob, .ada])
        #expect(try await page(9, after: .bob, descending: true) == [.ada])
        #expect(try await page(.max, after: .bob).isEmpty)
        #expect(try await page(9, in: .blog).isEmpty)
        #expect(try await store.countAccounts(in: .shop) == 2)
    }

    @Test(arguments: Engine.allCases)
    func `is emptied of its accounts and codes, and no other project is`(on engine: Engine) async throws {
        let database = try await engine.database()
        let store = try await database.open()
        try await store.transaction({ (records) throws(ActionError) in
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
    /// D5: writes to the disk as the use of a code does.
    @Test(arguments: Engine.allCases)
    func `shows that it is writable by writing, and changes no row`(on engine: Engine) async throws {
        let database = try await engine.database()
        let store = try await database.open()
        let before = try await database.contents()
        let written = try database.writtenBytes()
        try await store.ping()
        #expect(try database.writtenBytes() > written)
        #expect(try await database.contents() == before)
        #expect(try await store.durabilitySettings().isEmpty == false)
    }
}
