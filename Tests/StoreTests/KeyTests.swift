import Accounts
import Store
import Testing

@Suite(.temporaryFolder) struct `Signing keys` {
    @Test(arguments: Engine.allCases)
    func `are made once by many who start together`(on engine: Engine) async throws {
        let database = try engine.database()
        _ = try await database.open()
        let found = try await withThrowingTaskGroup(of: [StoredSigningKey].self) { starts in
            for number in 0..<8 {
                starts.addTask {
                    try await database.open().signingKeys { () throws(ActionError) in
                        StoredSigningKey(id: "\(number)", createdAt: .noon, sealedPrivateKey: [UInt8(number)])
                    }
                }
            }
            return try await starts.reduce(into: Set<[StoredSigningKey]>()) { $0.insert($1) }
        }
        #expect(found.count == 1)
        #expect(found.first?.count == 1)
    }

    @Test(arguments: Engine.allCases)
    func `are not made when making fails`(on engine: Engine) async throws {
        let store = try await engine.store()
        let error = try await failure {
            _ = try await store.signingKeys { () throws(ActionError) in throw .unavailable(Unavailable(.tokens, cause: "no entropy")) }
        }
        #expect(error?.cause == "no entropy")
    }
}

@Suite(.temporaryFolder) struct `An admin key` {
    @Test(arguments: Engine.allCases)
    func `works until it is revoked, and is listed ever after`(on engine: Engine) async throws {
        let store = try await engine.store()
        let keys = (1...2).map { AdminKey(digest: .number($0), id: "key\($0)", label: "of \($0)", createdAt: .noon + .seconds($0)) }
        for key in keys.reversed() { try await store.insert(key) }
        #expect(try await store.adminKeys() == keys)
        #expect(try await store.adminKey(.number(1)) == keys[0])
        #expect(try await store.adminKey(.number(3)) == nil)
        #expect(try await store.revokeAdminKey("key1", at: .noon))
        #expect(try await store.revokeAdminKey("key1", at: .noon) == false)
        #expect(try await store.adminKey(.number(1)) == nil)
        #expect(try await store.adminKey(.number(2)) == keys[1])
        #expect(try await store.adminKeys().map(\.revokedAt) == [.noon, nil])
    }
}
