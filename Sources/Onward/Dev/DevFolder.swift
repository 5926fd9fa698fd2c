import Foundation

/// Where `onward dev` keeps its database and its secret: a folder that the developer named, or one that goes with the process.
struct DevFolder {
    let path: String
    private let isTemporary: Bool

    /// Takes the named folder, made where it is missing; nil: a new one in the system's temporary folder.
    init(named name: String?) throws {
        isTemporary = name == nil
        path = name ?? FileManager.default.temporaryDirectory.appending(path: "onward-dev-\(UUID().uuidString)").path(percentEncoded: false)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: isTemporary ? [.posixPermissions: 0o700] : nil)
    }

    var database: String { path + "/onward.sqlite" }

    /// The bytes that its keys are derived from: made once, then kept beside the database that they seal.
    func secret(random: (Int) -> [UInt8]) throws -> [UInt8] {
        let file = path + "/secret.key"
        if let bytes = FileManager.default.contents(atPath: file), bytes.count >= 32 { return Array(bytes) }
        let bytes = random(32)
        // Not readable to others at any moment, whatever the umask.
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file]) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(bytes))
        return bytes
    }

    /// Removes it if it was only for this run.
    func discard() throws {
        if isTemporary { try FileManager.default.removeItem(atPath: path) }
    }
}
