import Foundation
import HTTPServer

/// The ports of this machine, as far as `onward dev` has to know beforehand.
enum Port {
    /// One that nobody listens on, for `--port 0`: links have to name the port before the server is there. Another process may take
    /// it in between; then listening fails, and says so.
    static func free() -> UInt16? { bound(to: ListenAddress(host: "127.0.0.1", port: 0)) }

    /// Whether somebody listens there already. The server itself would not notice: its listeners share a port on purpose.
    static func isTaken(_ address: ListenAddress) -> Bool { bound(to: address) == nil && errno == EADDRINUSE }

    /// Binds a socket, which does not listen and is closed again, and says to which port. Nil, with `errno`, where it cannot.
    private static func bound(to address: ListenAddress) -> UInt16? {
        PlainSocket.open(for: address) { socket in
            // What a server left behind that has just ended is no hindrance.
            socket.turnOn(SO_REUSEADDR)
            return socket.bind() ? socket.port : nil
        }
    }
}
