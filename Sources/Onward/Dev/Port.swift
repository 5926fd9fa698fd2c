import Foundation
import HTTPServer

/// The ports of this machine, as far as `onward dev` has to know beforehand.
enum Port {
    /// One that nobody listens on, for `--port 0`: links have to name the port before the server is there. Another process may take
    /// it in between; then listening fails, and says so.
    static func free() -> UInt16? { bound(to: ListenAddress(host: "127.0.0.1", port: 0)) }

    /// Whether somebody listens there already. The server itself would not notice: its listeners share a port on purpose.
    static func isTaken(_ address: ListenAddress) -> Bool { bound(to: address) == nil && errno == EADDRINUSE }

    /// Binds a socket, which does not listen and is closed again, and says to which port. Nil, with `errno`, where it cannot.
    private static func bound(to address: ListenAddress) -> UInt16? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, String(address.port), &hints, &found) == 0, let found else { return nil }
        defer { freeaddrinfo(found) }
        let descriptor = socket(found.pointee.ai_family, found.pointee.ai_socktype, 0)
        guard descriptor >= 0 else { return nil }
        defer {
            let cause = errno
            close(descriptor)
            errno = cause
        }
        // What a server left behind that has just ended is no hindrance.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else { return nil }
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isNamed = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        // In IPv6 the port stands in the same place.
        return isNamed ? UInt16(bigEndian: name.sin_port) : nil
    }
}
