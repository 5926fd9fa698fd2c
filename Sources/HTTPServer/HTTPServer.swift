package import Logging
package import Metrics
import Queues

/// The HTTP/1.1 server: listens, keeps framing, limits and deadlines, and hands whole requests through the doorway.
///
/// Every listener has an event loop and listening sockets of its own; the kernel spreads connections over them (SO_REUSEPORT).
package actor HTTPServer {
    /// Where TLS is spoken, and by what.
    package struct Secured: Sendable {
        package let addresses: [ListenAddress]
        package let tls: TLSContext

        package init(addresses: [ListenAddress], tls: TLSContext) {
            self.addresses = addresses
            self.tls = tls
        }
    }

    private let addresses: [ListenAddress]
    private let secured: [ListenAddress]
    private var tls: TLSContext?
    private let options: ServerOptions
    private let logger: Logger
    private let meters: ServerMeters
    private let doorway: RequestHandler
    private var listeners: [Listener] = []

    /// Binds nothing yet. `logger` hears of the server's own state, never of targets, fields or bodies; `metrics` counts connections.
    package init(
        addresses: [ListenAddress], secured: Secured? = nil, options: ServerOptions = ServerOptions(), logger: Logger,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance, doorway: @escaping RequestHandler
    ) {
        self.addresses = addresses
        self.secured = secured?.addresses ?? []
        tls = secured?.tls
        self.options = options
        self.logger = logger
        meters = ServerMeters(metrics)
        self.doorway = doorway
    }

    /// Listens on every address, or on none and throws `ListenError`.
    /// - Returns: the addresses with the ports that were really bound, those with TLS last.
    package func start() async throws -> [ListenAddress] {
        var bound: [ListenAddress] = []
        var sockets: [[ListeningSocket]] = []
        var loops: [EventLoop] = []
        do throws(ListenError) {
            for (address, isSecure) in addresses.map({ ($0, false) }) + secured.map({ ($0, true) }) {
                while loops.count < max(1, options.listeners) {
                    guard let loop = EventLoop(label: "onward.http.\(loops.count)") else {
                        throw ListenError(address: address, cause: "no descriptor left")
                    }
                    loops.append(loop)
                }
                let first = try Socket(listeningOn: address)
                sockets.append([ListeningSocket(socket: first, isSecure: isSecure, isShared: address.descriptor != nil)])
                bound.append(ListenAddress(host: address.host, port: first.boundPort, descriptor: address.descriptor))
                for _ in 1..<max(1, options.listeners) {
                    let sibling = try Socket(listeningOn: bound[bound.count - 1])
                    sockets[sockets.count - 1].append(
                        ListeningSocket(socket: sibling, isSecure: isSecure, isShared: address.descriptor != nil))
                }
            }
        } catch {
            for socket in sockets.joined() { socket.socket.close() }
            throw error
        }
        listeners = loops.indices.map { number in
            Listener(
                on: loops[number], sockets: sockets.map { $0[number] }, tls: tls, options: options, logger: logger, meters: meters,
                doorway: doorway)
        }
        for listener in listeners { await listener.open() }
        return bound
    }

    /// New connections go by `tls` from now on; those that are open keep what they began with (K2).
    package func use(_ tls: TLSContext) async {
        self.tls = tls
        for listener in listeners { await listener.use(tls) }
    }

    /// Returns when every listener has come round to it: what a watchdog wants to know.
    package func pulse() async {
        for listener in listeners { await listener.pulse() }
    }

    /// Stops accepting and returns when the last answer is sent, at the latest after the grace period. Running requests are
    /// finished, and every answer from now on says `Connection: close`. A second call waits for the same end.
    package func stop() async {
        await withTaskGroup { group in
            for listener in listeners { group.addTask { await listener.stop() } }
        }
    }
}
