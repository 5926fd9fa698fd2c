import Accounts
import ArgumentParser
import Base
import Foundation
import Store
import Testing
@testable import CommandLine
@testable import Configuration
@testable import Server

/// `onward users erase`, on a temporary database.
@Suite struct `Erasing a person` {
    private func erase(_ arguments: String..., in setup: `Users`.Setup) async throws -> Int32 {
        do {
            try await UsersErase.parse(arguments + ["--yes", "--config", setup.file("onward.yaml")]).run()
            return 0
        } catch let code as ExitCode { return code.rawValue }
    }

    private func audit(of setup: `Users`.Setup) async throws -> [AuditRecord] {
        try await DatabaseSetting.sqlite(path: setup.file("onward.sqlite")).withStore {
            try await $0.audit(after: 0, limit: 9).map(\.record)
        }
    }

    @Test func `deletes the account, found by address or id, and is recorded without the person`() async throws {
        let setup = try `Users`.Setup()
        try setup.write(`Users`.users(`Users`.user("1"), `Users`.user("2"), `Users`.user("3")), to: "a.json")
        #expect(try await setup.take("a.json") == 0)
        #expect(try await erase(" 1@EXAMPLE.com", in: setup) == 0)
        #expect(try await erase("--id", "2", "--project", "one", "--json", in: setup) == 0)
        #expect(try await setup.accounts().map(\.id.rawValue) == ["3"])
        // Nothing is left to erase.
        #expect(try await erase("1@example.com", in: setup) == 0)
        let records = try await audit(of: setup).suffix(3)
        #expect(records.allSatisfy { $0.method == "users erase" && $0.subjects.isEmpty && $0.outcome == .done })
        #expect(records.count == 3)
    }

    @Test(arguments: [["no address"], ["1@example.com", "--project", "two"]])
    func `changes nothing if the person or the project is unknown`(_ arguments: [String]) async throws {
        let setup = try `Users`.Setup()
        try setup.write(`Users`.users(`Users`.user("1")), to: "a.json")
        #expect(try await setup.take("a.json") == 0)
        #expect(try await erase(arguments[0], "--project", arguments.last ?? "", in: setup) == 1)
        #expect(try await setup.accounts().count == 1)
    }

    @Test(arguments: [[], ["a@example.com", "--id", "1"], ["--id", ""]])
    func `needs an address or an id`(_ arguments: [String]) {
        #expect(throws: (any Error).self) { _ = try UsersErase.parse(arguments) }
    }

    @Test func `says what it erased and what it cannot reach`() throws {
        let erased = Erasure.Erased(account: AccountID(rawValue: "k1"), auditRecords: 4)
        let summary = UsersErase.summary(of: erased, in: ProjectID(rawValue: "one"))
        #expect(summary.hasPrefix("Project one: the account k1 was erased, and 4 audit records no longer name it."))
        for word in ["backups", "log", "relays", "ID tokens", "Firebase"] { #expect(summary.contains(word), "\(word)") }
        let json = UsersErase.json(erased, in: ProjectID(rawValue: "one"))
        #expect(json["account"]?.string == "k1" && json["notReached"] != nil)
        #expect(
            UsersErase.summary(of: Erasure.Erased(account: nil, auditRecords: 0), in: ProjectID(rawValue: "one"))
                .hasPrefix("Project one: no account was found;"))
        let merge = Merge(into: AccountID(rawValue: "k2"), from: AccountID(rawValue: "k3"))
        let merged = Erasure.Erased(account: nil, auditRecords: 0, merges: [merge])
        #expect(UsersErase.summary(of: merged, in: ProjectID(rawValue: "one")).contains("The account k2 has what was moved to it"))
        #expect(UsersErase.json(merged, in: ProjectID(rawValue: "one"))["merges"]?.items?.first?["fromLocalId"]?.string == "k3")
    }
}
