import Accounts
import Testing
@testable import Store

/// With millions of codes, each index that is used is one more page of the file to read.
@Suite(.temporaryFolder) struct `A code without siblings` {
    @Test func `is looked up and spent by primary keys alone`() async throws {
        let database = try await Engine.sqlite.database()
        let code = StoredCode.sample(.number(1), .verifyEmail)
        try await database.open().prepare(code)
        let plans = try await database.connect().write { db throws(ActionError) in
            let explained = Explained(db: db)
            let records = SQLRecords(db: explained)
            #expect(try records.codeAndNewer(code.key, at: .noon)?.code == code)
            #expect(try records.account(.ada, in: .shop) != nil)
            let spent = try records.spend(code.key, of: .verifyEmail, in: .shop, at: .noon)
            #expect(spent == code)
            #expect(try records.verify(.ada, of: .ada, in: .shop, at: .noon))
            let plans = explained.plans
            try records.withdrawOthers(like: code, at: .noon)
            #expect(explained.plans.count == plans.count)
            return plans
        }
        #expect(plans.count >= 4)
        for (sql, plan) in plans where !sql.hasPrefix("UPDATE code") || !sql.contains("proved_address") {
            #expect(plan.contains("PRIMARY KEY") && !plan.contains("INDEX"), "\(sql): \(plan)")
        }
        // No index is read unless the address comes back.
        let ending = try #require(plans.first { $0.sql.hasPrefix("UPDATE code") && $0.sql.contains("proved_address") })
        #expect(ending.plan.firstMatch(of: /SEARCH (back|later|undo) USING PRIMARY KEY/)?.1 == "back", "\(ending.plan)")
    }
}

@Suite(.temporaryFolder) struct `The deletion of an account by its user` {
    /// Everyone may sign up and delete the account again, however many mails and codes there are.
    @Test func `reads the rows of the account alone`() async throws {
        let database = try await Engine.sqlite.database()
        try await database.open().prepare(StoredCode.sample(.number(1), .verifyEmail))
        let plans = try await database.connect().write { db throws(ActionError) in
            let explained = Explained(db: db)
            let records = SQLRecords(db: explained)
            if let account = try records.account(.ada, in: .shop) { try records.releaseSignInLinks(of: account) }
            return explained.plans.filter { $0.sql.hasPrefix("UPDATE") }
        }
        #expect(plans.count == 2)
        for (sql, plan) in plans { #expect(!plan.contains("SCAN") && plan.contains("_of_account"), "\(sql): \(plan)") }
    }
}

@Suite(.temporaryFolder) struct `The providers that have verified an address` {
    /// A stranger may ask for the providers of any address.
    @Test func `the providers of an address are found by an index`() async throws {
        let database = try await Engine.sqlite.database()
        _ = try await database.open()
        let plans = try await database.connect().write { db throws(ActionError) in
            let explained = Explained(db: db)
            _ = try SQLRecords(db: explained).providers(verifying: .ada, in: .shop)
            return explained.plans
        }
        #expect(plans.count == 1)
        for (sql, plan) in plans {
            #expect(plan.contains("linked_provider_by_email") && plan.contains("linked_provider_by_present_email"), "\(sql): \(plan)")
        }
    }
}

@Suite(.temporaryFolder) struct `The number of short links that clients have` {
    /// At the most that a project allows, each further request asks for it.
    @Test func `is known without a row for each`() async throws {
        let database = try await Engine.sqlite.database()
        _ = try await database.open()
        let plans = try await database.connect().write { db throws(ActionError) in
            let explained = Explained(db: db)
            _ = try SQLRecords(db: explained).countLiveClientShortLinks(in: .shop)
            return explained.plans
        }
        #expect(plans.count == 2)
        for (plan, index) in zip(plans.map(\.plan), ["disabled_short_link", "short_link_of_clients"]) {
            #expect(plan.contains("SEARCH short_link USING COVERING INDEX \(index) (project=?"), "\(plan)")
        }
    }
}

@Suite(.temporaryFolder) struct `A question of support` {
    /// It may be asked of ten million accounts and mails.
    @Test func `a list for support is read by an index, without sorting`() async throws {
        let database = try await Engine.sqlite.database()
        _ = try await database.open()
        let plans = try await database.connect().write { db throws(ActionError) in
            let explained = Explained(db: db)
            let records = SQLRecords(db: explained)
            _ = try records.accounts(withEmailFrom: "a", to: "b", limit: 9, in: .shop)
            _ = try records.newestAccounts(before: nil, limit: 9, in: .shop)
            _ = try records.newestAccounts(before: .sample(), limit: 9, in: .shop)
            for selection in [MailSelection.to(.number(1)), .about(.ada), .parked, .waiting] {
                _ = try records.mailRecords(selection, in: .shop, before: nil, limit: 9, at: .noon)
            }
            _ = try records.execute("INSERT INTO audit (at, actor, method) VALUES (1, 'a', 'm')")
            _ = try records.mailOverview(in: .shop, since: .noon, limit: 9, endedLimit: 9)
            _ = try records.events(of: nil, parked: true, in: .shop, limit: 9)
            _ = try records.audit(AuditSearch(account: .ada, before: 9, limit: 9), in: .shop)
            return explained.plans.filter { !$0.sql.contains("max(position)") && !$0.sql.hasPrefix("INSERT") }
        }
        let indexes = [
            "(project=? AND email>? AND email<?)", "account_by_time (project=?)", "account_by_time (project=? AND (created_at,id)<(?,?))",
            "mail_of_recipient (project=? AND recipient_digest=? AND id<?)", "mail_of_account (project=? AND account=? AND rowid<?)",
            "parked_mail (project=? AND id<?)", "waiting_mail", "COVERING INDEX ended_mail_of_project (project=? AND ended_at>?)",
            "COVERING INDEX ended_mail_of_project (project=? AND ended_at>?)", "waiting_mail", "mail_of_source (project=?)",
            "parked_mail (project=?)",
            "parked_event_of_project (project=?)", "rowid>? AND rowid<?",
        ]
        #expect(plans.count == indexes.count)
        for ((sql, plan), index) in zip(plans, indexes) {
            #expect(plan.contains(index) && (sql.contains("GROUP BY") || !plan.contains("TEMP B-TREE")), "\(sql): \(plan)")
        }
    }
}

/// Records the query plan of each statement.
private final class Explained: SQLStatements {
    private let db: any SQLStatements
    private(set) var plans: [(sql: String, plan: String)] = []

    init(db: any SQLStatements) { self.db = db }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] {
        try explain(sql, arguments)
        return try db.rows(sql, arguments)
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int {
        try explain(sql, arguments)
        return try db.execute(sql, arguments)
    }

    private func explain(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) {
        plans.append((sql, "\(try db.rows("EXPLAIN QUERY PLAN \(sql)", arguments))"))
    }
}
