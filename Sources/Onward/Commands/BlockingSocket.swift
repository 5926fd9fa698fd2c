import Foundation
import HTTPServer

/// A TCP socket that probes whether an address is free.
struct BlockingSocket {
    let descriptor: Int32
    private let address: UnsafePointer<addrinfo>

    /// Opens a socket for an address, neither bound nor connected, while `body` runs. Nil, with
    /// `errno` set, on failure.
    static func open<Value>(for address: ListenAddress, _ body: (BlockingSocket) -> Value?) -> Value? {
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
        return body(BlockingSocket(descriptor: descriptor, address: found))
    }

    func enable(_ option: Int32) {
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, option, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    func bind() -> Bool { Foundation.bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 }

    /// The port that the socket is bound to.
    var port: UInt16? {
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isNamed = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        // The port has the same offset in `sockaddr_in6`.
        return isNamed ? UInt16(bigEndian: name.sin_port) : nil
    }
}
