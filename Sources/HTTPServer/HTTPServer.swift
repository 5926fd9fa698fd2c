internal import Base
public import Logging
public import Metrics
import Network

/// An HTTP/1.1 server: listens, enforces framing, limits and deadlines, and has the application
/// judge each head and respond to the request.
///
/// Each listener has its own event loop and listening sockets; the kernel distributes connections
/// over them (SO_REUSEPORT).
public actor HTTPServer {
    /// The addresses on which TLS is spoken.
    public struct Secured: Sendable {
        public let addresses: [ListenAddress]
        public let tls: TLSContext

        public init(addresses: [ListenAddress], tls: TLSContext) {
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
    private let budget: BufferBudget
    private let accept: AcceptRequest
    private var listeners: [Listener] = []

    /// Creates a server that does not listen yet.
    /// - Parameters:
    ///   - logger: receives the server's own state, never targets, fields or bodies.
    ///   - metrics: counts connections, handshakes and rejected requests.
    ///   - budget: the bytes that may be held for clients, shared with other servers; nil: its own
    ///     budget.
    ///   - accept: judges the head of each request.
    public init(
        addresses: [ListenAddress], secured: Secured? = nil, options: ServerOptions = ServerOptions(), logger: Logger,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance, budget: BufferBudget? = nil,
        accept: @escaping AcceptRequest
    ) {
        self.addresses = addresses
        self.secured = secured?.addresses ?? []
        tls = secured?.tls
        self.options = options
        self.logger = logger
        meters = ServerMeters(metrics)
        self.budget = budget ?? BufferBudget(maxBytes: options.maxBufferedBytes)
        self.accept = accept
    }

    /// Listens on all addresses. If one fails, closes the others and throws `ListenError`.
    /// - Returns: the addresses with the ports that were bound, those with TLS last.
    public func start() async throws -> [ListenAddress] {
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
        let (openCount, handshakeCount) = (AtomicCounter(), AtomicCounter())
        let held = HeldResponses(maxCount: options.maxConnections / 2)
        listeners = loops.indices.map { number in
            Listener(
                on: loops[number], sockets: sockets.map { $0[number] }, tls: tls, options: options, budget: budget, openCount: openCount,
                handshakeCount: handshakeCount, held: held, logger: logger, meters: meters, accept: accept)
        }
        for listener in listeners { await listener.start() }
        return bound
    }

    /// Uses `tls` for new connections; open connections keep what they began with (K2).
    public func use(_ tls: TLSContext) async {
        self.tls = tls
        for listener in listeners { await listener.use(tls) }
    }

    /// Returns when every event loop has reacted, as proof of life for a watchdog.
    public func ping() async {
        for listener in listeners { await listener.ping() }
    }

    /// Stops accepting, lets running requests finish with `Connection: close`, and returns when all
    /// connections are closed, at the latest after the grace period. A second call waits for the
    /// same end.
    public func stop() async {
        await withTaskGroup { group in
            for listener in listeners { group.addTask { await listener.stop() } }
        }
    }
}
