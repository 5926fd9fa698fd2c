import Foundation
import World

/// A plain socket to this machine, for requests that no HTTP library would send. It blocks, but
/// never for longer than a minute.
final class ClientSocket: Sendable {
    struct Broken: Error {
        let call: String
        let code: Int32
    }

    private let socket: Int32

    init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: Duration.patientSeconds, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let name = sockaddr_in(
            sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian, sin_addr: in_addr(s_addr: inet_addr("127.0.0.1")),
            sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
        let status = withUnsafePointer(to: name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard status == 0 else { throw Broken(call: "connect", code: errno) }
    }

    deinit { close(socket) }

    func send(_ text: some StringProtocol) throws {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Broken(call: "send", code: errno) }
            sent += count
        }
    }

    /// Bytes received until they are enough, or until the other side closes. Bytes that came before
    /// a reset count.
    func receive(until isEnough: ([UInt8]) -> Bool = { _ in false }) throws -> [UInt8] {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(received) {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count == 0 || count < 0 && errno == ECONNRESET { break }
            // A signal ends a wait that has a limit. Source: signal(7).
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Broken(call: "recv", code: errno) }
            received += buffer[..<count]
        }
        return received
    }

    /// The blocking counterpart of `eventually`: returns once a condition holds, and throws if it
    /// does not.
    static func wait(for what: String, until condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .patience
        while try !condition() {
            guard ContinuousClock.now < deadline else { throw Broken(call: "wait for \(what)", code: ETIMEDOUT) }
            usleep(10_000)
        }
    }

    /// Runs blocking work on a separate thread: Swift's pool has only as many as the machine has
    /// cores.
    static func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
        }
    }
}
