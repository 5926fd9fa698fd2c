import Foundation
import Synchronization
import World

/// An SMTP server on this machine that answers as a test requires, wrongly included.
final class ScriptedRelay: Sendable {
    /// The points of the dialogue at which the server acts. `end` is the line that ends a message,
    /// `body` its first bytes.
    enum Point: Sendable { case banner, ehlo, helo, startTLS, auth, response, sender, recipient, data, body, end, reset, quit }

    enum Act: Sendable, Hashable {
        /// Sends lines, each ended by CRLF.
        case say(String)
        /// Sends bytes as they are.
        case raw(String)
        case sayAndClose(String)
        case close
        /// Closes so that the client's next write fails.
        case reset
        /// Sends nothing until the client closes.
        case hang
        /// Neither reads nor sends until the client closes.
        case stall
        /// Sends one byte a second.
        case drip(String)
        /// Sends a text again and again until the client closes.
        case flood(String)
    }

    struct Seen: Sendable {
        var connections = 0
        /// Commands as they were received, those of all connections.
        var commands: [String] = []
        /// Messages for which the line that ends them was received, dots still doubled.
        var messages: [String] = []
        /// Whether the client closed the last connection.
        var hasClosed = false
    }

    typealias Script = @Sendable (_ point: Point, _ visit: Int) -> Act?

    let port: UInt16
    private let listener: ListeningSocket
    private let seen = Mutex(Seen())
    private let visits = Mutex<[Point: Int]>([:])
    private let script: Script
    private let offers: [String]
    /// The number of bytes that a connection may send, and that it may receive, before the server
    /// closes it.
    private let cut: (sending: Int, receiving: Int)

    /// - Parameters:
    ///   - offers: the lines after the first in the answer to EHLO.
    ///   - script: the act at a point, nil for the usual answer. The second argument counts visits
    ///     of the point from 1 on, over all connections.
    init(
        offers: [String] = ["8BITMIME"], cutSending: Int = .max, cutReceiving: Int = .max, _ script: @escaping Script = { _, _ in nil }
    ) throws {
        listener = try ListeningSocket()
        port = listener.port
        self.offers = offers
        self.script = script
        cut = (cutSending, cutReceiving)
        // Little enough that a client notices a server that does not read.
        var size: Int32 = 65_536
        setsockopt(listener.descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        Thread.detachNewThread { [listener, weak self] in
            while case let connection = accept(listener.descriptor, nil, nil), connection >= 0 {
                self?.seen.withLock { $0.connections += 1 }
                Thread.detachNewThread { [weak self] in
                    if let cut = self?.cut {
                        var peer = Peer(connection: connection, sendingLeft: cut.sending, receivingLeft: cut.receiving)
                        while let relay = self, relay.serve(&peer) {}
                        self?.seen.withLock { $0.hasClosed = $0.hasClosed || peer.hasEnded }
                    }
                    close(connection)
                }
            }
            close(listener.descriptor)
        }
    }

    deinit { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }

    var now: Seen { seen.withLock { $0 } }

    /// Handles one line of the client, or the beginning; returns whether the connection goes on.
    private func serve(_ peer: inout Peer) -> Bool {
        guard peer.hasBegun else {
            peer.hasBegun = true
            return act(.banner, "220 relay.test ESMTP", &peer)
        }
        if peer.isInMessage { return receiveMessage(&peer) }
        guard let line = peer.readLine() else { return false }
        seen.withLock { $0.commands.append(line) }
        switch line.prefix(4).uppercased() {
        case "EHLO":
            let lines = (["relay.test"] + offers).enumerated().map { "250\($0 == offers.count ? " " : "-")\($1)" }
            return act(.ehlo, lines.joined(separator: "\r\n"), &peer)
        case "HELO": return act(.helo, "250 relay.test", &peer)
        case "STAR": return act(.startTLS, "454 4.7.0 TLS not available", &peer)
        case "AUTH": return act(.auth, "235 2.7.0 ok", &peer)
        case "MAIL": return act(.sender, "250 2.1.0 ok", &peer)
        case "RCPT": return act(.recipient, "250 2.1.5 ok", &peer)
        case "RSET": return act(.reset, "250 2.0.0 ok", &peer)
        case "DATA":
            peer.isInMessage = true
            return act(.data, "354 go ahead", &peer)
        case "QUIT":
            _ = act(.quit, "221 bye", &peer)
            return false
        default: return act(.response, "500 5.5.1 unknown command", &peer)
        }
    }

    private func receiveMessage(_ peer: inout Peer) -> Bool {
        var lines: [String] = []
        while let line = peer.readLine() {
            if lines.isEmpty, let act = next(.body), !peer.play(act) { return false }
            if line == "." {
                peer.isInMessage = false
                seen.withLock { $0.messages.append(lines.joined(separator: "\n")) }
                return act(.end, "250 2.0.0 queued", &peer)
            }
            lines.append(line)
        }
        return false
    }

    private func next(_ point: Point) -> Act? {
        script(
            point,
            visits.withLock {
                $0[point, default: 0] += 1
                return $0[point, default: 0]
            })
    }

    private func act(_ point: Point, _ usual: String, _ peer: inout Peer) -> Bool {
        // A script that does not accept DATA stays at commands.
        let act = next(point) ?? .say(usual)
        if point == .data, case .say(let text) = act, !text.hasPrefix("3") { peer.isInMessage = false }
        return peer.play(act)
    }

    /// The other end of one connection.
    private struct Peer {
        let connection: Int32
        var sendingLeft, receivingLeft: Int
        var hasBegun = false
        var isInMessage = false
        private(set) var hasEnded = false
        private var buffer: [UInt8] = []
        /// `POLLRDHUP`, which the headers declare only with `_GNU_SOURCE`.
        private static let peerClosed: Int16 = 0x2000

        init(connection: Int32, sendingLeft: Int, receivingLeft: Int) {
            self.connection = connection
            self.sendingLeft = sendingLeft
            self.receivingLeft = receivingLeft
        }

        mutating func readLine() -> String? {
            while true {
                if let end = buffer.firstIndex(of: 10) {
                    let line = String(decoding: buffer[..<end].filter { $0 != 13 }, as: UTF8.self)
                    buffer.removeSubrange(...end)
                    return line
                }
                guard receive() else { return nil }
            }
        }

        /// Waits for bytes; false at the end of the connection or of what may be received.
        private mutating func receive() -> Bool {
            guard receivingLeft > 0 else { return false }
            var piece = [UInt8](repeating: 0, count: min(65_536, receivingLeft))
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0 else {
                hasEnded = true
                return false
            }
            receivingLeft -= count
            buffer += piece[..<count]
            return true
        }

        /// Waits until the client closes, or for some seconds; returns whether it has closed.
        private func waitForEnd(_ seconds: Int32) -> Bool {
            var watched = pollfd(fd: connection, events: Self.peerClosed, revents: 0)
            return poll(&watched, 1, seconds * 1_000) > 0
        }

        private mutating func send(_ text: String) -> Bool {
            let bytes = Array(text.utf8.prefix(max(0, sendingLeft)))
            sendingLeft -= bytes.count
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { return false }
                sent += count
            }
            return sendingLeft > 0
        }

        /// Returns whether the connection goes on.
        mutating func play(_ act: Act) -> Bool {
            switch act {
            case .say(let lines): return send(lines + "\r\n")
            case .raw(let text): return send(text)
            case .sayAndClose(let lines):
                _ = send(lines + "\r\n")
                return false
            case .close: return false
            case .reset:
                var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
                setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
                return false
            case .hang:
                while receive() {}
                return false
            case .stall:
                _ = waitForEnd(60)
                return false
            case .drip(let text):
                for character in text { guard send(String(character)), !waitForEnd(1) else { return false } }
                return true
            case .flood(let text):
                let piece = String(repeating: text, count: 100)
                while send(piece) {}
                return false
            }
        }
    }
}
