package import Logging

/// The HTTP/1.1 server: listens, keeps framing, limits and deadlines, and hands whole requests through the doorway.
///
/// Every listener has a serial queue and listening sockets of its own; the kernel spreads connections over them (SO_REUSEPORT).
package actor HTTPServer {
    private let addresses: [ListenAddress]
    private let options: ServerOptions
    private let logger: Logger
    private let doorway: Doorway
    private var listeners: [Listener] = []

    /// Binds nothing yet. `logger` hears of the server's own state, never of targets, fields or bodies.
    package init(addresses: [ListenAddress], options: ServerOptions = ServerOptions(), logger: Logger, doorway: @escaping Doorway) {
        self.addresses = addresses
        self.options = options
        self.logger = logger
        self.doorway = doorway
    }

    /// Listens on every address, or on none and throws `ListenError`.
    /// - Returns: the addresses with the ports that were really bound.
    package func start() async throws -> [ListenAddress] {
        var bound: [ListenAddress] = []
        var sockets: [[Socket]] = []
        var pollers: [Poller] = []
        do throws(ListenError) {
            for address in addresses {
                while pollers.count < max(1, options.listeners) {
                    guard let poller = Poller() else { throw ListenError(address: address, cause: "no descriptor left") }
                    pollers.append(poller)
                }
                let first = try Socket(listeningOn: address)
                sockets.append([first])
                bound.append(ListenAddress(host: address.host, port: first.boundPort))
                for _ in 1..<max(1, options.listeners) {
                    sockets[sockets.count - 1].append(try Socket(listeningOn: bound[bound.count - 1]))
                }
            }
        } catch {
            for socket in sockets.joined() { socket.close() }
            for poller in pollers { poller.close() }
            throw error
        }
        listeners = pollers.indices.map { number in
            Listener(
                number: number, sockets: sockets.map { $0[number] }, poller: pollers[number], options: options, logger: logger,
                doorway: doorway)
        }
        for listener in listeners { await listener.open() }
        return bound
    }

    /// Stops accepting and returns when the last answer is sent, at the latest after the grace period. Running requests are
    /// finished, and every answer from now on says `Connection: close`. A second call waits for the same end.
    package func stop() async {
        await withTaskGroup { group in
            for listener in listeners { group.addTask { await listener.stop() } }
        }
    }
}
