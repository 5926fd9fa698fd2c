import Foundation

/// The socket on which a supervisor such as systemd receives a program's `sd_notify` messages.
/// Source: sd_notify(3).
package final class NotifySocket: Sendable {
    /// The value of `NOTIFY_SOCKET` for the program.
    package let name: String
    private let descriptor: Int32

    /// - Parameter name: a path, or `@` and a name in the abstract namespace.
    package init(named name: String) throws {
        self.name = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = name.hasPrefix("@") ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let status = withUnsafePointer(to: &address) { [descriptor] in
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard status == 0 else { throw Program.Missing(description: "no socket \(name): \(String(cString: strerror(errno)))") }
        var limit = timeval(tv_sec: Duration.patientSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// The lines of the next message that contains a line with this prefix. Other messages are
    /// dropped.
    /// - Throws: when none comes.
    package func message(with prefix: String = "") async throws -> [String] {
        // On a separate thread: Swift's pool has only as many as the machine has cores.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [descriptor] in continuation.resume(with: Result { try Self.message(with: prefix, from: descriptor) })
            }
        }
    }

    private static func message(with prefix: String, from descriptor: Int32) throws -> [String] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            // A signal ends a wait that has a limit. Source: signal(7).
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw Program.Missing(description: "no message with \(prefix): \(String(cString: strerror(errno)))")
            }
            let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
            if lines.contains(where: { $0.hasPrefix(prefix) }) { return lines }
        }
    }
}
