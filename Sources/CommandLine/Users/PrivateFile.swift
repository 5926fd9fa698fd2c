import Base
import Configuration
import Foundation

/// A new file that only its owner can read and write.
struct PrivateFile {
    let path: String
    private let handle: FileHandle

    /// Creates the file; throws `Failure` if it exists, so that nothing is overwritten.
    init(new path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(
                errno == EEXIST
                    ? "the file \(path) already exists" : "the file \(path) cannot be created: \(String(cString: strerror(errno)))"
            )
        }
        self.path = path
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Lets the group of the folder read the file, if root created it in the folder of another
    /// group: the server's, whose user has to read its configuration and its secret.
    func sharingWithGroupOfFolder() throws(Failure) -> PrivateFile {
        var folder = stat()
        guard System.isRoot, stat((path as NSString).deletingLastPathComponent, &folder) == 0, folder.st_gid != 0 else { return self }
        guard fchown(handle.fileDescriptor, 0, folder.st_gid) == 0, fchmod(handle.fileDescriptor, 0o640) == 0 else {
            throw Failure("the file \(path) cannot be given to the group of its folder: \(String(cString: strerror(errno)))")
        }
        return self
    }

    func write(_ text: String) throws { try handle.write(contentsOf: Data(text.utf8)) }

    /// Syncs the file to disk and closes it.
    func close() throws {
        try handle.synchronize()
        try handle.close()
    }
}
