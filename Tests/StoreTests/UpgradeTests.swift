import Accounts
import Base
import Network
import Testing
import World
@testable import Store

/// N10: an old version serves while a new one starts. The fake next schema adds a table, and
/// columns and indexes to tables that are in use, as migrations may.
@Suite(.temporaryFolder) struct `An upgrade` {
    private static let next =
        Migration.examples + [
            Migration(
                version: Migration.countOfAll + 3,
                statements: [
                    "ALTER TABLE code ADD COLUMN colour TEXT", "ALTER TABLE mail ADD COLUMN colour INTEGER NOT NULL DEFAULT 4",
                    "CREATE INDEX mail_by_colour ON mail (colour)", "ALTER TABLE account ADD COLUMN colour TEXT",
                ])
        ]

    /// Makes a code with its mail, sends the mail, and applies the code.
    private static func serve(_ store: Store, _ number: Int) async throws {
        try await store.transaction({ records throws(ActionError) in
            try records.insert(.sample(.number(number), .signIn, of: nil, madeAt: .noon, lasting: .seconds(60)))
            try records.insert(StoredMail.sample(MailID(rawValue: Int64(number)), source: Int64(number)))
        })
        for mail in try await store.lease(MailLease(limit: 9, until: .noon + .seconds(30)), at: .noon) {
            try await store.end(mail, as: .sent, DeliveryOutcome(.accepted, answer: "250"), keepsLetter: false, at: .noon)
        }
        let isSpent = try await store.spend(number, at: .noon)
        #expect(isSpent)
    }

    @Test(arguments: Engine.allCases) func `does not stop the version before it`(on engine: Engine) async throws {
        let database = try engine.emptyDatabase()
        let old = [try await database.open(), try await database.open()]
        let served = AtomicCounter()
        let isOver = Latch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in old.enumerated() {
                group.addTask {
                    var number = index
                    while !isOver.isOpen {
                        try await Self.serve(store, number)
                        served.add()
                        number += old.count
                    }
                }
            }
            group.addTask {
                defer { isOver.open() }
                try await eventually("work before") { served.value > 20 }
                // Migrations run one after the other, as they do when a new version starts.
                for count in 1...Self.next.count {
                    try await database.migrate(adding: Array(Self.next.prefix(count)))
                    let now = served.value
                    try await eventually("work after migration \(count)") { served.value > now + 20 }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await old[0].backlog(countingTo: 9).mails == 0)
        // The new version reads what the old one wrote.
        let contents = try await database.contents()
        #expect(contents["code"]?.count == Int(served.value) && contents["migration"]?.count == Migration.countOfAll + 3)
    }
}
