import CTimex
public import Foundation

/// The system's clock, random bytes and environment, which other code takes as parameters.
public enum System {
    public static let now: Now = { Timestamp(Date()) }

    /// Random bytes of the kernel, with one system call for up to 256 bytes.
    public static let random: RandomBytes = { count in
        [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            while filled < count {
                let some = min(count - filled, 256)
                let status = getentropy(bytes.baseAddress! + filled, some)
                // Fails only before Linux 3.17.
                precondition(status == 0, "getentropy failed")
                filled += some
            }
        }
    }

    public static let environment: @Sendable (String) -> String? = { ProcessInfo.processInfo.environment[$0] }

    /// The name of the Unix user of this process, or its number; environment variables have no
    /// effect.
    public static var user: String { getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? String(getuid()) }

    /// Whether a time service keeps the clock right. Source: adjtimex(2).
    public static var isClockSynchronised: Bool {
        var clock = timex()
        return adjtimex(&clock) >= 0 && clock.status & STA_UNSYNC == 0
    }

    /// The system's reason why this user cannot read a file; nil if it can.
    public static func obstacle(toReading path: String) -> String? {
        // A pipe would be waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        close(descriptor)
        // What the shell has opened, such as the end of a pipe, is meant.
        let isOpen = path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
        return isOpen ? nil : irregularity(of: path)
    }

    /// The kind of file at a path, such as a device, if it is not a regular one; nil if it is, or
    /// if nothing is there.
    public static func irregularity(of path: String) -> String? {
        guard let status = status(ofFile: path) else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "it is a folder"
        case S_IFIFO: "it is a pipe"
        case S_IFSOCK: "it is a socket"
        default: "it is a device"
        }
    }

    /// The attributes of a file, of the target if it is a link; nil if they cannot be read.
    public static func status(ofFile path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// Whether a path leads to a folder.
    public static func isFolder(_ path: String) -> Bool { status(ofFile: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

    /// When a file was written last, the target if it is a link; nil if that cannot be read.
    public static func modificationDate(ofFile path: String) -> Date? {
        guard let target = realpath(path, nil) else { return nil }
        defer { free(target) }
        return try? FileManager.default.attributesOfItem(atPath: String(cString: target))[.modificationDate] as? Date
    }

    /// Raises the soft limit of descriptors to the hard one. That of a shell, often 1,024, is for
    /// programs that use `select`.
    public static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    public static var descriptorLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
        return Int(clamping: limit.rlim_cur)
    }

    /// Whether the process has a terminal that could close.
    public static var hasTerminal: Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }

    /// Whether a signal is ignored, as SIGHUP under `nohup`.
    public static func ignores(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    public static var isRoot: Bool { getuid() == 0 }

    public static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }
}
