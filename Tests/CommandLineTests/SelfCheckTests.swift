import Accounts
import ArgumentParser
import Foundation
import Logging
import SQLite
import Testing
import World
@testable import CommandLine
@testable import Configuration
@testable import Server
@testable import Store

/// `onward self-check` (W1, W2).
@Suite struct `A self-check` {
    private let setup: Users.Setup

    init() throws {
        setup = try Users.Setup()
        try setup.write(try setup.read("onward.yaml") + "\nmail: none\nresources: \(Repository.root)\n", to: "onward.yaml")
    }

    /// A database with a signing key, as the first start leaves it.
    private func start() async throws {
        let configuration = try Configuration(file: setup.file("onward.yaml"), environment: { _ in nil })
        let installation = try await Installation(
            configuration, mode: .production, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await installation.resources.connection.close()
    }

    private func change(_ sql: String) async throws {
        let database = try SQLiteDatabase(path: setup.file("onward.sqlite"))
        _ = try await database.write { db throws(ActionError) in try SQLRecords(db: db).execute(sql) }
        try await database.close()
    }

    private func report() async throws -> [String] { try await SelfCheck.parse(["--config", setup.file("onward.yaml")]).report() }

    private func refusal() async -> String? {
        do { _ = try await report() } catch { return explanation(of: error) }
        return nil
    }

    @Test func `renders every page and mail of an installation that has not started yet`() async throws {
        let lines = try await report()
        #expect(lines.contains("database: \(setup.file("onward.sqlite")) does not exist; the first start creates it"))
        #expect(lines.contains { $0.wholeMatch(of: #/pages: \d\d+ in 42 languages/#) != nil })
        #expect(lines.contains("mails: 28 in 42 languages, of 1 projects"))
        #expect(lines.last == "It is safe to start Onward \(Version.current).")
        #expect(!setup.exists("onward.sqlite"))
    }

    /// D4: a start would not create it.
    @Test func `a self-check refuses a database that is lost`() async throws {
        try setup.write("used", to: "onward.sqlite-server")
        let error = await #expect(throws: (any Error).self) { try await report() }
        #expect(error.flatMap { explanation(of: $0) }?.contains("it is missing, and a server has used it") == true)
    }

    @Test func `opens what is sealed, and changes nothing`() async throws {
        try await start()
        let before = try Data(contentsOf: URL(filePath: setup.file("onward.sqlite")))
        let lines = try await report()
        #expect(lines.contains("database: \(setup.file("onward.sqlite")) has schema 10"))
        #expect(lines.contains("secret: opens the sealed values of signing_key"))
        #expect(try Data(contentsOf: URL(filePath: setup.file("onward.sqlite"))) == before)
    }

    @Test func `says that a database without tables is migrated at the start`() async throws {
        try setup.write("", to: "onward.sqlite")
        let lines = try await report()
        #expect(lines.contains("database: \(setup.file("onward.sqlite")) has schema 0, which the next start migrates to 10"))
    }

    @Test func `refuses the schema of a newer version, as a start does`() async throws {
        try await start()
        try await change("INSERT INTO migration (version, checksum) VALUES (11, 2)")
        let sentence = "has schema version 11, this Onward knows up to 10: run a newer Onward."
        #expect(await refusal()?.contains(sentence) == true)
        await #expect(throws: ActionError.self) { try await start() }
    }

    @Test func `refuses another secret, and a sealed value that is damaged`() async throws {
        try await start()
        try setup.write(String(repeating: "x", count: 40), to: "secret")
        #expect(await refusal()?.contains("The configured secret is not the one that the database") == true)
        try setup.write(String(repeating: "s", count: 32), to: "secret")
        #expect(await refusal() == nil)
        try await change("UPDATE signing_key SET sealed_private_key = x'01020304'")
        #expect(await refusal()?.contains("A sealed value in the table signing_key") == true)
    }

    @Test func `refuses own words that cannot be shown`() async throws {
        try FileManager.default.createDirectory(atPath: setup.file("Config/languages"), withIntermediateDirectories: true)
        try setup.write(
            try setup.read("onward.yaml").replacing(#/resources: .*/#, with: "resources: \(setup.folder.path)"), to: "onward.yaml")
        #expect(await refusal() == nil)
        try setup.write(#"{"words": {"error": {"damaged": {"title": "{nothing}"}}}}"#, to: "Config/languages/de.json")
        #expect(await refusal()?.contains("Config/languages/de.json") == true)
    }
}

/// The text of `onward --version` (W4).
@Suite struct `The version` {
    /// `Scripts/package` names its files by it.
    @Test func `is that of the newest changes, and written once`() throws {
        let changes = try String(contentsOf: URL(filePath: Repository.root + "CHANGELOG.md"), encoding: .utf8)
        #expect(changes.firstMatch(of: #/(?m)^## (\S+?),/#)?.1 == Version.current[...])
        let source = try String(contentsOf: URL(filePath: Repository.root + "Sources/Server/Version.swift"), encoding: .utf8)
        #expect(source.firstMatch(of: #/(?m)^    public static let current = "(.*)"$/#)?.1 == Version.current[...])
    }

    @Test func `is printed with the libraries, and without a commit that the sources may differ from`() {
        let lines = Version.report.split(separator: "\n")
        #expect(lines.first == Version.current[...] && lines.contains("built from a working tree"))
        for library in [#/SQLite 3\.\d+/#, #/OpenSSL 3\.\d+/#, #/libpq 1\d\.\d+/#, #/libcurl\/\d+/#] {
            #expect(lines.contains { $0.firstMatch(of: library) != nil }, "\(lines)")
        }
    }
}
