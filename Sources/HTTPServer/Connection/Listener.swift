import Base
import Dispatch
import HTTPTypes
import Logging
import Network

/// An event loop with one listening socket for each address, and all their connections.
///
/// All of its state is isolated to the loop. Each turn enters the actor with `assumeIsolated`, so a
/// request whose handler does not suspend is read, answered and sent without a hop.
actor Listener {
    private static let maxAcceptsPerTurn = 64
    /// How long responses of one turn are batched, in nanoseconds, so that a reverse proxy on the
    /// same machine is woken once for all.
    static let maxBatchDelay: UInt64 = 500_000
    /// How long one turn works on handshakes, in nanoseconds.
    private static let maxHandshakeTimePerTurn: UInt64 = 1_000_000
    /// The time between two futile attempts to keep the budget, in nanoseconds.
    private static let reliefInterval: UInt64 = 50_000_000

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private nonisolated let stopped = Latch()

    let accept: AcceptRequest
    let budget: BufferBudget
    let options: ServerOptions
    private let deadlines: DeadlineNanoseconds
    /// The open connections of all listeners, which may take unequal parts of a shared queue.
    let openCount: AtomicCounter
    /// The incomplete TLS handshakes of all listeners, and how many of them each may have in any
    /// case, so that a flood at one does not close those of another.
    private let handshakeCount: AtomicCounter
    private let handshakeShare: Int
    /// The held responses of all listeners.
    let held: HeldResponses
    private let logger: Logger
    let meters: ServerMeters
    let buffers = ReadBuffers()
    private var sockets: [ListeningSocket]
    private var tls: TLSContext?
    var connections: [Int32: Connection] = [:]
    /// The connections whose TLS handshake is not complete.
    private var handshakes: [Int32: Connection] = [:]
    /// The handshakes that can proceed, first come first served. A handshake costs as much as ten
    /// requests; they have their own queue, so a flood of handshakes delays handshakes only (X10).
    private var handshakeQueue: ArraySlice<Connection> = []
    /// The connections that have requests to answer in this turn.
    var requestQueue: ArraySlice<Connection> = []
    /// The connections with pipelined requests left, which wait for the next turn so that others
    /// are served first.
    var nextRequestQueue: [Connection] = []
    /// The connections whose responses are batched.
    var batch: [Connection] = []
    /// When the batch is sent at the latest.
    var batchDeadline: UInt64 = 0
    var writer: ResponseWriter
    private var isAccepting = true
    private var isStopped = false
    /// When the lack of descriptors is logged again at the earliest: clients can cause it at will.
    private var nextExhaustionWarning: UInt64 = 0
    var now = Clock.now
    /// When all deadlines are checked next, and the interval between two checks.
    private var nextTick: UInt64
    private var tickInterval: UInt64
    /// When connections may be cut again, if it did not help.
    private var nextRelief: UInt64 = 0
    /// While stopping: when the listening sockets and idle connections are closed, and when the
    /// remaining connections are.
    var stopping: (closesIdle: UInt64, closesAll: UInt64)?

    /// Creates the listener, which takes ownership of `sockets`.
    init(
        on loop: EventLoop, sockets: [ListeningSocket], tls: TLSContext?, options: ServerOptions, budget: BufferBudget,
        openCount: AtomicCounter, handshakeCount: AtomicCounter, held: HeldResponses, logger: Logger, meters: ServerMeters,
        accept: @escaping AcceptRequest
    ) {
        self.loop = loop
        self.sockets = sockets
        self.tls = tls
        self.options = options
        (self.logger, self.meters) = (logger, meters)
        self.budget = budget
        (self.openCount, self.handshakeCount, self.held) = (openCount, handshakeCount, held)
        handshakeShare = max(1, options.maxHandshakes / max(1, options.listeners))
        self.accept = accept
        deadlines = DeadlineNanoseconds(options)
        writer = ResponseWriter(strictTransport: options.strictTransport)
        tickInterval = DeadlineNanoseconds.clamped(max(.milliseconds(10), min(.seconds(1), options.deadlines.shortest / 4)))
        nextTick = now + tickInterval
    }

    // MARK: Life cycle

    func start() {
        for socket in sockets { _ = loop.watch(listening: socket.socket.descriptor) }
        loop.run { ready in self.assumeIsolated { $0.turn(ready) } }
    }

    /// Refuses new connections, adds `Connection: close` to every further response, and returns
    /// when the last connection is closed.
    func stop() async {
        if stopping == nil {
            now = Clock.now
            let closesIdle = now + DeadlineNanoseconds.clamped(options.idleGrace)
            stopping = (closesIdle, max(closesIdle, now + DeadlineNanoseconds.clamped(options.grace)))
            // The next process accepts what arrives at a shared socket from now on. It stays in
            // epoll as long as another process keeps it open, so closing alone would not end the
            // watch.
            for socket in sockets where socket.isShared {
                loop.ignore(socket.socket.descriptor)
                socket.socket.close()
            }
            sockets.removeAll(where: \.isShared)
            for socket in sockets { socket.socket.refuseNewHandshakes() }
            tickInterval = 10_000_000
            nextTick = now + tickInterval
            for connection in connections.values { connection.held?.response.releaseNow() }
        }
        await stopped.wait()
    }

    /// Uses `tls` for handshakes that begin from now on (K2).
    func use(_ tls: TLSContext) { self.tls = tls }

    /// Returns when the event loop has run it.
    func ping() {}

    private func tick() {
        nextTick = now + tickInterval
        if !isAccepting { setAccepting(true) }
        for connection in connections.values where connection.hasDeadline && connection.deadline <= now {
            connection.expire()
            advance(connection)
        }
        if let stopping { closeConnections(stopping) }
        if budget.noticeEndOfBurst(at: now) { DispatchQueue.global(qos: .utility).async { returnFreeMemory() } }
    }

    /// Cuts the clients whose bytes have been held for longest, until the budget is kept again.
    private func shedLoad() {
        let costs = connections.values.compactMap { connection in connection.cost(at: now).map { (connection, $0) } }
        for (connection, _) in costs.sorted(by: { $0.1 > $1.1 }) where !budget.isRelieved {
            connection.terminateForMemory()
            advance(connection)
        }
        held.releaseOldest()
        // What is left is held by other listeners, or handlers work on it.
        if budget.isExceeded { nextRelief = now + Self.reliefInterval }
    }

    private func closeConnections(_ stopping: (closesIdle: UInt64, closesAll: UInt64)) {
        guard now >= stopping.closesIdle else { return }
        for socket in sockets {
            while acceptOne(from: socket) {}
            socket.socket.close()
        }
        sockets = []
        for connection in connections.values where connection.isIdle(at: now) || now >= stopping.closesAll {
            // A request may have arrived since the wait of this turn.
            connection.mayBeReadable = true
            if now < stopping.closesAll { advance(connection) }
            if connection.isIdle(at: now) || now >= stopping.closesAll { connection.close() }
            finishIfEnding(connection)
        }
        guard connections.isEmpty else { return }
        isStopped = true
        buffers.deallocate()
        stopped.open()
    }

    // MARK: Turns

    private func turn(_ ready: [EventLoop.ReadyDescriptor]) -> EventLoop.TurnResult {
        now = Clock.now
        for event in ready { handle(event) }
        // One task serves the whole queue; if a handler suspends, another task serves the rest.
        while !requestQueue.isEmpty { Task.immediate { await self.serve() } }
        sendBatch()
        (requestQueue, nextRequestQueue) = (ArraySlice(nextRequestQueue), [])
        if budget.isExceeded, nextRelief <= now { shedLoad() }
        if !handshakeQueue.isEmpty { continueHandshakes() }
        if nextTick <= now { tick() }
        guard !isStopped else { return .stop }
        return .wait(atMost: handshakeQueue.isEmpty && requestQueue.isEmpty ? nextTick - now : 0)
    }

    private func handle(_ event: EventLoop.ReadyDescriptor) {
        guard let connection = connections[event.descriptor] else {
            if let socket = sockets.first(where: { $0.socket.descriptor == event.descriptor }) { accept(from: socket) }
            return
        }
        if event.canRead { connection.mayBeReadable = true }
        if event.isEnding { connection.noteEnding() }
        if event.canWrite, connection.phase == .writing { connection.flush(now: now) }
        connection.releaseIfUnwanted()
        guard connection.isShakingHands else { return advance(connection) }
        if !connection.isInHandshakeQueue { handshakeQueue.append(connection) }
        connection.isInHandshakeQueue = true
    }

    private func continueHandshakes() {
        let end = now + Self.maxHandshakeTimePerTurn
        while now < end, let connection = handshakeQueue.popFirst() {
            connection.isInHandshakeQueue = false
            advance(connection)
            if !connection.isShakingHands { removeHandshake(of: connection) }
            now = Clock.now
        }
        // An empty slice would keep the storage of all that were removed.
        if handshakeQueue.isEmpty { handshakeQueue = [] }
    }

    // MARK: Accepting

    func accept(from socket: ListeningSocket) {
        for _ in 0..<Self.maxAcceptsPerTurn where isAccepting {
            guard acceptOne(from: socket) else { return }
        }
    }

    /// Accepts a connection; returns false if none waits. If the process has no descriptor left,
    /// the listening sockets are not watched until the next tick.
    private func acceptOne(from socket: ListeningSocket) -> Bool {
        switch socket.socket.accept() {
        case .noneWaiting:
            return false
        case .exhausted:
            if now >= nextExhaustionWarning {
                logger.warning("descriptors exhausted, new connections wait", metadata: ["open": .stringConvertible(connections.count)])
                nextExhaustionWarning = now + 60_000_000_000
            }
            setAccepting(false)
            return false
        case .connection(let accepted, let peer):
            add(accepted, peer: peer, overTLS: socket.isSecure)
            return true
        }
    }

    private func setAccepting(_ isAccepting: Bool) {
        guard isAccepting != self.isAccepting else { return }
        self.isAccepting = isAccepting
        for socket in sockets {
            if isAccepting { _ = loop.watch(listening: socket.socket.descriptor) } else { loop.ignore(socket.socket.descriptor) }
        }
    }

    private func add(_ socket: Socket, peer: String, overTLS isSecure: Bool) {
        guard openCount.add() <= max(1, options.maxConnections) else {
            openCount.add(-1)
            meters.countRefused()
            return isSecure ? socket.close() : refuse(socket)
        }
        if isCrowded { held.releaseOldest() }
        let session = isSecure ? tls.flatMap { TLSSession($0) } : nil
        // A TLS port never answers in plain text.
        guard !isSecure || session != nil else {
            openCount.add(-1)
            return socket.close()
        }
        let connection = Connection(
            socket, peer: peer, session: session, limits: options.limits, deadlines: deadlines, budget: budget, now: now)
        connections[socket.descriptor] = connection
        meters.countAccepted()
        if !loop.watch(socket.descriptor) { connection.close() }
        guard isSecure else { return advance(connection) }
        // The handshake begins when the loop reports the socket, through the handshake queue.
        if handshakeCount.add() > max(1, options.maxHandshakes), handshakes.count >= handshakeShare { closeLongestHandshake() }
        handshakes[socket.descriptor] = connection
        finishIfEnding(connection)
    }

    /// Answers a connection above `maxConnections` with 503 and closes it.
    private func refuse(_ socket: Socket) {
        var response: [UInt8] = []
        writer.append(.overBudget, to: &response, unixSeconds: Clock.unixSeconds)
        // Closing a socket with unread bytes resets the connection, and the response would be lost.
        _ = socket.receive(into: buffers.received)
        _ = response.withUnsafeBufferPointer { socket.send($0) }
        socket.finishWriting()
        socket.close()
    }

    // MARK: Handshakes

    /// Closes the handshake of this listener that has taken longest, which an honest client would
    /// have completed.
    private func closeLongestHandshake() {
        guard let longest = handshakes.values.min(by: { $0.deadline < $1.deadline }) else { return }
        removeHandshake(of: longest, as: .crowdedOut)
        longest.close()
        finishIfEnding(longest)
    }

    /// - Parameter outcome: the outcome to count; nil: as the session reports it.
    private func removeHandshake(of connection: Connection, as outcome: ServerMeters.Handshake? = nil) {
        guard handshakes[connection.socket.descriptor] === connection else { return }
        handshakes[connection.socket.descriptor] = nil
        handshakeCount.add(-1)
        meters.count(outcome ?? connection.handshake)
    }

    /// Drains a connection that is lingering, and removes one that is closed.
    func finishIfEnding(_ connection: Connection) {
        if connection.phase == .lingering { connection.drain(through: buffers) }
        let descriptor = connection.socket.descriptor
        // If a handler returns after the connection was closed, another may have its descriptor.
        guard connection.phase == .closed, connections[descriptor] === connection else { return }
        connections[descriptor] = nil
        openCount.add(-1)
        meters.countClosed()
        removeHandshake(of: connection)
        connection.socket.close()
        if !isAccepting { setAccepting(true) }
    }
}
