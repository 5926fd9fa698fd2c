import Foundation
import HTTPServer

/// Checks TCP ports before `onward dev` listens.
enum Port {
    /// Returns a free port for `--port 0`, since links contain the port before the server listens.
    /// If another process takes it before then, listening fails with an error.
    static func free() -> UInt16? { bound(to: ListenAddress(host: "127.0.0.1", port: 0)) }

    /// Whether another process listens on an address. The server itself would not notice, because
    /// its listening sockets use SO_REUSEPORT.
    static func isInUse(_ address: ListenAddress) -> Bool { bound(to: address) == nil && errno == EADDRINUSE }

    /// Binds a socket, closes it, and returns its port. Nil, with `errno` set, on failure.
    private static func bound(to address: ListenAddress) -> UInt16? {
        BlockingSocket.open(for: address) { socket in
            // Connections in TIME_WAIT of an earlier server do not count.
            socket.enable(SO_REUSEADDR)
            return socket.bind() ? socket.port : nil
        }
    }
}
