import Foundation

/// A new file for the eyes of one user only, written from its beginning to its end.
struct PrivateFile {
    let path: String
    private let handle: FileHandle

    /// Throws `Failure` when there is such a file already: what may be the only copy of something is never written over.
    init(new path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(
                errno == EEXIST ? "there is a file \(path) already" : "the file \(path) cannot be made: \(String(cString: strerror(errno)))"
            )
        }
        self.path = path
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ text: String) throws { try handle.write(contentsOf: Data(text.utf8)) }

    /// Throws unless everything has reached the disk.
    func close() throws {
        try handle.synchronize()
        try handle.close()
    }
}
