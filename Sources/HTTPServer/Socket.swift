import Base
import Glibc

/// A TCP socket, with every system call of the server. No call blocks or raises SIGPIPE.
///
/// The owner closes it exactly once; afterwards the system may reuse the descriptor.
struct Socket {
    let descriptor: Int32

    enum Received {
        case bytes(Int)
        case nothingYet
        case end
    }

    /// Opens a listening socket that shares its port with those of the other listeners.
    init(listeningOn address: ListenAddress) throws(ListenError) {
        func failure(_ cause: String? = nil) -> ListenError { ListenError(address: address, cause: cause ?? ListenError.cause(errno)) }
        if let shared = address.descriptor {
            descriptor = fcntl(shared, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw failure() }
            set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
            return
        }
        guard var name = SocketName(address) else { throw failure("not a numeric address") }
        descriptor = socket(name.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw failure() }
        set(SOL_SOCKET, SO_REUSEADDR, 1)
        set(SOL_SOCKET, SO_REUSEPORT, 1)
        // Accepted sockets inherit the option, which sends a response without delay.
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        if name.family == AF_INET6 { set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        guard name.with({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, 4_096) == 0 else {
            let error = failure()
            close()
            throw error
        }
    }

    private init(accepted descriptor: Int32) { self.descriptor = descriptor }

    /// The port the system chose.
    var boundPort: UInt16 {
        var name = SocketName()
        return name.fill { getsockname(descriptor, $0, $1) } == 0 ? name.port : 0
    }

    enum Accepted {
        case connection(Socket, peer: String)
        case noneWaiting
        /// The process or the system has no descriptor left.
        case exhausted
    }

    /// Takes one connection from the accept queue. Swift does not see `accept4`, so the accepted
    /// socket is blocking and its reads and writes use MSG_DONTWAIT.
    func accept() -> Accepted {
        while true {
            var name = SocketName()
            let accepted = name.fill { Glibc.accept(descriptor, $0, $1) }
            if accepted >= 0 {
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                return .connection(Socket(accepted: accepted), peer: name.host)
            }
            switch errno {
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            case EINTR, ECONNABORTED, EPROTO: continue  // the connection was aborted; the next one may not be
            default: return .noneWaiting
            }
        }
    }

    func receive(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Received {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .nothingYet : .end
        }
    }

    /// Returns the number of bytes taken, 0 if the send buffer is full, nil if the connection is
    /// dead.
    func send(_ bytes: UnsafeBytes) -> Int? {
        while true {
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            if count >= 0 { return count }
            if errno == EINTR { continue }
            return errno == EAGAIN ? 0 : nil
        }
    }

    func finishWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    func close() { _ = Glibc.close(descriptor) }

    /// Drops new SYN packets with a classic BPF filter, so that the accept queue can be emptied
    /// before the socket is closed. Closing earlier would reset the connections that wait there; a
    /// client whose SYN is dropped repeats it and reaches another process on the same port.
    func refuseNewHandshakes() {
        let program: [FilterInstruction] = [
            FilterInstruction(code: 0x30, ifTrue: 0, ifFalse: 0, operand: 13),  // load byte 13 of the TCP header, the flags
            FilterInstruction(code: 0x45, ifTrue: 0, ifFalse: 1, operand: 0x10),  // ACK set?
            FilterInstruction(code: 0x06, ifTrue: 0, ifFalse: 0, operand: .max),  // keep the packet
            FilterInstruction(code: 0x06, ifTrue: 0, ifFalse: 0, operand: 0),  // drop it
        ]
        program.withUnsafeBytes { instructions in
            var filter = FilterProgram(count: UInt16(program.count), instructions: instructions.baseAddress)
            _ = setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &filter, socklen_t(MemoryLayout<FilterProgram>.size))
        }
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// `struct sock_filter` of linux/filter.h.
    private struct FilterInstruction {
        let code: UInt16
        let ifTrue: UInt8
        let ifFalse: UInt8
        let operand: UInt32
    }

    /// `struct sock_fprog` of linux/filter.h.
    private struct FilterProgram {
        let count: UInt16
        let instructions: UnsafeRawPointer?
    }
}

extension ListenAddress {
    /// Takes a TCP socket that another process has opened and that already listens; nil for any
    /// other descriptor. A dual-stack socket is refused too, because IPv4 clients would appear as
    /// IPv6 addresses of one network.
    public init?(inherited descriptor: Int32) {
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1 else { return nil }
        var name = SocketName()
        guard name.fill({ getsockname(descriptor, $0, $1) }) == 0, name.family == AF_INET || name.family == AF_INET6 else { return nil }
        if name.host == "::" {
            var isIPv6Only: Int32 = 0
            guard getsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isIPv6Only, &size) == 0, isIPv6Only == 1 else { return nil }
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.init(host: name.host, port: name.port, descriptor: descriptor)
    }
}

/// A socket address of IPv4 or IPv6.
private struct SocketName {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    init() {}

    init?(_ address: ListenAddress) {
        var v4 = sockaddr_in()
        var v6 = sockaddr_in6()
        if inet_pton(AF_INET, address.host, &v4.sin_addr) == 1 {
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = address.port.bigEndian
            put(v4)
        } else if inet_pton(AF_INET6, address.host, &v6.sin6_addr) == 1 {
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = address.port.bigEndian
            put(v6)
        } else {
            return nil
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// The port, which is at the same offset in both families.
    var port: UInt16 { UInt16(bigEndian: get(sockaddr_in.self).sin_port) }

    var host: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            guard let start = text.baseAddress else { return "" }
            if family == AF_INET6 {
                var address = get(sockaddr_in6.self).sin6_addr
                return inet_ntop(AF_INET6, &address, start, socklen_t(text.count)).map { String(cString: $0) } ?? ""
            }
            var address = get(sockaddr_in.self).sin_addr
            return inet_ntop(AF_INET, &address, start, socklen_t(text.count)).map { String(cString: $0) } ?? ""
        }
    }

    mutating func with(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafeBytes(of: &storage) { bytes in
            bytes.baseAddress.map { body($0.assumingMemoryBound(to: sockaddr.self), length) } ?? -1
        }
    }

    mutating func fill(_ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) -> Int32 {
        withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
    }

    private mutating func put<T>(_ name: T) {
        withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: name, as: T.self) }
        length = socklen_t(MemoryLayout<T>.size)
    }

    private func get<T>(_: T.Type) -> T { withUnsafeBytes(of: storage) { $0.load(as: T.self) } }
}

/// The server's clocks.
enum Clock {
    /// `Uptime` in nanoseconds, for deadlines: half the size for each connection.
    static var now: UInt64 { UInt64(Uptime.now.sinceZero.nanoseconds) }

    /// Seconds since 1970, for the Date header.
    static var unixSeconds: Int { time(nil) }
}

enum Machine {
    /// The number of processors that are online.
    static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

extension ListenError {
    /// - Parameter code: a value of `errno`.
    fileprivate static func cause(_ code: Int32) -> String {
        let remedy =
            switch code {
            case EADDRINUSE: "; `ss -ltnp` shows which program listens there: stop it, or listen on another port"
            case EADDRNOTAVAIL: "; this machine has no such address: `ip address` lists those that it has"
            case EACCES: "; a port below 1024 is for root, for sockets of systemd (Config/systemd) and for CAP_NET_BIND_SERVICE"
            default: ""
            }
        return String(cString: strerror(code)) + remedy
    }
}
