import Foundation
import HTTPServer

/// A blocking TCP socket, which is all that a command needs that then ends.
struct PlainSocket {
    let descriptor: Int32
    private let address: UnsafePointer<addrinfo>

    /// Makes one for an address, neither bound nor connected, for as long as `body` runs. Nil, with `errno`, where that cannot be.
    static func open<Value>(for address: ListenAddress, _ body: (PlainSocket) -> Value?) -> Value? {
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
        return body(PlainSocket(descriptor: descriptor, address: found))
    }

    func turnOn(_ option: Int32) {
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, option, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// How long to wait for each answer.
    func limitWaits(toSeconds seconds: Int) {
        // A `timeval`, whose two members are a word each. Its own name is found in another module by release builds than by others.
        var limit = (seconds: seconds, microseconds: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
        }
    }

    func connect() -> Bool { Foundation.connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 }

    func bind() -> Bool { Foundation.bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 }

    /// To which it is bound.
    var port: UInt16? {
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isNamed = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        // In IPv6 the port stands in the same place.
        return isNamed ? UInt16(bigEndian: name.sin_port) : nil
    }
}
