import HTTPTypes
import Logging
import Queues

/// One event loop with a listening socket for each address and all the connections that arrived there.
///
/// Everything it holds lives on that loop, so nothing here is locked and nothing hops: each turn enters by `assumeIsolated`, and a
/// request whose handler does not suspend is read, answered and sent within one.
actor Listener {
    private static let acceptsPerTurn = 64
    /// How long an answer waits for others of its turn. Sent together they wake their clients once, if those are on the same machine,
    /// such as a proxy; and none waits for a crowd.
    private static let companyPerTurn: UInt64 = 500_000
    /// How long handshakes go on, one after another, before requests have their turn again.
    private static let handshakesPerTurn: UInt64 = 1_000_000

    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private nonisolated let stopped = Latch()

    private let doorway: RequestHandler
    private let options: ServerOptions
    private let deadlines: DeadlinesInNanoseconds
    private let maxConnections: Int
    private let maxHandshakes: Int
    private let logger: Logger
    private let meters: ServerMeters
    private let buffers = ReadBuffers()
    private var sockets: [ListeningSocket]
    private var tls: TLSContext?
    private var connections: [Int32: Connection] = [:]
    /// Those of `connections` whose handshake is not done.
    private var handshakes: [Int32: Connection] = [:]
    /// Those of `handshakes` that have something to go on with, first come first served. A handshake costs as much as ten requests,
    /// so requests never wait for more than a few: a flood of handshakes slows down handshakes (X10).
    private var line: ArraySlice<Connection> = []
    /// Those that have asked something and wait for the turn to answer.
    private var asking: ArraySlice<Connection> = []
    /// Those that have asked more behind what they were answered: others have their turn first.
    private var askingMore: [Connection] = []
    /// Those whose answers go out at the end of the turn.
    private var answered: [Connection] = []
    /// When the first of `answered` has waited long enough.
    private var nextDeparture: UInt64 = 0
    private var writer: ResponseWriter
    private var isAccepting = true
    private var isOver = false
    /// Whether the log knows that descriptors ran out; until the next connection gets one.
    private var hasWarned = false
    private var now = Clock.now
    /// When all deadlines are looked at next, and how often they are.
    private var nextTick: UInt64
    private var period: UInt64
    /// While stopping: when the listening sockets close, and when the last connections are cut.
    private var stopping: (settled: UInt64, cut: UInt64)?

    /// Takes over `sockets`, which are its own to close.
    init(
        on loop: EventLoop, sockets: [ListeningSocket], tls: TLSContext?, options: ServerOptions, logger: Logger, meters: ServerMeters,
        doorway: @escaping RequestHandler
    ) {
        self.loop = loop
        self.sockets = sockets
        self.tls = tls
        self.options = options
        self.logger = logger
        self.meters = meters
        self.doorway = doorway
        deadlines = DeadlinesInNanoseconds(options)
        writer = ResponseWriter(strictTransport: options.strictTransport)
        let listeners = max(1, options.listeners)
        maxConnections = max(1, (options.maxConnections + listeners - 1) / listeners)
        maxHandshakes = max(1, (options.maxHandshakes + listeners - 1) / listeners)
        period = DeadlinesInNanoseconds.clamped(max(.milliseconds(10), min(.seconds(1), options.deadlines.shortest / 4)))
        nextTick = now + period
    }

    // MARK: Life

    func open() {
        for socket in sockets { _ = loop.watch(listening: socket.socket.descriptor) }
        loop.run { ready in self.assumeIsolated { $0.turn(ready) } }
    }

    /// Begins the end: answers no new handshake, lets every answer say `Connection: close`, and then waits for the last one.
    func stop() async {
        if stopping == nil {
            now = Clock.now
            let settled = now + DeadlinesInNanoseconds.clamped(options.settle)
            stopping = (settled, max(settled, now + DeadlinesInNanoseconds.clamped(options.grace)))
            // What comes to a shared one from now on is for the next process. Closing is not enough where others keep it open.
            for socket in sockets where socket.isShared {
                loop.ignore(socket.socket.descriptor)
                socket.socket.close()
            }
            sockets.removeAll(where: \.isShared)
            for socket in sockets { socket.socket.refuseNewHandshakes() }
            period = 10_000_000
            nextTick = now + period
        }
        await stopped.wait()
    }

    /// From now on, handshakes go by `tls`; those that have begun, and the connections after them, keep what they have (K2).
    func use(_ tls: TLSContext) { self.tls = tls }

    /// Does nothing, on the loop that does everything else.
    func pulse() {}

    private func tick() {
        nextTick = now + period
        if !isAccepting { accept(again: true) }
        for connection in connections.values where connection.phase != .serving && connection.deadline <= now {
            connection.expire()
            advance(connection)
        }
        if let stopping { wind(down: stopping) }
    }

    private func wind(down stopping: (settled: UInt64, cut: UInt64)) {
        guard now >= stopping.settled else { return }
        for socket in sockets {
            while acceptOne(from: socket) {}
            socket.socket.close()
        }
        sockets = []
        for connection in connections.values where connection.isIdle(at: now) || now >= stopping.cut {
            // A last look: a request may be waiting in the socket that this turn has not seen yet.
            connection.mayRead = true
            if now < stopping.cut { advance(connection) }
            if connection.isIdle(at: now) || now >= stopping.cut { connection.close() }
            settle(connection)
        }
        guard connections.isEmpty else { return }
        isOver = true
        buffers.deallocate()
        stopped.open()
    }

    // MARK: Events

    private func turn(_ ready: [EventLoop.Readiness]) -> EventLoop.Next {
        now = Clock.now
        for event in ready { handle(event) }
        // One task answers them all; where a handler suspends, the next one goes on behind it.
        while !asking.isEmpty { Task.immediate { await self.serve() } }
        sendAnswers()
        (asking, askingMore) = (ArraySlice(askingMore), [])
        if !line.isEmpty { shakeHands() }
        if nextTick <= now { tick() }
        guard !isOver else { return .end }
        return .turn(within: line.isEmpty && asking.isEmpty ? nextTick - now : 0)
    }

    private func shakeHands() {
        let end = now + Self.handshakesPerTurn
        while now < end, let connection = line.popFirst() {
            connection.isInLine = false
            advance(connection)
            if !connection.isShakingHands { leaveHandshakes(connection) }
            now = Clock.now
        }
        if line.isEmpty { line = [] }
    }

    private func handle(_ event: EventLoop.Readiness) {
        guard let connection = connections[event.descriptor] else {
            if let socket = sockets.first(where: { $0.socket.descriptor == event.descriptor }) { accept(from: socket) }
            return
        }
        if event.canRead { connection.mayRead = true }
        if event.isEnding { connection.noteEnding() }
        if event.canWrite, connection.phase == .writing { connection.flush(now: now) }
        guard connection.isShakingHands else { return advance(connection) }
        if !connection.isInLine { line.append(connection) }
        connection.isInLine = true
    }

    private func accept(from socket: ListeningSocket) {
        for _ in 0..<Self.acceptsPerTurn where isAccepting {
            guard acceptOne(from: socket) else { return }
        }
    }

    /// Takes one connection and greets it. Out of descriptors, it looks away from the listening sockets until the next tick.
    private func acceptOne(from socket: ListeningSocket) -> Bool {
        switch socket.socket.accept() {
        case .noneWaiting:
            return false
        case .exhausted:
            if !hasWarned { logger.warning("No descriptors left, new connections wait", metadata: ["open": "\(connections.count)"]) }
            hasWarned = true
            accept(again: false)
            return false
        case .connection(let accepted, let peer):
            hasWarned = false
            greet(accepted, peer: peer, overTLS: socket.isSecure)
            return true
        }
    }

    private func greet(_ socket: Socket, peer: String, overTLS isSecure: Bool) {
        guard connections.count < maxConnections else {
            meters.countRefused()
            return isSecure ? socket.close() : turnAway(socket)
        }
        let session = isSecure ? tls.flatMap { TLSSession($0) } : nil
        // In no case is anything said in the clear where TLS was meant.
        guard !isSecure || session != nil else { return socket.close() }
        let connection = Connection(socket, peer: peer, session: session, limits: options.limits, deadlines: deadlines, now: now)
        connections[socket.descriptor] = connection
        meters.countAccepted()
        if isSecure {
            if handshakes.count >= maxHandshakes { cutLongestHandshake() }
            handshakes[socket.descriptor] = connection
        }
        if !loop.watch(socket.descriptor) { connection.close() }
        // A handshake waits for its turn.
        if isSecure { settle(connection) } else { advance(connection) }
    }

    /// Those who mean it are done after a moment: who has taken longest is slow on purpose, or gone.
    private func cutLongestHandshake() {
        guard let longest = handshakes.values.min(by: { $0.deadline < $1.deadline }) else { return }
        leaveHandshakes(longest, as: .crowdedOut)
        longest.close()
        settle(longest)
    }

    /// - Parameter outcome: nil: as the session has it.
    private func leaveHandshakes(_ connection: Connection, as outcome: ServerMeters.Handshake? = nil) {
        guard handshakes[connection.socket.descriptor] === connection else { return }
        handshakes[connection.socket.descriptor] = nil
        meters.count(outcome ?? connection.handshake)
    }

    private func accept(again isAccepting: Bool) {
        guard isAccepting != self.isAccepting else { return }
        self.isAccepting = isAccepting
        for socket in sockets {
            if isAccepting { _ = loop.watch(listening: socket.socket.descriptor) } else { loop.ignore(socket.socket.descriptor) }
        }
    }

    private func turnAway(_ socket: Socket) {
        var answer: [UInt8] = []
        writer.appendOverload(to: &answer, unixSeconds: Clock.unixSeconds)
        // Closing with something unread would reset the connection and take the answer with it.
        _ = socket.receive(into: buffers.wire)
        _ = answer.withUnsafeBufferPointer { socket.send($0) }
        socket.finishWriting()
        socket.close()
    }

    // MARK: Connections

    /// Goes on with a connection as far as it goes now.
    private func advance(_ connection: Connection) {
        connection.read(through: buffers, now: now)
        if connection.phase == .serving, !connection.isServed {
            connection.isServed = true
            asking.append(connection)
        }
        settle(connection)
    }

    private func serve() async {
        while let connection = asking.popFirst() {
            if asking.isEmpty { asking = [] }
            await answer(connection)
            if answered.isEmpty { nextDeparture = now + Self.companyPerTurn }
            answered.append(connection)
            if nextDeparture <= now { sendAnswers() }
        }
    }

    private func sendAnswers() {
        for connection in answered {
            if connection.phase == .serving {
                connection.flush(now: now)
                connection.read(through: buffers, now: now)
            }
            connection.isServed = connection.phase == .serving
            if connection.isServed { askingMore.append(connection) } else { settle(connection) }
        }
        answered.removeAll(keepingCapacity: true)
    }

    /// Answers what was asked, in order, until nothing is left to answer or the client has to take something first.
    private func answer(_ connection: Connection) async {
        while connection.output.count < Connection.maxOutputBytes, let step = connection.steps.popFirst() {
            switch step {
            case .awaitsContinue:
                ResponseWriter.appendContinue(to: &connection.output)
            case .rejected(let rejection):
                meters.count(rejection)
                writer.append(rejection, to: &connection.output, unixSeconds: Clock.unixSeconds)
                connection.finish()
            case .request(let request):
                let (response, body) = await doorway(request.head, request.body, connection.peer)
                now = Clock.now
                guard connection.phase == .serving else { return }
                let isLast = stopping != nil && connection.steps.isEmpty
                let exchange = ResponseWriter.Exchange(
                    isHead: request.head.method == .head, isHTTP10: request.isHTTP10, keepsAlive: request.keepsAlive && !isLast)
                let isOpen = writer.append(response, body, to: &connection.output, for: exchange, unixSeconds: Clock.unixSeconds)
                if !isOpen { connection.finish() }
            }
        }
    }

    /// Hears out a connection that is ending, and lets go of one that has.
    private func settle(_ connection: Connection) {
        if connection.phase == .lingering { connection.drain(through: buffers) }
        let descriptor = connection.socket.descriptor
        // Its number may be another connection's by now, when a handler comes back after the end.
        guard connection.phase == .closed, connections[descriptor] === connection else { return }
        connections[descriptor] = nil
        meters.countClosed()
        leaveHandshakes(connection)
        connection.socket.close()
        if !isAccepting { accept(again: true) }
    }
}
