import Accounts
import ArgumentParser
import Base
import Foundation
import Store
import Testing
import World
@testable import CommandLine
@testable import Configuration
@testable import Server

/// `onward users list`, `get`, `disable`, `enable` and `delete`, and `onward link create`.
@Suite struct `The commands of a support desk` {
    private static let accounts = Users.users(Users.user("1"), Users.user("2"))

    private func setUp() async throws -> Users.Setup {
        let setup = try Users.Setup()
        try setup.write(Self.accounts, to: "a.json")
        #expect(try await setup.take("a.json") == 0)
        return setup
    }

    /// - Returns: the exit status.
    private func run(_ command: (some AsyncParsableCommand).Type, _ arguments: String..., in setup: Users.Setup) async throws -> Int32 {
        do {
            var parsed = try command.parse(arguments + ["--config", setup.file("onward.yaml")])
            try await parsed.run()
            return 0
        } catch let code as ExitCode { return code.rawValue }
    }

    private func records(of setup: Users.Setup) async throws -> [AuditRecord] {
        try await DatabaseSetting.sqlite(path: setup.file("onward.sqlite")).withStore {
            try await $0.audit(after: 0, limit: 20).map(\.record)
        }
    }

    @Test func `lock and unlock an account, end its sessions, and are recorded`() async throws {
        let setup = try await setUp()
        let before = try #require(try await setup.accounts().first { $0.id.rawValue == "1" })
        #expect(try await run(UsersDisable.self, "1@example.com", in: setup) == 0)
        let locked = try #require(try await setup.accounts().first { $0.id.rawValue == "1" })
        #expect(locked.disabled && locked.validSince > before.validSince)
        #expect(try await run(UsersEnable.self, "--id", "1", "--json", in: setup) == 0)
        #expect(try await setup.accounts().allSatisfy { !$0.disabled })
        let last = try await records(of: setup).suffix(2)
        #expect(last.map(\.method) == ["users disable", "users enable"] && last.allSatisfy { $0.subjects == ["1"] && $0.outcome == .done })
    }

    @Test func `delete an account, and no other`() async throws {
        let setup = try await setUp()
        #expect(try await run(UsersDelete.self, "2@example.com", "--yes", in: setup) == 0)
        #expect(try await setup.accounts().map(\.id.rawValue) == ["1"])
    }

    @Test(arguments: [["none@example.com"], ["--id", "9"], ["not an address"], ["1@example.com", "--project", "two"]])
    func `change nothing if the account or the project is unknown`(_ arguments: [String]) async throws {
        let setup = try await setUp()
        let arguments = arguments + ["--config", setup.file("onward.yaml")]
        for command in [UsersDisable.self, UsersDelete.self, UsersGet.self] as [any AsyncParsableCommand.Type] {
            let yes = command == UsersDelete.self ? ["--yes"] : []
            var parsed = try #require(try command.parseAsRoot(arguments + yes) as? any AsyncParsableCommand)
            await #expect(throws: ExitCode.failure) { try await parsed.run() }
        }
        #expect(try await setup.accounts().map(\.disabled) == [false, false])
    }

    @Test func `need an account, by its address or its id`() {
        for arguments in [[], ["a@example.com", "--id", "1"], ["--id", ""]] {
            #expect(throws: (any Error).self) { _ = try UsersGet.parse(arguments) }
        }
    }

    @Test func `show an account with its ways to sign in`() async throws {
        let setup = try await setUp()
        try await ProjectAccounts.parse(["--config", setup.file("onward.yaml")]).open { context in
            let profile = try await AccountArgument.parse(["1@example.com"]).profile(in: context)
            #expect(profile.line == "1  1@example.com" && profile.details.contains("created"))
            #expect(profile.json["localId"]?.string == "1" && profile.json["email"]?.string == "1@example.com")
            #expect(profile.json["disabled"] == .bool(false))
        }
        #expect(try await run(UsersList.self, "--limit", "1", in: setup) == 0)
    }

    @Test func `create a link that works, and mail nothing`() async throws {
        let setup = try await setUp()
        try await ProjectAccounts.parse(["--config", setup.file("onward.yaml")]).open { context in
            let create = try LinkCommand.Create.parse(["resetPassword", "1@example.com"])
            let issued = try await create.issue(in: context)
            #expect(issued.link.hasPrefix("https://auth.example.com/__/auth/action?"))
            #expect(issued.link.contains("mode=resetPassword&oobCode="))
            let inspected = try await context.accounts.inspect(issued.code, in: context.settings)
            guard case .live(let pending) = inspected else {
                Issue.record("the link is not live")
                return
            }
            #expect(pending.email == "1@example.com")
            #expect(try await context.store.countMails(in: context.project) == 0)
        }
        let last = try #require(try await records(of: setup).last)
        #expect(last.method == "link create" && last.outcome == .done)
    }

    @Test(arguments: [
        ["resetPassword", "none@example.com"], ["signIn", "1@example.com"],
        ["signIn", "1@example.com", "--continue-url", "https://evil.example/"], ["resetPassword", "nothing"],
    ])
    func `create no link for an unknown account, or to a host that is not authorised`(_ arguments: [String]) async throws {
        let setup = try await setUp()
        let create = try LinkCommand.Create.parse(arguments + ["--config", setup.file("onward.yaml")])
        await #expect(throws: ExitCode.failure) { try await create.run() }
    }
}
