internal import Accounts
internal import Foundation
internal import Store

/// What can be said about the file before SQLite opens it, in better words than SQLite's (D7).
enum DatabaseFile {
    static func prepare(_ path: String) throws(ActionError) {
        let files = FileManager.default
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw unusable(path, "its folder does not exist")
        }
        guard files.isWritableFile(atPath: folder) else { throw unusable(path, "its folder cannot be written") }
        guard files.fileExists(atPath: path, isDirectory: &isFolder) else {
            // Password hashes are for no one else's eyes; SQLite gives its WAL the same permissions.
            guard files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
                throw unusable(path, "it cannot be made")
            }
            return
        }
        guard !isFolder.boolValue else { throw unusable(path, "it is a folder") }
        guard files.isWritableFile(atPath: path) else { throw unusable(path, "it cannot be written") }
    }

    static func unusable(_ path: String, _ why: String) -> ActionError {
        ActionError(.failed(cause: "The database \(path) cannot be used: \(why)."))
    }
}
