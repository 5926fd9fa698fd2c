import Foundation

/// A child process, started by `posix_spawn`. Foundation's `Process` loses the end of a child when
/// several threads use it: in a test of eight children at a time every run hung within seconds, and
/// Dispatch's manager thread can crash. Source: swift-corelibs-libdispatch issue 949.
struct Child {
    let pid: pid_t
    /// The reading end of the pipe for its output; the owner closes it.
    let output: Int32

    /// - Parameters:
    ///   - input: its standard input, at most the 64 KiB that a pipe holds. Nil: empty.
    ///   - errors: the file that its error output is appended to. Nil: it goes where the other
    ///     output goes.
    ///   - environment: added to the environment of this process.
    ///   - descriptors: its descriptors 3, 4 and so on. It inherits no others.
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
        // Copies above the target numbers, so that no `dup2` overwrites one that is still needed.
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

    /// Waits until there is output, or its end.
    /// - Returns: false: the deadline passed.
    func hasOutput(before deadline: ContinuousClock.Instant) -> Bool {
        var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        while true {
            let left = (deadline - .now).components.seconds
            let count = left < 0 ? 0 : poll(&waiting, 1, Int32(left + 1) * 1_000)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }

    /// Waits for the next piece of output; empty at the end.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(output, &buffer, buffer.count)
            if count >= 0 { return Array(buffer[..<count]) }
            if errno != EINTR { return [] }
        }
    }

    /// Waits for the end of the child. Returns the exit status; above 256: the signal that ended
    /// it.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 { if errno != EINTR { return -1 } }
        return status & 0x7f == 0 ? status >> 8 & 0xff : 256 + status & 0x7f
    }

    /// The child blocks and ignores no signal: Dispatch's threads, which may start it, block all.
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

    /// `posix_spawn_file_actions_addclosefrom_np`, which the headers declare only with
    /// `_GNU_SOURCE`.
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
