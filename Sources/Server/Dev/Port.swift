import Foundation

/// Checks TCP ports before a server of development listens.
public enum Port {
    /// A free port of 127.0.0.1, for links that contain the port before the server listens. If
    /// another process takes it before then, listening fails with an error.
    public static func free() -> UInt16? { bound(toHost: "127.0.0.1", port: 0) }

    /// Whether another process listens on a numeric address. The server itself would not notice,
    /// because its listening sockets use SO_REUSEPORT.
    public static func isInUse(host: String, port: UInt16) -> Bool { bound(toHost: host, port: port) == nil && errno == EADDRINUSE }

    /// Binds a socket, closes it, and returns its port. Nil, with `errno` set, on failure.
    private static func bound(toHost host: String, port: UInt16) -> UInt16? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else { return nil }
        defer { freeaddrinfo(found) }
        let descriptor = socket(found.pointee.ai_family, found.pointee.ai_socktype, 0)
        guard descriptor >= 0 else { return nil }
        defer {
            let cause = errno
            close(descriptor)
            errno = cause
        }
        // Connections in TIME_WAIT of an earlier server do not count.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else { return nil }
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isNamed = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        // The port has the same offset in `sockaddr_in6`.
        return isNamed ? UInt16(bigEndian: name.sin_port) : nil
    }
}
