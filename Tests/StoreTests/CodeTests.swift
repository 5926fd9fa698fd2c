import Accounts
import EmailActions
import Store
import Testing

@Suite(.temporaryFolder) struct `A code` {
    @Test(arguments: Engine.allCases, Action.allCases)
    func `is found as it was written, and by nothing but its digest`(on engine: Engine, action: Action) async throws {
        let store = try await engine.store()
        var settings = ActionCodeSettings()
        settings.url = "https://app.example.com/?a=\"b\"&c=/ü"
        settings.handleCodeInApp = true
        let code = StoredCode.sample(.number(1), action, settings: settings)
        try await store.transaction { (records: any ActionRecords) throws(ActionError) in
            try records.insert(Account.sample())
            try records.insert(code)
        }
        let found = try await store.read { (records: any ActionRecords) throws(ActionError) in
            [try records.code(.number(1)), try records.code(.number(2))]
        }
        #expect(found == [code, nil])
    }

    /// C3, D6: over one process, and over two connections to one file as two processes have them.
    @Test(arguments: Engine.allCases, [1, 2])
    func `lets exactly one of a hundred clicks win`(on engine: Engine, connections: Int) async throws {
        let database = try engine.database()
        var stores: [Store] = []
        for _ in 0..<connections { stores.append(try await database.open()) }
        try await stores[0].prepare(.sample())
        let winners = try await withThrowingTaskGroup(of: Int?.self) { clicks in
            for click in 0..<100 {
                let store = stores[click % connections]
                clicks.addTask {
                    try await store.transaction(actions: { (records) throws(ActionError) -> Int? in
                        guard try records.spend(.number(1), at: .noon) else { return nil }
                        guard var account = try records.account(.ada, in: .shop) else { return nil }
                        account.displayName = "\(click)"
                        try records.update(account)
                        return click
                    })
                }
            }
            return try await clicks.reduce(into: [Int]()) { if let winner = $1 { $0.append(winner) } }
        }
        #expect(winners.count == 1)
        let name = try await stores[0].read { (records) throws(ActionError) in try records.account(.ada, in: .shop)?.displayName }
        #expect(name == winners.first.map(String.init))
    }
}
