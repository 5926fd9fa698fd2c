import Glibc
import Network
import World
@testable import HTTPServer

/// A client with a blocking socket. Its calls run on a worker pool and time out, so that a broken
/// server fails the test.
final class Client: Sendable {
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    private static let workerPool = WorkerPool(label: "clients", width: 32, maxWaiting: 10_000)
    private let socket: Int32

    private init(socket: Int32) { self.socket = socket }

    deinit { Glibc.close(socket) }

    static func connect(to address: ListenAddress) async throws -> Client {
        try await workerPool.run {
            let client = Client(socket: Glibc.socket(address.host.contains(":") ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0))
            var limit = timeval(tv_sec: Duration.patientSeconds, tv_usec: 0)
            setsockopt(client.socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            let status =
                if address.host.contains(":") {
                    client.connect(
                        sockaddr_in6(
                            sin6_family: sa_family_t(AF_INET6), sin6_port: address.port.bigEndian, sin6_flowinfo: 0,
                            sin6_addr: in6addr_loopback, sin6_scope_id: 0))
                } else {
                    client.connect(
                        sockaddr_in(
                            sin_family: sa_family_t(AF_INET), sin_port: address.port.bigEndian,
                            sin_addr: in_addr(s_addr: inet_addr(address.host)), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0)))
                }
            guard status == 0 else { throw Failure(call: "connect", code: errno) }
            return client
        }
    }

    /// Connects to a Unix domain socket.
    static func connect(toFile path: String) async throws -> Client {
        try await workerPool.run {
            let client = Client(socket: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
            guard client.connect(name) == 0 else { throw Failure(call: "connect", code: errno) }
            return client
        }
    }

    private func connect<Name>(_ name: Name) -> Int32 {
        withUnsafePointer(to: name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, socklen_t(MemoryLayout<Name>.size)) }
        }
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        try await Self.workerPool.run { [socket] in
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { throw Failure(call: "send", code: errno) }
                sent += count
            }
        }
    }

    /// Sends on the calling thread, for handlers that block the server.
    func sendBlocking(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } }

    /// Whether received bytes wait to be read.
    var isReadable: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    /// Shuts down the sending side.
    func finish() { shutdown(socket, Int32(SHUT_WR)) }

    /// Ends the connection with a reset.
    func reset() {
        var abort = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &abort, socklen_t(MemoryLayout<linger>.size))
        // Disconnecting sends the reset and keeps the descriptor, which deinit closes.
        var unspecified = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        Glibc.connect(socket, &unspecified, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Receives until the server closes.
    func receiveAll() async throws -> String { try await receive { _ in false } }

    /// Receives until `isEnough` returns true or the server closes.
    func receive(until isEnough: @escaping @Sendable (String) -> Bool) async throws -> String {
        try await Self.workerPool.run { [socket] in
            var received: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while !isEnough(String(decoding: received, as: UTF8.self)) {
                let count = recv(socket, &buffer, buffer.count, 0)
                guard count >= 0 else { throw Failure(call: "recv", code: errno) }
                if count == 0 { break }
                received += buffer[..<count]
            }
            return String(decoding: received, as: UTF8.self)
        }
    }

    /// Receives the next bytes; empty at the end.
    func receiveBytes() async throws -> [UInt8] {
        try await Self.workerPool.run { [socket] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count >= 0 else { throw Failure(call: "recv", code: errno) }
            return Array(buffer.prefix(count))
        }
    }

    /// Receives until the text ends with `ending` or the server closes.
    func receive(endingWith ending: String) async throws -> String { try await receive { $0.hasSuffix(ending) } }
}
