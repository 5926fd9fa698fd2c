package import Base
import Foundation
import Synchronization

/// A server on this machine that responds to each request as a test requires, invalid responses
/// included.
package final class LoopbackServer: Sendable {
    package enum Act: Sendable {
        case answer(Int, String, field: String = "")
        /// Closes the connection without a response.
        case cut
        /// Closes the connection within the response.
        case cutInside
        /// Sends a beginning and then repeats a text until the client closes.
        case endless(String, String)
        /// Sends nothing until the client closes.
        case hang
    }

    package struct Seen: Sendable {
        package var requests: [String] = []
        package var connections = 0
    }

    package let base: WebURL
    private let listening: Int32
    private let seen = Mutex(Seen())
    private let script: @Sendable (_ request: String) -> Act

    package init(_ script: @escaping @Sendable (_ request: String) -> Act) throws {
        listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &name) { [listening] name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, size) == 0 && listen(listening, 64) == 0 && getsockname(listening, $0, &size) == 0
            }
        }
        guard isBound else { throw CocoaError(.fileReadUnknown) }
        base = try WebURL("http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))")
        self.script = script
        Thread.detachNewThread { [listening, weak self] in
            while case let connection = accept(listening, nil, nil), connection >= 0 {
                self?.seen.withLock { $0.connections += 1 }
                Thread.detachNewThread { [weak self] in
                    while let request = Self.read(connection), let act = self?.act(request), Self.play(act, on: connection) {}
                    close(connection)
                }
            }
            close(listening)
        }
    }

    /// Ends the accept loop before the descriptor is closed, so that the loop never uses another.
    deinit { shutdown(listening, Int32(SHUT_RDWR)) }

    package var now: Seen { seen.withLock { $0 } }

    private func act(_ request: String) -> Act {
        seen.withLock { $0.requests.append(request) }
        return script(request)
    }

    /// Reads a request with its body; nil at the end of the connection.
    private static func read(_ connection: Int32) -> String? {
        var text = ""
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let head = text.firstRange(of: "\r\n\r\n") {
                let length = text.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) } ?? 0
                if text[head.upperBound...].utf8.count >= length { return text }
            }
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            text += String(decoding: piece[..<count], as: UTF8.self)
        }
    }

    /// Responds; returns whether the connection stays open.
    private static func play(_ act: Act, on connection: Int32) -> Bool {
        @discardableResult
        func send(_ text: String) -> Bool { Glibc.send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL)) > 0 }
        switch act {
        case .answer(let status, let body, let field):
            send("HTTP/1.1 \(status) So\r\nContent-Type: application/json\r\n\(field)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return true
        case .cut: return false
        case .cutInside:
            send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"requestType\":")
            return false
        case .endless(let start, let more):
            send(start)
            let piece = String(repeating: more, count: 1_000)
            while send(piece) {}
            return false
        case .hang: return read(connection) != nil
        }
    }
}
