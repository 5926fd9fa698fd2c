import Accounts
import Base
import Testing
@testable import Store

/// U2: an error or a crash at any statement is an interruption of the transaction.
@Suite(.temporaryFolder) struct `A merge of accounts` {
    private static let merge = Merge(into: .ada, from: .bob)
    private static let secrets = Secrets(root: [UInt8](repeating: 7, count: 32))

    /// Ada and Bob, who has something in every table.
    private static func prepared(_ engine: Engine) async throws -> TestDatabase {
        let database = try await engine.database()
        let store = try await database.open()
        try await store.transaction { (records) throws(ActionError) in
            var (ada, bob) = (Account.sample(), Account.sample(.bob, email: .bob))
            (ada.disabled, bob.emailVerified) = (false, true)
            try records.insert(ada)
            try records.insert(bob)
            for link in [LinkedProvider.google, .github] { try records.insert(link, of: .bob, in: .shop, at: .noon) }
            let factor = SecondFactor(id: "app", kind: .totp, sealedKey: secrets.seal([1], for: .secondFactor), enrolledAt: .noon)
            try records.insert(factor, of: .bob, in: .shop, byAdmin: false)
            try records.insert(recoveryCodes: [.number(1)], of: factor, of: bob)
        }
        return database
    }

    private static func merging(on database: any SQLDatabase) -> Merging {
        let random: RandomBytes = { count in (0..<count).map { _ in .random(in: 0...255) } }
        return Merging(
            store: Store(database: database), outbox: Outbox(secrets: secrets, random: random), secrets: secrets, now: { .noon })
    }

    @Test(arguments: Engine.allCases)
    func `of which any statement fails changes nothing, and neither does its undoing`(on engine: Engine) async throws {
        let database = try await Self.prepared(engine)
        for work in [
            { (merging: Merging) in _ = try await merging.merge(Self.merge, in: .shop, language: "en") },
            { (merging: Merging) in try await merging.unmerge(Self.merge, in: .shop, language: "en") },
        ] as [(Merging) async throws -> Void] {
            let before = try await database.contents()
            var statement = 1
            while true {
                let failing = Failing(base: try await database.connect(), statement: statement)
                guard let error = try await failure({ try await work(Self.merging(on: failing)) }) else { break }
                try #require(error.isInjected, "\(error)")
                #expect(try await database.contents() == before)
                statement += 1
            }
            #expect(statement > 15)
            #expect(try await database.contents() != before)
        }
    }
}
