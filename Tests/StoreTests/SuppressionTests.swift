import Accounts
import Base
import Store
import Testing

@Suite(.temporaryFolder) struct `A suppression` {
    private static let digest = Digest.number(1)

    private func suppression(
        _ reason: Suppression.Reason = .bounce, of recipient: Digest = digest, in project: ProjectID = .shop,
        from provider: FeedbackProvider = .sns,
        at moment: Timestamp = .noon
    ) -> Suppression {
        Suppression(
            project: project, recipient: recipient, reason: reason, provider: provider, at: moment,
            until: reason == .bounce ? moment + .days(7) : nil)
    }

    /// A store that has offered a mail to Ada in `shop`, and has one for Bob.
    private func store(on engine: Engine) async throws -> Store {
        let store = try await engine.store()
        try await store.transaction({ (records) throws(ActionError) in
            try records.insert(StoredMail.sample(1))
        })
        _ = try await store.lease(MailLease(limit: 9, until: .noon + .seconds(60)), at: .noon)
        try await store.transaction({ (records) throws(ActionError) in
            try records.insert(StoredMail.sample(2, to: .bob))
        })
        return store
    }

    private func found(_ store: Store, at moment: Timestamp = .noon, in project: ProjectID = .shop) async throws -> [Suppression] {
        try await store.suppressions(of: Self.digest, in: project, at: moment)
    }

    @Test(arguments: Engine.allCases) func `is stored if its address was mailed`(on engine: Engine) async throws {
        let store = try await store(on: engine)
        let others = [suppression(of: .number(2)), suppression(of: .number(3)), suppression(in: .blog)]
        #expect(try await store.suppress(others, by: nil, at: .noon) == .counted(suppressed: 0))
        #expect(try await store.suppress([suppression()] + others, by: nil, at: .noon) == .counted(suppressed: 1))
        #expect(try await store.suppressions(at: .noon, limit: 9) == [suppression()])
        #expect(try await found(store, in: .blog).isEmpty)
    }

    @Test(arguments: Engine.allCases) func `is replaced by a later one for the same reason`(on engine: Engine) async throws {
        let store = try await store(on: engine)
        let later = suppression(from: .mailgun, at: .noon + .days(3))
        for one in [suppression(), suppression(.complaint), later] {
            #expect(try await store.suppress([one], by: nil, at: .noon) == .counted(suppressed: 1))
        }
        #expect(try await Set(found(store)) == [later, suppression(.complaint)])
        #expect(try await store.suppressions(in: .shop, at: .noon, limit: 9) == [later, suppression(.complaint)])
        #expect(try await store.suppressions(in: .blog, at: .noon, limit: 9).isEmpty)
    }

    @Test(arguments: Engine.allCases) func `is not stored by a report that was seen before`(on engine: Engine) async throws {
        let store = try await store(on: engine)
        #expect(try await store.suppress([suppression()], by: RememberedReport(.number(8)), at: .noon) == .counted(suppressed: 1))
        #expect(try await store.removeSuppressions(of: Self.digest, in: .shop) == 1)
        #expect(try await store.suppress([suppression()], by: RememberedReport(.number(8)), at: .noon) == .repeated)
        #expect(try await found(store).isEmpty)
        #expect(try await store.suppress([suppression()], by: RememberedReport(.number(9)), at: .noon) == .counted(suppressed: 1))
    }

    /// V1: whatever strangers send, a right password signs in and a right link opens.
    @Test(arguments: Engine.allCases) func `is not stored by a proof that came with another body`(on engine: Engine) async throws {
        let store = try await store(on: engine)
        func report(_ digest: Int, body: Int) -> RememberedReport {
            RememberedReport(.number(digest), proof: .init(.number(100), withBody: .number(body)))
        }
        #expect(try await store.suppress([], by: report(1, body: 101), at: .noon) == .counted(suppressed: 0))
        #expect(try await store.suppress([suppression()], by: report(1, body: 102), at: .noon) == .proofUsed)
        #expect(try await store.suppress([suppression()], by: report(2, body: 102), at: .noon) == .proofUsed)
        #expect(try await store.suppress([suppression()], by: report(1, body: 101), at: .noon) == .repeated)
        #expect(try await found(store).isEmpty)
        // The same body in another project.
        #expect(try await store.suppress([suppression()], by: report(2, body: 101), at: .noon) == .counted(suppressed: 1))
    }

    @Test(arguments: Engine.allCases) func `ends, and is then deleted`(on engine: Engine) async throws {
        let store = try await store(on: engine)
        _ = try await store.suppress([suppression(), suppression(.complaint)], by: RememberedReport(.number(8)), at: .noon)
        let end = Timestamp.noon + .days(7)
        #expect(try await found(store, at: end + .milliseconds(-1)).count == 2)
        #expect(try await found(store, at: end) == [suppression(.complaint)])
        #expect(try await store.purgeSuppressions(endedBefore: end) == 0)
        #expect(try await store.purgeSuppressions(endedBefore: end + .milliseconds(1)) == 1)
        #expect(try await found(store) == [suppression(.complaint)])
        #expect(try await store.purgeReports(receivedBefore: .noon) == 0)
        #expect(try await store.purgeReports(receivedBefore: end) == 1)
    }

    @Test(arguments: Engine.allCases) func `is removed by address, or for all addresses that bounced`(on engine: Engine) async throws {
        let store = try await store(on: engine)
        let both = [suppression(), suppression(.complaint)]
        _ = try await store.suppress(both, by: nil, at: .noon)
        #expect(try await store.removeSuppressions(of: .number(2), in: .shop) == 0)
        #expect(try await store.removeSuppressions(of: Self.digest, in: .blog) == 0)
        #expect(try await store.removeSuppressions(of: Self.digest, in: .shop) == 2)
        _ = try await store.suppress(both, by: nil, at: .noon)
        #expect(try await store.removeSuppressions(for: .bounce, in: .blog) == 0)
        #expect(try await store.removeSuppressions(for: .bounce, in: .shop) == 1)
        #expect(try await found(store) == [suppression(.complaint)])
    }
}
