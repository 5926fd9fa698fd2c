import Accounts
import Testing
@testable import Store

@Suite(.temporaryFolder) struct `The secret of a database` {
    private let first = Secrets(root: [UInt8](repeating: 7, count: 32))
    private let second = Secrets(root: [UInt8](repeating: 8, count: 32))

    @Test(arguments: Engine.allCases) func `is the first with which it was opened, and no other`(on engine: Engine) async throws {
        let database = try await engine.database()
        let store = try await database.open()
        #expect(try await !store.has(first))
        #expect(try await store.recognize(first) == first)
        let before = try await database.contents()
        let error = try await failure { _ = try await database.open().recognize(second) }
        #expect(error?.cause?.contains("is not the one that the database \(try await database.connect().name) was made with") == true)
        #expect(error?.cause?.contains("Configure that one again") == true && error?.cause?.contains("damaged") == false)
        #expect(try await store.has(first))
        #expect(try await !store.has(second))
        #expect(try await !store.recognize(first).hasPredecessor)
        #expect(try await database.contents() == before)
    }

    /// D10: a damaged database gives errors, never a wrong account or a success.
    @Test(arguments: Engine.allCases, ["fingerprint", "fingerprint_copy"])
    func `is not called another one when its fingerprint is damaged`(on engine: Engine, column: String) async throws {
        let database = try await engine.database()
        let store = try await database.open()
        _ = try await store.recognize(first)
        try await database.damage("UPDATE secret SET \(column) = \(database.bytes(33))")
        let error = try await failure { _ = try await store.recognize(first) }
        #expect(error?.cause?.contains("The fingerprint of the secret in the database") == true)
        #expect(error?.cause?.contains("is damaged") == true && error?.cause?.contains("made with") == false)
        #expect(try await !store.has(first))
        try await store.replaceSecret(with: first)
        #expect(try await store.has(first))
    }

    @Test(arguments: Engine.allCases) func `can be replaced, and set again`(on engine: Engine) async throws {
        let store = try await engine.store()
        _ = try await store.recognize(first)
        for secrets in [second, first] {
            try await store.replaceSecret(with: secrets)
            #expect(try await store.recognize(secrets).hasPredecessor)
            let other = secrets == first ? second : first
            #expect(try await failure { _ = try await store.recognize(other) } != nil)
        }
    }
}

/// K9: `onward secret reseal` leaves nothing sealed with the previous secret.
@Suite(.temporaryFolder) struct `Everything that is sealed` {
    private let first = Secrets(root: [UInt8](repeating: 7, count: 32))
    private let both = Secrets(root: [UInt8](repeating: 8, count: 32), previous: [UInt8](repeating: 7, count: 32))

    /// A database with twenty sealed keys of the first secret.
    private func database(on engine: Engine) async throws -> TestDatabase {
        let database = try await engine.database()
        let store = try await database.open()
        let secrets = try await store.recognize(first)
        try await store.transaction { (records) throws(ActionError) in
            try records.insert(Account.sample())
            for number in 0..<20 {
                let sealed = secrets.seal([UInt8(number)], for: .secondFactor)
                try records.insert(
                    SecondFactor(id: "app-\(number)", kind: .totp, sealedKey: sealed, enrolledAt: .noon), of: .ada, in: .shop,
                    byAdmin: false)
            }
        }
        return database
    }

    private func numbers(in store: Store) async throws -> [UInt8?] {
        try await store.read { (records) throws(ActionError) in
            try records.secondFactors(of: .ada, in: .shop).map(\.sealedKey?.first)
        }
    }

    /// An interruption at any statement of any transaction leaves a database that the next call
    /// finishes.
    @Test(arguments: Engine.allCases, 1...6)
    func `is sealed again in steps, whole after an interruption`(on engine: Engine, statement: Int) async throws {
        let database = try await database(on: engine)
        let store = try await database.open()
        let secrets = try await store.recognize(both, beginningChange: true)
        let failing = Store.withoutMigrating(Failing(base: try await database.connect(), statement: statement))
        _ = try? await failing.reseal(by: secrets, limit: 4)
        let steps = Steps()
        let report = try await store.reseal(by: secrets, limit: 3) { steps.counts.append($0.resealed) }
        #expect(try await numbers(in: store) == Array(repeating: 2, count: 20))
        #expect(report.allSatisfy { $0.counts.impossible == 0 })
        if statement < 6 { #expect(Set(steps.counts).count > 6 && steps.counts == steps.counts.sorted()) }
        #expect(try await store.secretState(of: both) == .previousUnneeded)
        #expect(try await store.reseal(by: secrets).allSatisfy { $0.counts.resealed == 0 })
    }

    private final class Steps { var counts: [Int] = [] }

    /// D10: a damaged value stays as it is, and ends no change.
    @Test(arguments: Engine.allCases) func `is told of if it cannot be opened`(on engine: Engine) async throws {
        let database = try await database(on: engine)
        try await database.run("UPDATE second_factor SET sealed_key = \(database.bytes(2)) WHERE id = 'app-3'")
        let store = try await database.open()
        let secrets = try await store.recognize(both, beginningChange: true)
        let report = try await store.reseal(by: secrets, limit: 3)
        #expect(report.first { $0.table == "second_factor" }?.counts == ResealCounts(resealed: 19, impossible: 1))
        #expect(try await numbers(in: store).filter { $0 == 2 }.count == 19)
        #expect(try await store.secretState(of: both) == .previousUnneeded)
    }

    /// A new column is sealed again, and a new digest counted.
    @Test(arguments: Engine.allCases) func `is in a column that is known`(on engine: Engine) async throws {
        let schema = Migration.all(in: try await engine.database().connect().dialect).flatMap(\.statements).joined(separator: "\n")
        var (sealed, digests) = (Set<String>(), Set<String>())
        for table in schema.split(separator: "CREATE TABLE ").dropFirst() {
            let name = table.prefix { $0 != " " }
            for line in table.split(separator: "CREATE INDEX")[0].split(separator: "\n").dropFirst() {
                let column = line.split(separator: " ").first.map(String.init) ?? ""
                if column.hasPrefix("sealed") { sealed.insert("\(name).\(column)") }
                if line.contains("(length(\(column)) = 33)") { digests.insert("\(name).\(column)") }
            }
        }
        // Hashes and settings contain sealed values.
        #expect(Set(SealedColumn.all.map { "\($0.table).\($0.name)" }) == sealed.union(["account.password_hash"]))
        // Nothing is looked up by these.
        #expect(
            Set(Store.digestColumns.map { "\($0.0).\($0.1)" })
                == digests.subtracting(["session.family", "session.parent", "secret.fingerprint"]))
        #expect(sealed.count >= 4 && digests.count >= 9)
    }
}
