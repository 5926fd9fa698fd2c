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

    func write(_ text: String) throws { try handle.write(contentsOf: Data(text.utf8)) }

    /// Syncs the file to disk and closes it.
    func close() throws {
        try handle.synchronize()
        try handle.close()
    }
}
