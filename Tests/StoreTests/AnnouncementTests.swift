import Accounts
import Base
import Foundation
import Network
import Testing
import World
@testable import Store

/// N9: a setting that an admin changes is in force on every node within a second.
@Suite(.temporaryFolder) struct `A change of settings` {
    @Test(.enabled(if: OtherServers.mayRun, "\(OtherServers.absence)"))
    func `is announced to other nodes on PostgreSQL, also after the server ended their connections`() async throws {
        let database = try await Engine.postgreSQL.database()
        let (node, other) = (try await database.open(), try await database.open())
        let heard = AtomicCounter()
        let changes = try #require(node.changes)
        let listener = Task { for await _ in changes { heard.add() } }
        defer { listener.cancel() }
        // The connection itself counts as a change, because one may have been missed.
        try await eventually("the connection") { heard.value == 1 }
        for round in 0..<2 {
            let before = heard.value
            _ = try await other.changeSettings(of: .shop, at: .noon) { _ in }
            try await eventually("the announcement") { heard.value > before }
            guard round == 0 else { break }
            let connected = heard.value
            try await database.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'")
            try await eventually("another connection") { heard.value > connected }
        }
    }

    @Test(.enabled(if: OtherServers.mayRun, "\(OtherServers.absence)"))
    func `that is rolled back is not announced`() async throws {
        let database = try await Engine.postgreSQL.database()
        let (node, other) = (try await database.open(), try await database.open())
        let heard = AtomicCounter()
        let changes = try #require(node.changes)
        let listener = Task { for await _ in changes { heard.add() } }
        defer { listener.cancel() }
        try await eventually("the connection") { heard.value == 1 }
        let refusal = ActionError.refused(.invalidArgument)
        _ = try await failure { _ = try await other.changeSettings(of: .shop, at: .noon) { _ throws(ActionError) in throw refusal } }
        #expect(heard.value == 1)
        _ = try await other.changeSettings(of: .shop, at: .noon) { _ in }
        try await eventually("the announcement") { heard.value > 1 }
        #expect(heard.value == 2)
    }

    @Test func `is looked for by each process on SQLite`() async throws {
        #expect(try await Engine.sqlite.store().changes == nil)
    }
}

@Suite(.temporaryFolder) struct `A change of an account` {
    /// The accounts that a store tells of, while its changes are read.
    private func told(by store: Store) -> Locked<[String]> {
        let told = Locked<[String]>([])
        _ = store.accountChanges.listen { key in told.update { $0.append("\(key.project.rawValue)/\(key.account.rawValue)") } }
        return told
    }

    @Test func `is told once it is committed, and only that`() async throws {
        let store = try await Engine.sqlite.store()
        let told = told(by: store)
        let account = Account(project: .shop, id: AccountID(rawValue: "ada/1"), createdAt: .noon)
        try await store.transaction { (records) throws(ActionError) in try records.insert(account) }
        #expect(told.value == [])
        _ = try await failure {
            try await store.transaction { (records) throws(ActionError) in
                try records.update(account)
                throw ActionError.refused(.invalidArgument)
            }
        }
        #expect(told.value == [])
        try await store.transaction { (records) throws(ActionError) in try records.noteUse(of: account) }
        #expect(told.value == [])
        try await store.transaction { (records) throws(ActionError) in
            try records.update(account)
            try records.update(account)
        }
        #expect(told.value == ["shop/ada/1"])
    }

    @Test(.enabled(if: OtherServers.mayRun, "\(OtherServers.absence)"))
    func `is told on every node on PostgreSQL`() async throws {
        let database = try await Engine.postgreSQL.database()
        let (node, other) = (try await database.open(), try await database.open())
        let (told, heard) = (told(by: node), AtomicCounter())
        let changes = try #require(node.changes)
        let listener = Task { for await _ in changes { heard.add() } }
        defer { listener.cancel() }
        try await eventually("the connection") { heard.value == 1 }
        let account = Account(project: .shop, id: AccountID(rawValue: "ada/1"), createdAt: .noon)
        try await other.transaction { (records) throws(ActionError) in try records.insert(account) }
        try await other.transaction { (records) throws(ActionError) in try records.update(account) }
        try await eventually("the announcement") { !told.value.isEmpty }
        #expect(told.value == ["shop/ada/1"] && heard.value == 1)
    }
}
