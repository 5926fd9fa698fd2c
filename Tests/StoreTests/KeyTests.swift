import Accounts
import Base
import Store
import Testing

@Suite(.temporaryFolder) struct `Signing keys` {
    private func key(_ number: Int) -> StoredSigningKey {
        StoredSigningKey(
            id: "\(number)", createdAt: .noon, signsFrom: .noon + .seconds(number), sealedPrivateKey: [UInt8(number)])
    }

    /// T5: each process decides on the keys that the others have added.
    @Test(arguments: Engine.allCases)
    func `are added once by many processes that start together`(on engine: Engine) async throws {
        let database = try await engine.database()
        _ = try await database.open()
        try await withThrowingTaskGroup { starts in
            for number in 0..<8 {
                let key = key(number)
                starts.addTask { try await database.open().changeSigningKeys { KeyChange(adding: $0.isEmpty ? key : nil) } }
            }
            try await starts.waitForAll()
        }
        #expect(try await database.open().signingKeys().count == 1)
    }

    @Test(arguments: Engine.allCases)
    func `are listed in the order in which they begin to sign, and deleted by id`(on engine: Engine) async throws {
        let store = try await engine.store()
        for number in [3, 1, 2] {
            let key = key(number)
            try await store.changeSigningKeys { _ in KeyChange(adding: key) }
        }
        #expect(try await store.signingKeys() == [key(1), key(2), key(3)])
        try await store.changeSigningKeys { KeyChange(adding: nil, removing: [$0[0].id, $0[2].id]) }
        #expect(try await store.signingKeys() == [key(2)])
    }
}

@Suite(.temporaryFolder) struct `An admin key` {
    @Test(arguments: Engine.allCases)
    func `works until it is revoked, and stays in the list`(on engine: Engine) async throws {
        let store = try await engine.store()
        let keys = (1...2).map {
            AdminKey(digest: .number($0), id: "key\($0)", label: "of \($0)", scope: .usual, createdAt: .noon + .seconds($0))
        }
        for key in keys.reversed() { try await store.insert(key) }
        #expect(try await store.adminKeys() == keys)
        #expect(try await store.adminKey(.number(1), at: .noon) == keys[0])
        #expect(try await store.adminKey(.number(3), at: .noon) == nil)
        #expect(try await store.revokeAdminKey("key1", at: .noon))
        #expect(try await store.revokeAdminKey("key1", at: .noon) == false)
        #expect(try await store.adminKey(.number(1), at: .noon) == nil)
        #expect(try await store.adminKey(.number(2), at: .noon) == keys[1])
        #expect(try await store.adminKeys().map(\.revokedAt) == [.noon, nil])
    }
    @Test(arguments: Engine.allCases)
    func `keeps its scope, and ends when it expires`(on engine: Engine) async throws {
        let store = try await engine.store()
        let scope = AdminScope(project: ProjectID(rawValue: "shop"), permissions: [.passwordHashes, .read])
        let key = AdminKey(
            digest: .number(1), id: "key", label: "", scope: scope, createdAt: .noon, expiresAt: .noon + .seconds(60))
        try await store.insert(key)
        #expect(try await store.adminKey(.number(1), at: .noon + .milliseconds(59_999)) == key)
        #expect(try await store.adminKey(.number(1), at: .noon + .seconds(60)) == nil)
        #expect(try await store.adminKeys().map { $0.state(at: .noon + .seconds(60)) } == [.expired])
    }
}
