import Foundation

/// What systemd is to a program: hands it sockets, and hears how it goes.
package final class Parent: Sendable {
    /// As `NOTIFY_SOCKET` names it.
    package let name: String
    private let ear: Int32

    /// - Parameter name: a path, or `@` and a name in the abstract namespace.
    package init(named name: String) throws {
        self.name = name
        ear = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = name.hasPrefix("@") ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(ear, $0, length) }
        }
        guard status == 0 else { throw Program.Missing(description: "no socket \(name): \(String(cString: strerror(errno)))") }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(ear, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(ear) }

    /// The next message that has a line with this beginning, as its lines. Others are passed over.
    package func hears(_ beginning: String) async throws -> [String] {
        // On a thread of its own: the ones of `async` code are few.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [ear] in continuation.resume(with: Result { try Self.hear(beginning, with: ear) }) }
        }
    }

    private static func hear(_ beginning: String, with ear: Int32) throws -> [String] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(ear, &buffer, buffer.count, 0)
            guard count >= 0 else { throw Program.Missing(description: "nobody says \(beginning): \(String(cString: strerror(errno)))") }
            let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
            if lines.contains(where: { $0.hasPrefix(beginning) }) { return lines }
        }
    }

    /// A socket that listens on this machine, at a port that the system chose.
    package static func listeningSocket() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 4_096) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard status else { throw Program.Missing(description: "no listening socket: \(String(cString: strerror(errno)))") }
        return (descriptor, UInt16(bigEndian: name.sin_port))
    }
}
