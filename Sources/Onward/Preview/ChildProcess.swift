import Foundation

/// Runs other programs of this machine, started by `posix_spawn`: Foundation's `Process` can lose
/// the end of a child. Source: swift-corelibs-libdispatch issue 949.
enum ChildProcess {
    /// The path of a program in `PATH`; nil if there is none.
    static func path(of name: String) -> String? {
        (System.environment("PATH") ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// Runs a program without input and output.
    /// - Returns: its exit status; nil if it was killed, after `limit` or by a signal. Throws if it
    ///   cannot be started.
    @discardableResult
    static func run(_ name: String, _ arguments: [String], atMost limit: Duration) async throws -> Int32? {
        guard let path = path(of: name) else { throw Failure("\(name) is not installed") }
        let pid = try start(path, arguments)
        let deadline = ContinuousClock.now + limit
        var status: Int32 = 0
        while waitpid(pid, &status, WNOHANG) == 0 {
            if ContinuousClock.now > deadline || Task.isCancelled { kill(pid, SIGKILL) }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return status & 0x7f == 0 ? status >> 8 & 0xff : nil
    }

    private static func start(_ path: String, _ arguments: [String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for output in [STDOUT_FILENO, STDERR_FILENO] { posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0) }
        // This may be a thread of Dispatch, which blocks signals.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = ([path] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let status = posix_spawn(&pid, path, &actions, &attributes, words + [nil], environ)
        guard status == 0 else { throw Failure("\(path) cannot be run: \(String(cString: strerror(status)))") }
        return pid
    }
}
