import Foundation

/// A child process, by `posix_spawn`. Not Foundation's `Process`: descriptor sources that come and go on several threads crash Dispatch's
/// manager thread. Source: swift-corelibs-libdispatch issue 949.
struct Child {
    let pid: pid_t
    /// Where its output can be read, until `close`.
    let output: Int32

    /// - Parameters:
    ///   - input: what it reads; at most what a pipe holds, 64 KiB. Nil: nothing.
    ///   - errors: the file that its error output is added to. Nil: it goes where the other output goes.
    ///   - environment: beside this process's own.
    ///   - descriptors: what it finds as 3, 4 and so on. It inherits no others.
    init(
        _ path: String, _ arguments: [String], input: String?, errors: String?, environment: [String: String], descriptors: [Int32]
    ) throws {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Program.Missing(description: "\(path) is missing. Scripts/test installs and builds what these tests need.")
        }
        let said = try Self.pipe()
        let given = try input.map(Self.given) ?? Self.open("/dev/null", O_RDONLY)
        let errors = try errors.map { try Self.open($0, O_WRONLY | O_CREAT | O_APPEND) }
        defer { for descriptor in [said.writing, given, errors].compactMap(\.self) { close(descriptor) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let handed = [given, said.writing, errors ?? said.writing] + descriptors
        // First out of the way of the numbers that they are to have.
        let copies = handed.map { fcntl($0, F_DUPFD_CLOEXEC, 256) }
        defer { for copy in copies { close(copy) } }
        for (number, copy) in copies.enumerated() { posix_spawn_file_actions_adddup2(&actions, copy, Int32(number)) }
        _ = Self.addCloseFrom(&actions, Int32(handed.count))

        var attributes = Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0.key)=\($0.value)" }
        var pid: pid_t = 0
        let status = Self.withTexts([path] + arguments) { words in
            Self.withTexts(variables) { posix_spawn(&pid, path, &actions, &attributes, words, $0) }
        }
        guard status == 0 else {
            close(said.reading)
            throw Program.Missing(description: "\(path) cannot be run: \(String(cString: strerror(status)))")
        }
        (self.pid, output) = (pid, said.reading)
    }

    /// Waits for the next piece of its output; empty at the end.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(output, &buffer, buffer.count)
            if count >= 0 { return Array(buffer[..<count]) }
            if errno != EINTR { return [] }
        }
    }

    /// Waits for its end: the exit status; above 256: the signal that ended it.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 { if errno != EINTR { return -1 } }
        return status & 0x7f == 0 ? status >> 8 & 0xff : 256 + status & 0x7f
    }

    /// Holding nothing back and ignoring nothing, whatever the thread does that makes it: Dispatch's hold back every signal.
    private static func attributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    /// `posix_spawn_file_actions_addclosefrom_np`, which the headers show to GNU's own dialect of C only.
    private static let addCloseFrom = unsafeBitCast(
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"),
        to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)

    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw Program.Missing(description: "no pipe: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func given(_ text: String) throws -> Int32 {
        let pipe = try pipe()
        defer { close(pipe.writing) }
        let bytes = Array(text.utf8)
        guard bytes.count <= 65_536, write(pipe.writing, bytes, bytes.count) == bytes.count else {
            close(pipe.reading)
            throw Program.Missing(description: "\(bytes.count) bytes do not fit into a pipe")
        }
        return pipe.reading
    }

    private static func open(_ path: String, _ mode: Int32) throws -> Int32 {
        let file = Glibc.open(path, mode | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Program.Missing(description: "\(path) cannot be opened: \(String(cString: strerror(errno)))") }
        return file
    }

    private static func withTexts<Result>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
