import Foundation
import Testing

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

    func file(_ name: String) -> String { folder.path + "/" + name }
    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(filePath: file(name))) }
    func read(_ name: String) throws -> String { String(decoding: try Data(contentsOf: URL(filePath: file(name))), as: UTF8.self) }
    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }
}
