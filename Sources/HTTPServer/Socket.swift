import Glibc

/// A TCP socket: every system call of the server, all non-blocking by flag, none of which raises SIGPIPE.
///
/// Whoever holds one closes it, once; after that the number belongs to someone else.
struct Socket {
    let descriptor: Int32

    enum Received {
        case bytes(Int)
        case nothingYet
        case end
    }

    /// A listening socket that shares its port with its siblings (one for each listener).
    init(listeningOn address: ListenAddress) throws(ListenError) {
        func refused(_ cause: String = String(cString: strerror(errno))) -> ListenError { ListenError(address: address, cause: cause) }
        if let shared = address.descriptor {
            descriptor = fcntl(shared, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw refused() }
            set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
            return
        }
        guard var name = SocketName(address) else { throw refused("not a numeric address") }
        descriptor = socket(name.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw refused() }
        set(SOL_SOCKET, SO_REUSEADDR, 1)
        set(SOL_SOCKET, SO_REUSEPORT, 1)
        // Accepted sockets inherit it: an answer leaves in one segment, at once.
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        if name.family == AF_INET6 { set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        guard name.with({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, 4_096) == 0 else {
            let failure = refused()
            close()
            throw failure
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

    /// Takes one connection out of the accept queue. (`accept4` is not visible from Swift; reads and writes say MSG_DONTWAIT.)
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
            case EINTR, ECONNABORTED, EPROTO: continue  // this one connection is dead already: the next one, please
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

    /// The number of bytes taken, 0 when the socket is full, `nil` when the connection is dead.
    func send(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        while true {
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            if count >= 0 { return count }
            if errno == EINTR { continue }
            return errno == EAGAIN ? 0 : nil
        }
    }

    func finishWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    func close() { _ = Glibc.close(descriptor) }

    /// Lets handshakes in progress complete but answers no new one, so that the accept queue can run dry before the socket is
    /// closed: closing it earlier would reset what waits there, and connections that start now will find a sibling process when
    /// their SYN is repeated. A classic packet filter: byte 13 of the TCP header holds the flags, 0x10 is ACK.
    func refuseNewHandshakes() {
        let program: [FilterInstruction] = [
            FilterInstruction(code: 0x30, ifTrue: 0, ifFalse: 0, operand: 13),  // load byte 13
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

    /// `struct sock_filter` and `struct sock_fprog` of linux/filter.h, field by field.
    private struct FilterInstruction {
        let code: UInt16
        let ifTrue: UInt8
        let ifFalse: UInt8
        let operand: UInt32
    }

    private struct FilterProgram {
        let count: UInt16
        let instructions: UnsafeRawPointer?
    }
}

extension ListenAddress {
    /// A TCP socket that was opened by another process and listens already; nil for anything else, also for one of IPv6 that takes IPv4,
    /// too: all its clients would look like one network.
    package init?(handedOver descriptor: Int32) {
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1 else { return nil }
        var name = SocketName()
        guard name.fill({ getsockname(descriptor, $0, $1) }) == 0, name.family == AF_INET || name.family == AF_INET6 else { return nil }
        if name.host == "::" {
            var isOnly: Int32 = 0
            guard getsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isOnly, &size) == 0, isOnly == 1 else { return nil }
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.init(host: name.host, port: name.port, descriptor: descriptor)
    }
}

/// A socket address of either family, and its numeric text.
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

    /// Both families keep the port in the same place.
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

/// The two clocks of the server.
enum Clock {
    /// Nanoseconds that only go forward, for deadlines.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Seconds since 1970, for the Date field.
    static var unixSeconds: Int { time(nil) }
}

enum Machine {
    /// The processors the system lets us use.
    static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
