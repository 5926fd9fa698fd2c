import Accounts
import ArgumentParser
import Base
import ConfigurationSamples
import Foundation
import Testing
import World
import Yams
@testable import CommandLine
@testable import Configuration

/// The sample, schema, manual pages and completions of the repository (W3). `RECORD=1` rewrites
/// them.
@Suite struct `A generated file` {
    static let sample = Result { try String(contentsOfFile: Repository.root + "Config/onward.yaml", encoding: .utf8) }
    static let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"

    private let files: [String: String]

    init() throws {
        files = try GeneratedFiles().contents
    }

    private func file(_ path: String) throws -> String { try #require(files[path]) }

    @Test func `is up to date in the repository`() throws {
        #expect(files.count == 7)
        for (path, text) in files {
            let file = URL(filePath: Repository.root + path)
            if Self.isRecording { try Data(text.utf8).write(to: file) }
            let stored = try? String(contentsOf: file, encoding: .utf8)
            #expect(stored == text, "\(path) is not up to date: run this test with RECORD=1")
        }
    }

    private func faults(_ yaml: String) throws -> [String] {
        let schema = try JSON(Array(file("Config/onward.schema.json").utf8))
        let node = try #require(try Yams.compose(yaml: yaml))
        return SchemaCheck(schema).faults(in: node)
    }

    @Test func `for editors accepts the sample, with its defaults spelled out as well`() throws {
        let sample = try Self.sample.get()
        #expect(try faults(sample) == [])
        let spelledOut = sample.replacing(#/(?m)^#(?=[a-z]|  )/#, with: "").replacing(#/(?m)^(  +)#(?=[a-z]|  )/#, with: { $0.1 })
        #expect(spelledOut != sample)
        #expect(try faults(spelledOut) == [])
    }

    @Test(arguments: [
        ("publicOrigin: https://auth.example.com", "publicOrigin is missing"),
        ("    displayName: My App", "projects[0].displayName is missing"),
    ])
    func `for editors misses what is required`(_ line: String, _ fault: String) throws {
        #expect(try faults(Self.sample.get().replacing(line, with: "")) == [fault])
    }

    @Test(arguments: [
        ("limits: {maxConnections: 3}", "limits.maxConnections is not in 16...1000000"),
        ("limits: {maxConnection: 300}", "limits.maxConnection is not known"), ("log: {format: xml}", "log.format is none of its words"),
        ("log: {level: true}", "log.level is none of its words"), ("auditRetention: 3 days", "auditRetention has none of its forms"),
        ("listen: 8080", "listen is not of type array"), ("limits: {grace: 20}", "limits.grace is not of type string"),
        ("limits: {grace: 20sec}", "limits.grace does not match its pattern"),
        ("tls: [{certificate: a.pem}]", "tls[0].privateKey is missing"), ("database: {}", "database has none of its forms"),
        ("database: {url: postgres://db.example/onward, path: a.sqlite}", "database has none of its forms"),
        ("database: {path: a.sqlite, maxConnections: 4}", "database has none of its forms"),
    ])
    func `for editors finds a mistake`(_ line: String, _ fault: String) throws {
        #expect(try faults(Self.sample(with: line)) == [fault])
    }

    @Test(arguments: [
        "auditRetention: forever", "mail: none", "abuseLimits: {signUpsPerSource: off}",
        "secret: {current: {env: NEW}, previous: {file: old}}", "database: postgres://onward@db.example/onward",
        "database: {url: postgres://onward@db.example/onward}", "database: {url: {env: DATABASE_URL}, directURL: {file: direct}}",
        "database: {url: postgres://db.example/onward, password: {file: p}, maxConnections: 20, preparedStatements: false, waitAtStart: 5m}",
    ])
    func `for editors accepts each form of a value`(_ line: String) throws {
        #expect(try faults(Self.sample(with: line)) == [])
    }

    /// The sample with a line in place of its value of that key.
    private static func sample(with line: String) throws -> String {
        let key = line.prefix { $0 != ":" }
        let others = try sample.get().replacing(try Regex("(?m)^\(key):.*\n(?:^ .*\n|^#.*\n|^\n)*(?=^\\w)"), with: "")
        return others + "\n" + line + "\n"
    }

    @Test(arguments: ["Config/compose/onward.yaml", "Config/kubernetes/configuration.yaml"])
    func `for editors accepts the configurations for containers, as the server does`(_ path: String) throws {
        let yaml = try String(contentsOf: URL(filePath: Repository.root + path), encoding: .utf8)
        #expect(try faults(yaml) == [])
        guard case .postgreSQL(let settings) = try Configuration(alone: yaml).database else {
            Issue.record("the nodes of \(path) share no database")
            return
        }
        #expect(settings.password != nil)
    }

    @Test func `counts the replicas of Kubernetes as nodes`() throws {
        func text(_ name: String) throws -> String {
            try String(contentsOf: URL(filePath: Repository.root + "Config/kubernetes/\(name).yaml"), encoding: .utf8)
        }
        let replicas = try #require(text("deployment").firstMatch(of: #/(?m)^  replicas: (\d+)$/#))
        #expect(try Configuration(alone: text("configuration")).nodes == Int(replicas.1))
    }

    @Test func `of the manual has every command and option, and every key`() throws {
        let (commands, settings) = try (file("Docs/man/onward.1"), file("Docs/man/onward.yaml.5"))
        for call in ["onward serve", "onward mail suppressed list", "onward users merge", "onward self\\-check"] {
            #expect(commands.contains(".SS \"\(call)\"\n"), "\(call)")
        }
        #expect(commands.contains("\\fB\\-\\-dkim\\-selector <name>\\fR"))
        for key in ["passwordsPerKnownNetwork", "maxBufferedBytes", "revertSecondFactorAddition", "pinnedKey", "verifiesEmail"] {
            #expect(settings.contains("\\fB\(key)\\fR"), "\(key)")
        }
        #expect(settings.contains("\\fBmaxConnections\\fR\nA whole number from 16 to 1000000. Default: 20000.\n"))
    }

    @Test func `for a shell completes every command`() throws {
        for path in ["Config/completions/onward.bash", "Config/completions/_onward", "Config/completions/onward.fish"] {
            let script = try file(path)
            for word in ["check-config", "self-check", "suppressed", "dkim-selector"] { #expect(script.contains(word), "\(path): \(word)") }
        }
    }
}
