public import Configuration
import Dispatch
public import Foundation

/// Notifies systemd, or another supervisor with the same protocol, of the state of this process.
/// Source: sd_notify(3).
public struct SystemdNotifier: Sendable {
    /// The path of the socket, or a NUL followed by a name in the abstract namespace.
    private let address: [UInt8]
    /// The watchdog timeout; nil: there is no watchdog.
    let watchdogTimeout: Duration?

    /// The environment variables of the protocol.
    public static let variables = ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"]

    /// Reads the environment; nil if no notifications are expected.
    public init?(_ environment: Configuration.Environment, process: pid_t = getpid()) {
        guard let name = environment("NOTIFY_SOCKET"), let first = name.utf8.first,
            first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
            name.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        address = first == UInt8(ascii: "@") ? [0] + name.utf8.dropFirst() : Array(name.utf8)
        let isForThisProcess = environment("WATCHDOG_PID").map { $0 == String(process) } ?? true
        watchdogTimeout =
            isForThisProcess ? environment("WATCHDOG_USEC").flatMap(Int64.init).flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
    }

    /// Sends assignments such as `READY=1`.
    /// - Returns: whether the message was delivered.
    @discardableResult
    func notify(_ assignments: String...) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
        let length = MemoryLayout<sa_family_t>.size + address.count
        let message = Array(assignments.joined(separator: "\n").utf8)
        return withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length)) == message.count
            }
        }
    }

    /// Notifies that a reload begins; `READY=1` notifies its end.
    func notifyReloading() {
        // The protocol requires CLOCK_MONOTONIC, which is the clock of `DispatchTime`.
        notify("RELOADING=1", "MONOTONIC_USEC=\(DispatchTime.now().uptimeNanoseconds / 1_000)")
    }

    /// Sends `WATCHDOG=1` three times per timeout, each time after a check, until the task is
    /// cancelled. If a check does not return, nothing is sent and systemd restarts the process
    /// (Z9).
    func watchdog(_ check: @escaping @Sendable () async -> Void) async {
        guard let watchdogTimeout else { return }
        await PeriodicJob(every: watchdogTimeout / 3, startsAtOnce: true) {
            await check()
            notify("WATCHDOG=1")
        }.run()
    }
}
