import Accounts
import Testing
@testable import Store

/// The steps of redeeming a code. All of them happen or none (C4).
private enum Step: CaseIterable {
    case spend, change, signOut, withdraw, offerUndo, notify, delete

    func take(_ records: any Records) throws(ActionError) {
        switch self {
        case .spend: _ = try records.spend(.number(1), at: .noon)
        case .change: try records.update(.complete)
        case .signOut: try records.deleteSessions(of: .ada, in: .shop)
        case .withdraw:
            try records.withdrawCodes(of: .ada, in: .shop, for: Action.allCases, at: .noon)
        case .offerUndo: try records.insert(StoredCode.sample(.number(3), .recoverEmail))
        case .notify: try records.insert(StoredMail.sample(1))
        case .delete: try records.delete(.bob, in: .shop)
        }
    }
}

@Suite(.temporaryFolder) struct `A transaction` {
    private static func prepared(_ engine: Engine) async throws -> (database: TestDatabase, store: Store) {
        let database = try await engine.database()
        let store = try await database.open()
        try await store.prepare(.sample(.number(1)), .sample(.number(2), .verifyEmail))
        try await store.transaction { (records) throws(ActionError) in try records.insert(RefreshTokenRecord.sample(.number(1))) }
        return (database, store)
    }

    /// C4: a code and its effect are stored together, or neither is.
    @Test(arguments: Engine.allCases, 1...Step.allCases.count)
    func `that throws after any step changes nothing`(on engine: Engine, steps: Int) async throws {
        let (database, store) = try await Self.prepared(engine)
        let before = try await database.contents()
        let error = try await failure {
            try await store.transaction({ (records) throws(ActionError) in
                for step in Step.allCases.prefix(steps) { try step.take(records) }
                throw .refused(.weakPassword, detail: "because")
            })
        }
        guard case .refused(.weakPassword, detail: "because") = error else {
            Issue.record("the error came back as \(String(describing: error))")
            return
        }
        #expect(try await database.contents() == before)
    }

    /// C4, D4: fails the n-th statement, for every n.
    @Test(arguments: Engine.allCases)
    func `of which any statement fails changes nothing`(on engine: Engine) async throws {
        let (database, _) = try await Self.prepared(engine)
        let before = try await database.contents()
        var statement = 1
        while true {
            let store = Store(database: Failing(base: try await database.connect(), statement: statement))
            let error = try await failure {
                try await store.transaction({ (records) throws(ActionError) in
                    for step in Step.allCases { try step.take(records) }
                })
            }
            guard let error else { break }
            #expect(error.isInjected)
            #expect(try await database.contents() == before)
            statement += 1
        }
        #expect(statement > Step.allCases.count)
        #expect(try await database.contents() != before)
    }

    @Test(arguments: Engine.allCases)
    func `is visible to the next read, on other connections too`(on engine: Engine) async throws {
        let database = try await engine.database()
        let (one, other) = (try await database.open(), try await database.open())
        for count in 1...20 {
            try await one.transaction { (records) throws(ActionError) in
                try records.insert(.sample(AccountID(rawValue: "\(count)"), email: nil))
            }
            #expect(try await one.countAccounts(in: .shop) == count)
            #expect(try await other.countAccounts(in: .shop) == count)
        }
    }

    @Test(arguments: Engine.allCases)
    func `is required for writing: a read cannot write`(on engine: Engine) async throws {
        let (database, store) = try await Self.prepared(engine)
        let before = try await database.contents()
        for step in Step.allCases {
            let error = try await failure { try await store.read({ (records) throws(ActionError) in try step.take(records) }) }
            #expect(error?.cause != nil)
        }
        #expect(try await database.contents() == before)
    }
}
