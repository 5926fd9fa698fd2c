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
}
