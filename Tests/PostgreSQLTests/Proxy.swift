import Foundation
import Synchronization
import World

/// A TCP proxy between a client and a server on this machine, which counts round trips and cuts
/// connections at a chosen byte. Each direction of each connection has a thread.
final class Proxy: Sendable {
    /// A fault that the bytes after a marker meet.
    enum Fault: Sendable {
        /// The connection is cut after so many bytes of the server's answer to the marker.
        case cutAnswer(after: Int)
        /// The connection is cut, and what the client sent reaches the server only when `deliver`
        /// is called.
        case withhold
        /// The server's answer to the marker comes so much later.
        case delayAnswer(Duration)
        /// The connection stays open, and what the client sends is dropped.
        case silence
    }

    private struct State {
        /// The faults that are left, each with its marker; the first one comes next.
        var faults: ArraySlice<(fault: Fault, marker: [UInt8])> = []
        var withheld: (server: Int32, bytes: [UInt8])?
        var roundTrips = 0
    }

    let port: UInt16
    private let listening: ListeningSocket
    private let target: UInt16
    private let state = Mutex(State())

    init(to target: UInt16) throws {
        listening = try ListeningSocket()
        (self.target, port) = (target, listening.port)
        Thread.detachNewThread { [listening] in
            while true {
                let client = accept(listening.descriptor, nil, nil)
                guard client >= 0 else { return }
                self.serve(client)
            }
        }
    }

    func stop() { shutdown(listening.descriptor, Int32(SHUT_RDWR)) }

    /// The number of times that a client waited for the server since the last call.
    func roundTrips() -> Int {
        state.withLock { state in
            defer { state.roundTrips = 0 }
            return state.roundTrips
        }
    }

    /// Lets the next client that sends `marker` meet a fault.
    func arm(_ fault: Fault, at marker: String) { arm([(fault, marker)]) }

    /// Lets clients meet faults one after the other, each the next one that sends a marker.
    func arm(_ faults: [(fault: Fault, marker: String)]) {
        state.withLock { $0.faults = faults.map { ($0.fault, Array($0.marker.utf8)) }[...] }
    }

    /// Whether all faults have struck.
    var hasStruck: Bool { state.withLock { $0.faults.isEmpty } }

    /// Gives the server what was withheld, and waits until it has dealt with it.
    func deliver() {
        guard let (server, bytes) = state.withLock({ $0.withheld }) else { return }
        var now = bytes
        _ = send(server, &now, now.count, Int32(MSG_NOSIGNAL))
        shutdown(server, Int32(SHUT_WR))
        var rest = [UInt8](repeating: 0, count: 4096)
        while recv(server, &rest, rest.count, 0) > 0 {}
        close(server)
    }

    private final class Link: Sendable {
        let client, server: Int32
        /// Bytes of the answer that may still pass; nil for all.
        let left = Mutex<Int?>(nil)
        let delay = Mutex(Duration.zero)
        let clientSpokeLast = Mutex(false)
        let isDetached = Mutex(false)
        init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }
    }

    private func serve(_ client: Int32) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = target.bigEndian
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard status == 0 else {
            close(server)
            close(client)
            return
        }
        for descriptor in [client, server] {
            var one: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        }
        let link = Link(client: client, server: server)
        Thread.detachNewThread { self.forward(link) }
        Thread.detachNewThread { self.answer(link) }
    }

    private func forward(_ link: Link) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(link.client, &buffer, buffer.count, 0), count > 0 {
            let bytes = Array(buffer[..<count])
            let struck: Fault? = state.withLock { state in
                guard let (fault, marker) = state.faults.first, bytes.contains(subsequence: marker) else { return nil }
                state.faults.removeFirst()
                if case .withhold = fault { state.withheld = (link.server, bytes) }
                return fault
            }
            switch struck {
            case .cutAnswer(let after): link.left.withLock { $0 = after }
            case .delayAnswer(let delay): link.delay.withLock { $0 = delay }
            case .withhold:
                link.isDetached.withLock { $0 = true }
                shutdown(link.client, Int32(SHUT_RDWR))
                return
            case .silence: continue
            case nil: break
            }
            link.clientSpokeLast.withLock { $0 = true }
            _ = send(link.server, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
        if !link.isDetached.withLock({ $0 }) { shutdown(link.server, Int32(SHUT_RDWR)) }
    }

    private func answer(_ link: Link) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !link.isDetached.withLock({ $0 }) {
            var ready = pollfd(fd: link.server, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 50) > 0 else { continue }
            if link.isDetached.withLock({ $0 }) { return }
            let count = recv(link.server, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            let wasQuestion = link.clientSpokeLast.withLock { spoke in
                defer { spoke = false }
                return spoke
            }
            if wasQuestion { state.withLock { $0.roundTrips += 1 } }
            let delay = link.delay.withLock { delay in
                defer { delay = .zero }
                return delay
            }
            Thread.sleep(forTimeInterval: delay / .seconds(1))
            let passing: Int? = link.left.withLock { left in
                guard let allowed = left else { return nil }
                left = allowed - min(allowed, count)
                return allowed
            }
            _ = send(link.client, buffer, min(count, passing ?? count), Int32(MSG_NOSIGNAL))
            if let passing, count >= passing {
                shutdown(link.client, Int32(SHUT_RDWR))
                shutdown(link.server, Int32(SHUT_RDWR))
                return
            }
        }
        if !link.isDetached.withLock({ $0 }) { shutdown(link.client, Int32(SHUT_RDWR)) }
    }
}

extension [UInt8] {
    func contains(subsequence other: [UInt8]) -> Bool {
        guard !other.isEmpty, count >= other.count else { return false }
        return (0...(count - other.count)).contains { self[$0..<($0 + other.count)].elementsEqual(other) }
    }
}
