import Accounts
import Store
import Testing

@Suite(.temporaryFolder) struct `The secret of a database` {
    private let first = Secrets(root: [UInt8](repeating: 7, count: 32))
    private let second = Secrets(root: [UInt8](repeating: 8, count: 32))

    @Test(arguments: Engine.allCases) func `is the first with which it was opened, and no other`(on engine: Engine) async throws {
        let database = try engine.database()
        let store = try await database.open()
        #expect(try await !store.has(first))
        #expect(try await store.recognize(first) == first)
        let before = try await database.contents()
        let error = try await failure { _ = try await database.open().recognize(second) }
        #expect(error?.cause?.contains("is not the one that the database \(try database.connect().name) was made with") == true)
        #expect(error?.cause?.contains("Configure that one again") == true && error?.cause?.contains("damaged") == false)
        #expect(try await store.has(first))
        #expect(try await !store.has(second))
        #expect(try await !store.recognize(first).hasPredecessor)
        #expect(try await database.contents() == before)
    }

    /// D10
    @Test(arguments: Engine.allCases, ["fingerprint", "fingerprint_copy"])
    func `is not called another one when its fingerprint is damaged`(on engine: Engine, column: String) async throws {
        let database = try engine.database()
        let store = try await database.open()
        _ = try await store.recognize(first)
        try await database.damage("UPDATE secret SET \(column) = zeroblob(33)")
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
