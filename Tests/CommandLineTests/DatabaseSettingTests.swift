import Accounts
import ArgumentParser
import Base
import Foundation
import Network
import Testing
import World
@testable import CommandLine
@testable import Configuration
@testable import Server

@Suite struct `The database of a configuration` {
    private static let start = "publicOrigin: https://auth.example.com\nsecret: {env: SECRET}\n"
    private static let end = "\nprojects: [{id: one, displayName: One, apiKeys: [key-of-one], authorizedDomains: [one.example.com]}]"

    private static func read(_ database: String, environment: [String: String]? = nil) throws -> DatabaseSetting {
        guard let environment else {
            return try Configuration(yaml: start + "database: " + database + end, file: "onward.yaml", environment: nil).database
        }
        let lookup: Configuration.Environment = { name in name == "SECRET" ? String(repeating: "s", count: 40) : environment[name] }
        return try Configuration(yaml: start + "database: " + database + end, file: "onward.yaml", environment: lookup).database
    }

    private static func problem(_ database: String, environment: [String: String]? = nil) -> String? {
        do {
            _ = try read(database, environment: environment)
            return nil
        } catch { return "\(error)" }
    }

    @Test func `is a file, or a PostgreSQL server with its settings`() throws {
        #expect(try Self.read("{path: a/b.sqlite}") == .sqlite(path: "a/b.sqlite"))
        guard case .postgreSQL(let plain) = try Self.read("postgresql://db.example/onward") else {
            Issue.record("not PostgreSQL")
            return
        }
        #expect(plain.maxConnections == 8 && plain.preparedStatements && plain.password == nil && plain.directAddress == nil)
        #expect(try plain.address.url().servers.map(\.description) == ["db.example:5432"])
        guard
            case .postgreSQL(let full) = try Self.read(
                "{url: postgres://pool.example/onward, directURL: postgres://db.example/onward, password: {env: PASSWORD}, "
                    + "maxConnections: 20, preparedStatements: false, replica: {url: postgres://copy.example/onward}, waitAtStart: 5m}",
                environment: ["PASSWORD": "hunter2"])
        else {
            Issue.record("not PostgreSQL")
            return
        }
        #expect(full.maxConnections == 20 && !full.preparedStatements && full.password == .variable("PASSWORD"))
        #expect(full.waitAtStart == .minutes(5) && plain.waitAtStart == .seconds(30))
        #expect(try full.directAddress?.url().servers.map(\.host) == ["db.example"])
        #expect(try full.replica?.address.url().servers.map(\.host) == ["copy.example"])
        #expect(full.replica?.maxStaleness == .seconds(2) && plain.replica == nil)
        #expect(try full.password?.text { _ in "hunter2" } == "hunter2")
        // Values of the configuration are dumped and compared, so none may contain a password.
        var text = ""
        dump(full, to: &text)
        #expect(!text.contains("hunter2"))
    }

    @Test func `has the URL of a platform that gives one with a password`() throws {
        let url = "postgres://onward:hunter2@db.example/onward"
        guard case .postgreSQL(let settings) = try Self.read("{url: {env: DATABASE_URL}}", environment: ["DATABASE_URL": url]) else {
            Issue.record("not PostgreSQL")
            return
        }
        #expect(settings.address == .secret(.variable("DATABASE_URL")))
        let found = try PostgreSQLURL(url)
        #expect(found.hasPassword && found.text == url)
        #expect(found.withoutSecrets == "postgres://onward@db.example:5432/onward")
    }

    /// Z6: each says where and what was expected, and none repeats the password.
    @Test(arguments: [
        ("{path: a, url: postgres://h/d}", "onward.yaml:3:12: database.path: unknown key; "),
        ("{}", "onward.yaml:3:11: database.path: is missing; expected a file (SQLite), or the key url (PostgreSQL)"),
        (
            "mysql://h/d", "onward.yaml:3:11: database: expected {path: FILE} for SQLite, or {url: postgres://…} for PostgreSQL"
        ),
        (
            "{url: mysql://h/d}",
            "onward.yaml:3:17: database.url: expected a URL that begins with postgres://, such as postgres://onward@db.example.com/onward"
        ),
        ("{url: \"postgres://o:hunter2@h/d\"}", "onward.yaml:3:17: database.url: a password does not belong in this file; expected"),
        ("{url: \"postgres://h/d?password=hunter2\"}", "onward.yaml:3:17: database.url: a password does not belong in this file"),
        ("{directURL: \"postgres://o:hunter2@h/d\", url: postgres://h/d}", "onward.yaml:3:23: database.directURL: a password does not"),
        ("postgres://o:hunter2@h/d", "onward.yaml:3:11: database: a password does not belong in this file"),
        ("{url: postgres://h/d, password: hunter2}", "onward.yaml:3:43: database.password: expected {file: PATH} or {env: NAME}"),
        ("{url: postgres://h/d, password: {env: NONE}}", "onward.yaml:3:43: database.password: the environment variable NONE is not set"),
        ("{url: {env: NONE}}", "onward.yaml:3:17: database.url: the environment variable NONE is not set"),
        ("{url: {env: BAD}}", "onward.yaml:3:17: database.url: expected a URL that begins with postgres://"),
        ("{url: \"postgres://h:port/d\"}", "onward.yaml:3:17: database.url: expected hosts as host:port, separated by commas"),
        ("{url: \"postgres://a,,b/d\"}", "onward.yaml:3:17: database.url: expected hosts as host:port, separated by commas"),
        ("{url: \"postgres://h/d?sslmode\"}", "onward.yaml:3:17: database.url: expected name=value after the ? of the URL"),
        (
            "{url: \"postgres://h/d?sslmod=require\"}",
            "onward.yaml:3:17: database.url: sslmod is no parameter of a PostgreSQL URL; did you mean sslmode?"
        ),
        ("{url: \"postgres://h/d?hunter=1\"}", "onward.yaml:3:17: database.url: hunter is no parameter of a PostgreSQL URL"),
        ("{url: \"postgres://h/d%0\"}", "onward.yaml:3:17: database.url: expected %XX for each special character of the URL"),
        (
            "{url: \"postgres://h/d?target_session_attrs=any\"}",
            "onward.yaml:3:17: database.url: target_session_attrs=any may choose a server that cannot write; expected read-write"
        ),
        ("{url: postgres://h/d, maxConnections: 0}", "onward.yaml:3:49: database.maxConnections: expected a whole number from 1 to 1000"),
        ("{url: postgres://h/d, preparedStatements: no}", "onward.yaml:3:53: database.preparedStatements: expected true or false"),
        (
            "{url: postgres://h/d, replica: {maxStaleness: 1s}}",
            "onward.yaml:3:42: database.replica.url: is missing; expected the URL of a PostgreSQL server"
        ),
        (
            "{url: postgres://h/d, replica: {url: postgres://r/d, maxStaleness: 2m}}",
            "onward.yaml:3:78: database.replica.maxStaleness: expected a duration from 100ms to 1m"
        ),
        (
            "{url: postgres://h/d, replica: {url: 'postgres://r/d?target_session_attrs=primary'}}",
            "onward.yaml:3:48: database.replica.url: target_session_attrs=primary refuses a replica; expected prefer-standby"
        ),
        ("{url: postgres://h/d, maxConnection: 4}", "onward.yaml:3:33: database.maxConnection: unknown key; did you mean maxConnections?"),
    ])
    func `is refused with its place in the file`(yaml: String, says: String) {
        let problem = Self.problem(yaml, environment: ["BAD": "hunter2"])
        #expect(problem?.hasPrefix(says) == true, "\(problem ?? "accepted")")
        #expect(problem?.contains("hunter2") == false)
    }

    @Test(arguments: [
        ("postgres:///onward", ["/var/run/postgresql/.s.PGSQL.5432"], true),
        ("postgres://a,b:6000,[::1]:7/x", ["a:5432", "b:6000", "[::1]:7"], false),
        ("postgresql://u@/x?host=/tmp&port=5433", ["/tmp/.s.PGSQL.5433"], true),
        ("postgres://localhost/x?host=a,b&port=1,2", ["a:1", "b:2"], false),
        ("postgres://a/x?sslmode=verify-full", ["a:5432"], true),
        ("postgres://a/x?sslmode=require", ["a:5432"], false),
        ("postgres://127.0.0.1/x", ["127.0.0.1:5432"], true),
        ("postgres:///?service=onward", [], false),
    ])
    func `names its hosts as libpq reads them`(url: String, hosts: [String], isVerified: Bool) throws {
        let read = try PostgreSQLURL(url)
        #expect(read.servers.map(\.description) == hosts)
        #expect(read.isVerified == isVerified)
    }

    @Test func `gets one more parameter in its URL`() throws {
        #expect(
            try PostgreSQLURL("postgres://a/x").adding("application_name", "onward serve")
                == "postgres://a/x?application_name=onward%20serve")
        let both = try PostgreSQLURL(try PostgreSQLURL("postgres://a/x?sslmode=prefer&options=2").adding("options", "ä&=3"))
        #expect(both.parameters == ["sslmode": "prefer", "options": "ä&=3"])
    }

    @Test func `is shared by servers with the same one`() throws {
        let one = try Self.read("{url: postgres://u@a/x, maxConnections: 4}")
        #expect(try Self.read("postgres://u@a/x").identity == one.identity && one.identity != nil)
        #expect(try Self.read("postgres://u@b/x").identity != one.identity)
    }

    @Test func `cannot be backed up or restored by Onward if it is PostgreSQL`() async throws {
        let setup = try Users.Setup()
        try setup.write(
            try setup.read("onward.yaml").replacing(#/database: .*/#, with: "database: postgres://127.0.0.1:1/onward"), to: "onward.yaml")
        let setting = try Configuration(file: setup.file("onward.yaml"), environment: { _ in nil }).database
        let failure = #expect(throws: Failure.self) { try setting.requireSQLite(for: "backup") }
        for words in ["`onward backup` is for SQLite", "pg_basebackup", "pg_dump", "onward store revoke-credentials"] {
            #expect(failure?.description.contains(words) == true)
        }
        await #expect(throws: ExitCode.failure) { try await Backup.parse(["--config", setup.file("onward.yaml")]).run() }
        await #expect(throws: ExitCode.failure) {
            try await Restore.parse([setup.file("onward.yaml"), "--config", setup.file("onward.yaml")]).run()
        }
    }

    @Test func `is refused by check-config if no server accepts a connection`() async throws {
        let settings = await StoredAdminSettings(database: try Self.read("postgres://127.0.0.1:1/onward"))
        #expect(settings.isUnreadable && settings.warning?.contains("postgres://127.0.0.1:1/onward") == true)
    }
}

@Suite struct `A start with a database that is down` {
    private static func connect(failing failures: Int, patience: Duration) async throws -> (tries: Int, causes: [String]) {
        var (tries, causes) = (0, [String]())
        try await DatabaseSetting.patiently(patience, pause: .milliseconds(1)) {
            tries += 1
            if tries <= failures { throw ActionError.unavailable(Unavailable(.store, cause: "down \(tries)")) }
        } onWait: {
            causes.append($0)
        }
        return (tries, causes)
    }

    /// G1: with the database down at start, Onward waits or ends, as configured, and says why.
    @Test func `waits for it as long as the configuration says, and says why once`() async throws {
        #expect(try await Self.connect(failing: 0, patience: .zero) == (1, []))
        #expect(try await Self.connect(failing: 3, patience: .patience) == (4, ["down 1"]))
        let error = await #expect(throws: ActionError.self) { try await Self.connect(failing: 1, patience: .zero) }
        guard case .unavailable(let down)? = error else {
            Issue.record("another error")
            return
        }
        #expect(down.cause == "down 1")
    }
}

@Suite struct `What a PostgreSQL server says of itself` {
    private static func facts(_ change: (inout PostgreSQLFacts) -> Void = { _ in }) -> PostgreSQLFacts {
        var facts = PostgreSQLFacts()
        (facts.version, facts.versionNumber, facts.role, facts.maxConnections) = ("15.14", 150_014, "onward", 100)
        facts.durability = ["fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"]
        change(&facts)
        return facts
    }

    private static func diagnoses(_ change: (inout PostgreSQLFacts) -> Void = { _ in }) throws -> [Diagnosis] {
        facts(change).diagnoses(of: PostgreSQLSettings(.url(try PostgreSQLURL("postgres://onward@db.example/onward"))))
    }

    @Test func `is all well`() throws {
        let found = try Self.diagnoses()
        #expect(found.count == 4 && found.allSatisfy { $0.severity == .ok })
        #expect(found[0].says.contains("PostgreSQL 15.14, role onward, not encrypted"))
    }

    @Test(arguments: ["fsync", "full_page_writes", "synchronous_commit"])
    func `is an error if a crash could undo what was committed`(setting: String) throws {
        let worst = try Self.diagnoses { $0.durability[setting] = "off" }.filter { $0.severity == .error }
        #expect(
            worst.count == 1 && worst[0].subject == "\(setting) of the server" && worst[0].remedy?.contains("Set \(setting) = on") == true)
    }

    @Test func `is an error if it is too old or a stand-by, and a warning if the role or the pool is too large`() throws {
        #expect(try Self.diagnoses { $0.versionNumber = 130_009 }[0].severity == .error)
        #expect(try Self.diagnoses { $0.isStandby = true }.contains { $0.severity == .error && $0.says.contains("stand-by") })
        #expect(try Self.diagnoses { $0.isSuperuser = true }.contains { $0.severity == .warning && $0.says.contains("superuser") })
        #expect(try Self.diagnoses { $0.maxConnections = 15 }.contains { $0.severity == .warning && $0.subject == "connections" })
    }

    @Test func `is asked of each host that accepts connections`() async throws {
        let silent = TCPProbe(host: "127.0.0.1", port: "1").failure(within: .seconds(3))
        #expect(silent?.contains("refused") == true)
        #expect(TCPProbe(host: "/nowhere", port: "5432").failure(within: .seconds(1)) == "there is no such socket on this machine")
        #expect(TCPProbe(host: "none.invalid", port: "5432").failure(within: .seconds(1)) == "its name has no address")
        let server = try #require(PostgreSQLURL("postgres://a:1/d").servers.first)
        #expect(Doctor.host(server, failure: silent).severity == .warning && Doctor.host(server, failure: nil).severity == .ok)
        #expect(Doctor.replica(server, failure: silent).severity == .warning && Doctor.replica(server, failure: nil).severity == .ok)
    }
}
