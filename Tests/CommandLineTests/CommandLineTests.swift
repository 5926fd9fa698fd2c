import Accounts
import ArgumentParser
import ConfigurationSamples
import Foundation
import Store
import Testing
import Web
import World
@testable import CommandLine
@testable import Configuration
@testable import Server

@Suite struct `The command line` {
    static let commands: [any ParsableCommand.Type] = OnwardCommand.configuration.subcommands

    @Test func `has an example of every command in its manual`() {
        let help = OnwardCommand.helpMessage(columns: 140)
        for part in [
            "onward dev", "onward serve --config", "onward check-config", "onward explain-url", "onward explain-link",
            "onward admin-key create", "onward signing-key list", "EXIT STATUS", "78",
        ] {
            #expect(help.contains(part))
        }
        for command in Self.commands where command.configuration.shouldDisplay {
            let name = command._commandName
            #expect(help.contains(name))
            #expect(OnwardCommand.helpMessage(for: command, columns: 140).contains("EXAMPLE"), "\(name) has no example")
        }
    }

    @Test(
        arguments: [
            ("srve --config x", "onward", "serve"), ("users lst", "onward users", "list"), ("help doktor", "onward", "doctor"),
            ("help nonsense", "onward", nil), ("nonsense", "onward", nil), ("mail", nil, nil), ("help users list", nil, nil),
            ("--version", nil, nil), ("explain-url nonsense", nil, nil), ("users help", nil, nil), ("", nil, nil),
        ] as [(String, String?, String?)])
    func `an unknown command is refused with the name that may be meant`(line: String, parent: String?, suggestion: String?) {
        let unknown = UnknownCommand.find(in: line.split(separator: " ").map(String.init), of: OnwardCommand.self)
        #expect(unknown?.parent == parent && unknown?.suggestion == suggestion)
        if let suggestion { #expect(unknown?.message.contains("Did you mean `\(parent ?? "") \(suggestion)`?") == true) }
    }

    @Test(arguments: [true, false]) func `applies abuse limits in dev only on request`(limits: Bool) throws {
        let dev = try DevConfiguration(port: 0, listen: nil, project: "demo", authorize: [])
        let folder = try DevFolder(named: nil)
        let configuration = try dev.configuration(in: folder, resources: nil, limits: limits, relay: nil)
        try folder.discard()
        #expect(configuration.abuseLimits == (limits ? Limit.standards : [:]))
        #expect(try Dev.parse(limits ? ["--limits"] : []).limits == limits)
    }

    @Test func `runs dev on a PostgreSQL database, whose secret has to be kept`() throws {
        let url = "postgres://localhost/onward_dev"
        #expect(throws: (any Error).self) { try Dev.parse(["--database", url]) }
        #expect(try Dev.parse(["--database", url, "--data", "data"]).database == url)
        let dev = try DevConfiguration(port: 0, listen: nil, project: "demo", authorize: [])
        let folder = try DevFolder(named: nil)
        defer { try? folder.discard() }
        let configuration = try dev.configuration(in: folder, database: url, resources: nil, limits: false, relay: nil)
        #expect(configuration.database == .postgreSQL(PostgreSQLSettings(.url(try PostgreSQLURL(url)))))
        for (wrong, says) in [("mysql://h/d", "begins with postgres://"), ("postgres://u:geheim@h/d", "PGPASSWORD")] {
            let error = #expect(throws: ValidationError.self) {
                try dev.configuration(in: folder, database: wrong, resources: nil, limits: false, relay: nil)
            }
            #expect(error?.message.hasPrefix("--database: ") == true && error?.message.contains(says) == true)
            #expect(error?.message.contains("geheim") == false)
        }
    }

    @Test func `warns of a database that serve could not open`() async throws {
        let setup = try Users.Setup()
        #expect(await StoredAdminSettings(database: .sqlite(path: setup.file("new.sqlite"))).warning == nil)
        #expect(
            await StoredAdminSettings(database: .sqlite(path: setup.file("none/new.sqlite"))).warning?.contains("does not exist; create it")
                == true)
        try setup.write("no database at all, but something else\n", to: "other.sqlite")
        try FileManager.default.createDirectory(atPath: setup.file("folder.sqlite"), withIntermediateDirectories: false)
        for (name, cause) in [("other.sqlite", "file is not a database"), ("folder.sqlite", "it is a folder")] {
            let warning = await StoredAdminSettings(database: .sqlite(path: setup.file(name))).warning
            #expect(warning?.contains("\(name) cannot be read as a database of Onward: ") == true && warning?.contains(cause) == true)
        }
        #expect(try setup.read("other.sqlite").hasPrefix("no database"))
    }

    @Test func `says why settings of admins are not considered`() async throws {
        let setup = try Users.Setup()
        let missing = await StoredAdminSettings(database: .sqlite(path: setup.file("new.sqlite"))).caveat
        #expect(missing?.hasSuffix("new.sqlite does not exist; `onward serve` creates it. If it did, correct database.path.") == true)
        try setup.write("no database at all, but something else\n", to: "other.sqlite")
        let other = await StoredAdminSettings(database: .sqlite(path: setup.file("other.sqlite"))).caveat
        #expect(other?.contains("other.sqlite cannot be read as a database of Onward: ") == true)
    }

    @Test func `prints its version`() { #expect(OnwardCommand.configuration.version == Version.report) }

    @Test(arguments: [
        ("https://app.one.example.com/x", "one: Allowed by \"one.example.com\"; people are sent to https://app.one.example.com/x"),
        (
            "https://two.example.com/",
            """
            one: Refused. No authorised domain covers two.example.com at this port; the entry "two.example.com" would.
                add to authorizedDomains of project one:
                  - "two.example.com"
            """
        ),
        (
            "https://evil.example\\@one.example.com/",
            "one: Refused. The URL contains a backslash, which some readers take for a slash; write %5C."
        ),
    ])
    func `explains the decision on a URL, and the entry to add`(url: String, text: String) throws {
        let project = try #require(try Configuration(sample: Configuration.sampleYAML).projects.first)
        #expect(ExplainURL.text(of: project.authorizedDomains.explain(url), in: project) == text)
    }
}

/// The needs of commands on a machine whose server has its secrets from systemd.
@Suite struct `A command of an operator` {
    private let setup: Users.Setup

    init() throws {
        setup = try Users.Setup()
        let tls = "\nlistenTLS: [\"127.0.0.1:8443\"]\ntls: [{certificate: \(setup.file("none")), privateKey: \(setup.file("none"))}]"
        try setup.write(try setup.read("onward.yaml") + tls + "\nmail: none\n", to: "onward.yaml")
    }

    private func takeSecretFromEnvironment() throws {
        let yaml = try setup.read("onward.yaml").replacing("{file: \(setup.file("secret"))}", with: "{env: ONWARD_TEST_HAS_NONE}")
        try setup.write(yaml, to: "onward.yaml")
    }

    @Test(arguments: [
        "admin-key list", "audit", "backup", "clock", "clock accept", "links list", "mail queue", "mail suppressed list", "migrate",
        "signing-key list", "store revoke-credentials",
    ])
    func `needs no secret and no certificate if it uses none`(command: String) async throws {
        try takeSecretFromEnvironment()
        try await setup.createDatabase()
        #expect(try await setup.onward(command.split(separator: " ").map(String.init)) == 0)
    }

    /// A mistyped path would become a database that no server uses.
    @Test(arguments: [
        "admin-key create", "admin-key list", "audit", "backup", "clock", "clock accept",
        "links create https://links.example.com/?link=https://one.example.com/", "links list", "mail queue", "mail trace ada@example.com",
        "secret reseal", "signing-key list", "signing-key rotate", "store revoke-credentials", "users get ada@example.com", "users list",
    ])
    func `creates no database, and no tables in an empty one`(command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        #expect(try await setup.onward(words) == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: setup.folder.path).allSatisfy { !$0.contains("sqlite") })
        guard command != "backup" else { return }
        try setup.write("", to: "onward.sqlite")
        #expect(try await setup.onward(words) == 1)
        let pending = try await DatabaseSetting.sqlite(path: setup.file("onward.sqlite")).withDatabase {
            try await Store.pendingMigrations(of: $0)
        }
        #expect(pending.first?.version == 1)
    }

    /// The imports are the first commands after a move from Firebase.
    @Test func `creates a database to import into`() async throws {
        try setup.write(#"{"users": [{"localId": "1", "email": "ada@example.com"}]}"#, to: "users.json")
        #expect(try await setup.onward(["users", "import", setup.file("users.json")]) == 0)
        #expect(try await setup.onward(["users", "get", "ada@example.com"]) == 0)
    }

    @Test func `restores without a secret and a certificate`() async throws {
        try takeSecretFromEnvironment()
        try await setup.createDatabase()
        #expect(try await setup.onward(["backup", "--to", setup.file("copy")]) == 0)
        #expect(try await setup.onward(["restore", setup.file("copy")]) == 0)
    }

    @Test(arguments: ["users list", "mail trace ada@example.com", "admin-key create"])
    func `needs no certificate if it uses the secret`(command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        try await setup.createDatabase()
        #expect(try await setup.onward(words) == 0)
        #expect(try await setup.onward(["check-config"]) == ExitCode.badConfiguration.rawValue)
        try takeSecretFromEnvironment()
        #expect(try await setup.onward(words) == ExitCode.badConfiguration.rawValue)
    }
}
