import Accounts
import Configuration
import Foundation

/// The folder of `onward dev` for its database and secret: a named one, or a temporary one that is
/// removed at the end.
struct DevFolder {
    let path: String
    private let isTemporary: Bool

    /// Opens or creates the named folder; nil: creates a temporary folder.
    init(named name: String?) throws {
        isTemporary = name == nil
        path = name ?? FileManager.default.temporaryDirectory.appending(path: "onward-dev-\(UUID().uuidString)").path(percentEncoded: false)
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: isTemporary ? [.posixPermissions: 0o700] : nil)
        } catch { throw Failure("the folder \(path) cannot be created: \(error.localizedDescription)") }
    }

    var database: String { path + "/onward.sqlite" }

    /// The id that the first admin gave the project in an earlier run; nil if none did.
    var alias: ProjectID? {
        guard let bytes = FileManager.default.contents(atPath: aliasFile), !bytes.isEmpty else { return nil }
        return ProjectID(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    /// Keeps the id for later runs. If that fails, the first admin gives it again.
    func keep(alias: ProjectID) { _ = FileManager.default.createFile(atPath: aliasFile, contents: Data(alias.rawValue.utf8)) }

    private var aliasFile: String { path + "/project" }

    /// The codes that the emulator's list has, which the database stores only as hashes.
    var codesFile: String { path + "/codes.jsonl" }

    /// The secret from which keys are derived. It is created with the database and lies beside it.
    func secret(random: (Int) -> [UInt8]) throws -> [UInt8] {
        let file = path + "/secret.key"
        if let bytes = FileManager.default.contents(atPath: file), bytes.count >= 32 { return Array(bytes) }
        guard !FileManager.default.fileExists(atPath: database) else {
            throw Failure(
                "\(file), the secret of the database beside it, is missing or too short: put it back, or remove the folder to begin with a new one"
            )
        }
        let bytes = random(32)
        // Created with its final mode, so that others can never read it.
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file]) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(bytes))
        return bytes
    }

    /// Removes the folder if it is temporary.
    func discard() throws {
        if isTemporary { try FileManager.default.removeItem(atPath: path) }
    }
}
