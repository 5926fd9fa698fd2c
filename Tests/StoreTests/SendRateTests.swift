import Accounts
import Base
import Foundation
import Network
import PostgreSQL
import Testing
import World
@testable import Store

/// N11: requests for mails of one project at once do not hold each other up.
@Suite struct `Requests for mails of one project` {
    /// Eight connections that write codes with their mails, as requests for links do, while a ninth
    /// leases and ends the mails. Prints what was measured.
    @Test(.enabled(if: OtherServers.mayRun, "\(OtherServers.absence)"))
    func `do not hold each other up on PostgreSQL`() async throws {
        let database = try await PostgreSQLDatabase(PostgreSQLDatabase.Options(patientlyAt: try PostgreSQLCluster.newDatabase().url))
        let store = try await Store.open(database)
        let (senders, sends) = (8, 150)
        let ended = AtomicCounter()
        let delivery = Task {
            while ended.value < Int64(senders * sends) {
                let mails = try await store.lease(MailLease(limit: 16, until: .noon + .seconds(50)), at: .noon)
                for mail in mails {
                    try await store.end(mail, as: .sent, DeliveryOutcome(.accepted, answer: "250"), keepsLetter: false, at: .noon)
                    ended.add()
                }
            }
        }
        let before = database.conflictCount
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<senders {
                group.addTask {
                    for number in 0..<sends {
                        let email = EmailAddress("user\(sender)-\(number)@example.com") ?? .ada
                        let key = CodeKey(rowID: store.rowIDs.next(), digest: .number(sender * sends + number))
                        try await store.transaction({ records throws(ActionError) in
                            _ = try records.suppressions(of: .number(1), in: .shop, at: .noon)
                            try records.insert(.sample(key, .signIn, of: nil, email: email))
                            try records.insert(
                                StoredMail.sample(
                                    MailID(rawValue: store.rowIDs.next()), code: key.rowID, to: email, source: Int64(number % 50)))
                        })
                    }
                }
            }
            try await group.waitForAll()
        }
        let span = ContinuousClock.now - start
        let conflicts = database.conflictCount - before
        let rate = Double(senders * sends) / (span / .seconds(1))
        let retries = Double(conflicts) / Double(senders * sends)
        print("sends: \(Int(rate)) a second, \(retries) retries each")
        try await delivery.value
        // Far more than on a busy machine; without a bound, each send would meet all the others.
        #expect(retries < 2)
    }
}
