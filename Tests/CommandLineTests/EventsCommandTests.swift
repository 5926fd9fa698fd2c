import Accounts
import ArgumentParser
import Base
import Foundation
import Store
import Testing
@testable import CommandLine
@testable import Configuration
@testable import Server

/// `onward events`, and the commands that change accounts.
@Suite struct `The events of commands` {
    private static let endpoint = "http://127.0.0.1:1/events"

    private func setup() async throws -> `Users`.Setup {
        let setup = try `Users`.Setup()
        let secret = Data("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".utf8)
        let isWritten = FileManager.default.createFile(
            atPath: setup.file("events.secret"), contents: secret, attributes: [.posixPermissions: 0o600])
        #expect(isWritten)
        let configuration = try String(contentsOfFile: setup.file("onward.yaml"), encoding: .utf8)
        let events = #"events: [{url: "\#(Self.endpoint)", secret: {file: "\#(setup.file("events.secret"))"}}]"#
        try setup.write(configuration + "\n\(events)\n", to: "onward.yaml")
        try setup.write(`Users`.users(`Users`.user("1"), `Users`.user("2")), to: "a.json")
        #expect(try await setup.take("a.json") == 0)
        return setup
    }

    private func kinds(in setup: `Users`.Setup) async throws -> [String] {
        try await DatabaseSetting.sqlite(path: setup.file("onward.sqlite")).withStore { store in
            try await store.events(parked: nil, in: nil, limit: 99).map { "\($0.event.kind.rawValue) \($0.event.account?.rawValue ?? "")" }
        }
    }

    private func run(_ command: (some AsyncParsableCommand).Type, _ arguments: String..., in setup: `Users`.Setup) async throws -> Int32 {
        do {
            var parsed = try command.parse(arguments + ["--config", setup.file("onward.yaml")])
            try await parsed.run()
            return 0
        } catch let code as ExitCode { return code.rawValue }
    }

    /// U5: a command tells as a server does.
    @Test func `tell of every change`() async throws {
        let setup = try await setup()
        #expect(try await kinds(in: setup) == ["accounts.imported "])
        #expect(try await run(UsersDisable.self, "--id", "1", in: setup) == 0)
        #expect(try await run(UsersEnable.self, "--id", "1", in: setup) == 0)
        #expect(try await run(UsersDelete.self, "--id", "1", "--yes", in: setup) == 0)
        #expect(
            try await kinds(in: setup) == ["accounts.imported ", "account.disabled 1", "account.enabled 1", "account.deleted 1"])
        #expect(try await run(UsersErase.self, "--id", "1", "--yes", in: setup) == 0)
        #expect(try await kinds(in: setup) == ["accounts.imported "], "also what was told of the account before")
    }

    @Test func `that do not arrive are known to the doctor`() async throws {
        let setup = try await setup()
        var configuration = try Configuration(file: setup.file("onward.yaml"), environment: { _ in String(repeating: "s", count: 40) })
        func diagnoses() async -> [String] {
            await Doctor(configuration, selectors: []).events().map { "\($0.subject): \($0.says)" }
        }
        #expect(await diagnoses() == ["events for http://127.0.0.1:1: 1 wait, and none has failed"])
        try await configuration.database.withStore { store in
            let delivery = try #require(try await store.events(parked: nil, in: nil, limit: 9).first)
            try await store.postpone(delivery, until: Timestamp(seconds: 1), because: "HTTP status 500")
        }
        #expect(await diagnoses() == ["events for http://127.0.0.1:1: 1 wait, and one failed 1 times: HTTP status 500"])
        try await configuration.database.withStore { store in
            let delivery = try #require(try await store.events(parked: nil, in: nil, limit: 9).first)
            try await store.park(delivery, because: "HTTP status 410", at: Timestamp(seconds: 1))
        }
        #expect(await diagnoses() == ["events for http://127.0.0.1:1: 1 are parked, such as one because of: HTTP status 410"])
        configuration.events = []
        #expect(await diagnoses() == ["events for http://127.0.0.1:1: some wait, and the configuration does not name it"])
    }

    @Test func `events are listed, sent again and dropped`() async throws {
        let setup = try await setup()
        let database = DatabaseSetting.sqlite(path: setup.file("onward.sqlite"))
        let event = try await database.withStore { store in
            let delivery = try #require(try await store.events(parked: nil, in: nil, limit: 9).first)
            try await store.park(delivery, because: "HTTP status 410", at: Timestamp(seconds: 1))
            return delivery.event
        }
        func parked() async throws -> Int { try await database.withStore { try await $0.countEvents(parked: true, upTo: 9) } }
        for arguments in [["--parked"], ["--waiting"], ["--json"]] {
            #expect(try await run(EventsCommand.List.self, arguments[0], in: setup) == 0)
        }
        #expect(try await run(EventsCommand.Retry.self, "unknown", in: setup) == 1)
        #expect(try await run(EventsCommand.Retry.self, event.id, in: setup) == 0)
        #expect(try await parked() == 0)
        #expect(try await run(EventsCommand.Retry.self, "--all-parked", in: setup) == 1)
        #expect(try await run(EventsCommand.Drop.self, event.id, in: setup) == 0)
        #expect(try await kinds(in: setup) == [])
        #expect(throws: (any Error).self) { try EventsCommand.Drop.parse([]) }
    }
}
