import Accounts
import PostgreSQL
import Store
import Testing
import World

@Suite struct `A PostgreSQL database` {
    @Test func `commits what a transaction wrote`() async throws {
        let database = try await PostgreSQLDatabase(PostgreSQLDatabase.Options(url: try PostgreSQLCluster.newDatabase().url))
        let store = try await Store.open(database)
        try await store.ping()
        try await database.close()
    }
}
