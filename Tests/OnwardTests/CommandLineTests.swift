import ArgumentParser
import EmailActions
import Testing
import Web

@testable import Onward

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
        #expect(
            await StoredAdminSettings(database: .sqlite(path: setup.file("other.sqlite"))).warning?.contains("is not a database of Onward")
                == true)
        #expect(try setup.read("other.sqlite").hasPrefix("no database"))
    }

    @Test func `says why settings of admins are not considered`() async throws {
        let setup = try Users.Setup()
        let missing = await StoredAdminSettings(database: .sqlite(path: setup.file("new.sqlite"))).caveat
        #expect(missing?.hasSuffix("new.sqlite does not exist; `onward serve` creates it. If it did, correct database.path.") == true)
        try setup.write("no database at all, but something else\n", to: "other.sqlite")
        let other = await StoredAdminSettings(database: .sqlite(path: setup.file("other.sqlite"))).caveat
        #expect(other?.contains("other.sqlite is not a database of Onward that this user can read; run") == true)
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
        let project = try #require(try ConfigurationReading.read(`A configuration`.valid).projects.first)
        #expect(ExplainURL.text(of: project.authorizedDomains.explain(url), in: project) == text)
    }
}
