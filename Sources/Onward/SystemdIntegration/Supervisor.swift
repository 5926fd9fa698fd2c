import Dispatch
import Foundation

/// Whoever started this process and wants to hear how it goes: systemd, or what speaks as it does. Source: sd_notify(3).
struct Supervisor: Sendable {
    /// A path, or with a NUL before it a name in the abstract namespace.
    private let address: [UInt8]
    /// How long it waits to hear that all is well before it thinks otherwise; nil: it does not wait.
    let patience: Duration?

    /// What says where it is.
    static let variables = ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"]

    /// Nil where nobody asked.
    init?(_ environment: Configuration.Environment, process: pid_t = getpid()) {
        guard let name = environment("NOTIFY_SOCKET"), let first = name.utf8.first,
            first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
            name.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        address = first == UInt8(ascii: "@") ? [0] + name.utf8.dropFirst() : Array(name.utf8)
        let isMeant = environment("WATCHDOG_PID").map { $0 == String(process) } ?? true
        patience = isMeant ? environment("WATCHDOG_USEC").flatMap(Int64.init).flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
    }

    /// - Returns: whether it was heard.
    @discardableResult
    func tell(_ news: String...) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
        let length = MemoryLayout<sa_family_t>.size + address.count
        let message = Array(news.joined(separator: "\n").utf8)
        return withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length)) == message.count
            }
        }
    }

    /// That a reload begins; `READY=1` says that it has ended.
    func tellReloading() {
        // Of CLOCK_MONOTONIC, as it is asked for.
        tell("RELOADING=1", "MONOTONIC_USEC=\(DispatchTime.now().uptimeNanoseconds / 1_000)")
    }

    /// Says that all is well three times as often as it must, each time after a look. Where a look does not come back nothing is said any
    /// more, and the supervisor does what it is for (Z9). Until its task is cancelled.
    func watch(_ look: () async -> Void) async {
        guard let patience else { return }
        repeat {
            await look()
            tell("WATCHDOG=1")
        } while (try? await Task.sleep(for: patience / 3)) != nil
    }
}
