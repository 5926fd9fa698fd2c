internal import Accounts
internal import CSQLite
internal import Foundation
internal import Glibc
internal import Store

/// The file of a database, and what can be said about it in better words than SQLite's.
struct DatabaseFile: Sendable {
    let path: String
    /// What stood there when it was opened first.
    private let original: Identity?

    /// Makes the file if there is none. Throws `Unavailable` with a sentence for the operator when it could not be used (D7).
    init(preparing path: String) throws(ActionError) {
        let files = FileManager.default
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw Self.unusable(path, "its folder does not exist")
        }
        guard files.isWritableFile(atPath: folder) else { throw Self.unusable(path, "its folder cannot be written") }
        if files.fileExists(atPath: path, isDirectory: &isFolder) {
            guard !isFolder.boolValue else { throw Self.unusable(path, "it is a folder") }
            guard files.isWritableFile(atPath: path) else { throw Self.unusable(path, "it cannot be written") }
        } else {
            // Password hashes are for no one else's eyes; SQLite gives its WAL the same permissions.
            guard files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
                throw Self.unusable(path, "it cannot be made")
            }
        }
        self.path = path
        original = Identity(path)
    }

    static func unusable(_ path: String, _ why: String) -> ActionError {
        ActionError(.failed(cause: "The database \(path) cannot be used: \(why)."))
    }

    /// Its WAL, as it stands there now.
    var log: Identity? { Identity(path + "-wal") }

    /// Throws when another file stands in its place, or none. A file that was moved or deleted while it is open takes every write, says
    /// that it was synced, and is gone after a restart (D4).
    /// - Parameter log: the WAL that must stand beside it; nil: whichever.
    func checkItsPlace(log: Identity? = nil) throws(SQLFailure) {
        guard original == Identity(path), log == nil || log == self.log else {
            throw .failed(cause: "The database \(path), or its -wal, was moved, deleted or replaced: put it back, or start Onward anew.")
        }
    }

    /// A descriptor of it that somebody in this process has, and its size. For SQLite hands out none, and one of our own would take all its
    /// locks along when it is closed. Not looked for beyond 65,536: some systems allow a thousand million.
    var opened: (descriptor: Int32, size: Int)? {
        for descriptor in 0..<min(getdtablesize(), 65_536) {
            var status = stat()
            if fstat(descriptor, &status) == 0, Identity(status) == original { return (descriptor, Int(status.st_size)) }
        }
        return nil
    }

    /// Lets the system begin to write what has changed, bit by bit. Synced at once, thousands of pages keep a disk busy for so long that
    /// every commit waits; like this they go between the commits, and a sync finds them written.
    /// - Parameters:
    ///   - pages: how many have changed, about.
    ///   - span: how long it may take, about; see `pace`.
    func beginWriting(pages: Int, within span: Duration) {
        guard pages > 0, let opened else { return }
        let parts = Self.parts(of: opened.size, pages: pages)
        let (start, pace) = (ContinuousClock.now, Self.pace(of: parts.count, within: span))
        for (part, number) in zip(parts, 1...) {
            onward_begin_writing(opened.descriptor, Int64(part.lowerBound), Int64(part.count))
            let early = start + pace * number - .now
            if early > .zero { usleep(UInt32(early / .microseconds(1))) }
        }
    }

    /// How long each part may take: no more than a millisecond, and all of them no more than a second, as somebody may wait for the end.
    static func pace(of parts: Int, within span: Duration) -> Duration {
        min(min(span, .seconds(1)) / max(parts, 1), .milliseconds(1))
    }

    /// Parts of so many bytes with 16 changed pages each, if these lie evenly; none is smaller than 16 pages.
    static func parts(of size: Int, pages: Int) -> [Range<Int>] {
        let length = max(size / max(pages / 16, 1), 16 * 4096)
        return stride(from: 0, to: size, by: length).map { $0..<min($0 + length, size) }
    }

    /// Tells one file from another, whatever it is called.
    struct Identity: Sendable, Equatable {
        private let device: UInt
        private let number: UInt

        fileprivate init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            self.init(status)
        }

        fileprivate init(_ status: stat) { (device, number) = (UInt(status.st_dev), UInt(status.st_ino)) }
    }
}
