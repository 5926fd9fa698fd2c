import Base
import Foundation

/// An attempt to connect to a TCP port or a Unix socket, which sends nothing.
struct TCPProbe {
    /// A name, an IP address, or the folder of a PostgreSQL server's Unix socket.
    let host: String
    let port: String

    /// Nil if a connection is accepted; otherwise the reason for the operator. Blocks.
    func failure(within limit: Duration) -> String? {
        guard !host.hasPrefix("/") else {
            return FileManager.default.fileExists(atPath: "\(host)/.s.PGSQL.\(port)") ? nil : "there is no such socket on this machine"
        }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, port, &hints, &list) == 0, let first = list else { return "its name has no address" }
        defer { freeaddrinfo(list) }
        var cause = "does not answer"
        for address in sequence(first: first, next: \.pointee.ai_next) {
            guard let failure = Self.connect(address.pointee, within: limit) else { return nil }
            cause = failure
        }
        return cause
    }

    private static func connect(_ address: addrinfo, within limit: Duration) -> String? {
        let descriptor = socket(address.ai_family, address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        if Foundation.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return nil }
        guard errno == EINPROGRESS else { return String(cString: strerror(errno)).lowercased() }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, Int32(limit.milliseconds)) == 1 else { return "does not answer" }
        var (code, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        return code == 0 ? nil : String(cString: strerror(code)).lowercased()
    }
}
