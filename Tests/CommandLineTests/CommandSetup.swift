import ArgumentParser
import Foundation
import Store
import Testing
@testable import CommandLine
@testable import Configuration
@testable import Server

/// A temporary folder with a configuration, its secret and its database, for commands.
protocol CommandSetup {
    var folder: Folder { get }
}

extension CommandSetup {
    /// - Parameter projects: the value of `projects`, in YAML.
    func configure(projects: String) throws {
        let secret = file("secret")
        #expect(
            FileManager.default.createFile(
                atPath: secret, contents: Data(repeating: 0x73, count: 32), attributes: [.posixPermissions: 0o600]))
        try write(
            """
            publicOrigin: https://auth.example.com
            secret: {file: \(secret)}
            database: {path: \(file("onward.sqlite"))}
            projects: \(projects)
            """, to: "onward.yaml")
    }

    /// Creates the database, as the first start of a server does.
    func createDatabase() async throws {
        try await DatabaseSetting.sqlite(path: file("onward.sqlite")).withStore(creating: true) { _ in }
    }

    /// Runs a command with the configuration.
    /// - Returns: the exit status.
    func onward(_ words: [String]) async throws -> Int32 {
        do {
            let parsed = try OnwardCommand.parseAsRoot(words + ["--config", file("onward.yaml")])
            var command = try #require(parsed as? any AsyncParsableCommand)
            try await command.run()
            return 0
        } catch let code as ExitCode { return code.rawValue }
    }

    func file(_ name: String) -> String { folder.path + "/" + name }
    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(filePath: file(name))) }
    func read(_ name: String) throws -> String { String(decoding: try Data(contentsOf: URL(filePath: file(name))), as: UTF8.self) }
    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }
}
