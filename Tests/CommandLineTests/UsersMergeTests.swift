import Accounts
import ArgumentParser
import Base
import Foundation
import Logging
import Mail
import Store
import Synchronization
import Testing
import World
@testable import CommandLine
@testable import Configuration
@testable import Server

/// `onward users merge` and `unmerge`, and what the app's webhook is told.
@Suite struct `Merging users` {
    private func merge(_ into: String, _ from: String, _ more: String..., in setup: `Users`.Setup) async throws -> Int32 {
        do {
            try await UsersMerge.parse(["--into", into, "--from", from, "--config", setup.file("onward.yaml")] + more).run()
            return 0
        } catch let code as ExitCode { return code.rawValue }
    }

    private func unmerge(_ into: String, _ from: String, in setup: `Users`.Setup) async throws -> Int32 {
        do {
            try await UsersUnmerge.parse(["--into", into, "--from", from, "--config", setup.file("onward.yaml")]).run()
            return 0
        } catch let code as ExitCode { return code.rawValue }
    }

    private func setup() async throws -> `Users`.Setup {
        let setup = try `Users`.Setup()
        try setup.write(
            `Users`.users(
                `Users`.user("1"), `Users`.user("2", #","emailVerified":true,"providerUserInfo":[{"providerId":"google.com","rawId":"7"}]"#)
            ),
            to: "a.json")
        #expect(try await setup.take("a.json") == 0)
        return setup
    }

    private func withStore<T>(of setup: `Users`.Setup, _ body: (Store) async throws -> T) async throws -> T {
        try await DatabaseSetting.sqlite(path: setup.file("onward.sqlite")).withStore(body)
    }

    /// U1: only an admin merges accounts, and the sessions of both end. U5: the app is told of
    /// every merge and undoing, at least once and in order.
    @Test func `is done, looked at and undone by commands that are audited`() async throws {
        let setup = try await setup()
        #expect(try await merge("1", "2", "--dry-run", in: setup) == 0)
        #expect(try await setup.accounts().count == 2)
        #expect(try await merge("1", "2", "--json", in: setup) == 0)
        #expect(try await setup.accounts().map(\.id.rawValue) == ["1"])
        #expect(try await merge("1", "2", in: setup) == 1)
        #expect(try await unmerge("1", "2", in: setup) == 0)
        #expect(try await setup.accounts().map { $0.email?.value } == ["1@example.com", "2@example.com"])
        #expect(try await unmerge("1", "2", in: setup) == 1)
        let records = try await withStore(of: setup) { try await $0.audit(after: 0, limit: 9).map(\.record) }.dropFirst()
        #expect(records.map(\.method) == ["users merge", "users merge", "users unmerge", "users unmerge"])
        #expect(records.allSatisfy { $0.subjects == ["1", "2"] })
        #expect(records.map(\.outcome) == [.done, .refused(code: "USER_NOT_FOUND"), .done, .refused(code: "USER_NOT_FOUND")])
    }

    /// U5: signed, in order, again after a failure, and with no address.
    @Test func `is told to the webhook until it takes the events`() async throws {
        let setup = try await setup()
        #expect(try await merge("1", "2", in: setup) == 0)
        #expect(try await unmerge("1", "2", in: setup) == 0)
        let isDown = Atomic(true)
        let app = try LoopbackServer { _ in .answer(isDown.load(ordering: .relaxed) ? 500 : 204, "") }
        let clock = TestClock()
        let webhook = try WebhookSettings(
            url: try WebURL("\(app.base.origin)/events"), secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await withStore(of: setup) { store in
            let settings = Mutex<WebhookSettings?>(nil)
            let delivery = AccountEventDelivery(
                store: store, webhook: AccountEventWebhook(now: clock.now, logger: quiet), settings: { settings.withLock(\.self) },
                now: clock.now, logger: quiet)
            try await delivery.deliver()
            #expect(app.now.requests.isEmpty)
            settings.withLock { $0 = webhook }
            try await delivery.deliver()
            try await delivery.deliver()
            // The undoing waits for the merge, and the merge for ten seconds.
            #expect(app.now.requests.count == 1)
            isDown.store(false, ordering: .relaxed)
            clock.advance(by: .seconds(30))
            try await delivery.deliver()
            try await delivery.deliver()
            try await delivery.deliver()
            let requests = app.now.requests
            #expect(requests.count == 3)
            #expect(requests.map { $0.contains("account.merged") } == [true, true, false])
            #expect(requests.allSatisfy { $0.contains(#""localId":"1","fromLocalId":"2""#) && !$0.contains("@") })
            #expect(requests.allSatisfy { $0.contains("webhook-signature: v1,") && $0.contains("webhook-timestamp: ") })
            let ids = requests.compactMap { $0.firstMatch(of: #/webhook-id: ([\w-]+)/#)?.1 }
            #expect(ids.count == 3 && ids[0] == ids[1] && ids[1] != ids[2])
            #expect(try await store.leaseAccountEvent(until: clock.now(), at: clock.now() + .seconds(86_400)) == nil)
        }
    }

    @Test func `tries an event less and less often`() {
        let merge = Merge(into: AccountID(rawValue: "1"), from: AccountID(rawValue: "2"))
        let waits = (0..<8).map { attempts in
            AccountEvent(
                id: "x", kind: .merged, merge: merge, project: ProjectID(rawValue: "one"), at: Timestamp(seconds: 0), attempts: attempts
            ).wait
        }
        #expect(waits == [10, 30, 90, 270, 810, 2430, 7200, 7200].map { .seconds($0) })
    }
}
