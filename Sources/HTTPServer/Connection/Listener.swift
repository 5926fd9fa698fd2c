import HTTPTypes
import Logging
import Queues

/// One serial queue with a listening socket for each address and all the connections that arrived there.
///
/// Everything it holds lives on that queue, so nothing here is locked and nothing hops: the poller's wake-up enters by
/// `assumeIsolated`, and a request whose handler does not suspend is read, answered and sent within one call.
actor Listener {
    private static let bufferBytes = 32_768
    private static let acceptsPerTurn = 64
    private static let pollsPerTurn = 16

    nonisolated let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private nonisolated let stopped = Latch()

    private let doorway: Doorway
    private let options: ServerOptions
    private let deadlines: DeadlinesInNanoseconds
    private let maxConnections: Int
    private let logger: Logger
    private let poller: Poller
    private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bufferBytes)
    private var sockets: [Socket]
    private var connections: [Int32: Connection] = [:]
    private var writer = ResponseWriter()
    private var source: ReadSource?
    private var timer: QueueTimer?
    private var isAccepting = true
    /// Whether the log knows that descriptors ran out; until the next connection gets one.
    private var hasWarned = false
    private var now = Clock.now
    /// While stopping: when the listening sockets close, and when the last connections are cut.
    private var stopping: (settled: UInt64, cut: UInt64)?

    /// Takes over `sockets` and `poller`, which are its own to close.
    init(number: Int, sockets: [Socket], poller: Poller, options: ServerOptions, logger: Logger, doorway: @escaping Doorway) {
        executor = QueueExecutor(label: "onward.http.\(number)")
        self.sockets = sockets
        self.poller = poller
        self.options = options
        self.logger = logger
        self.doorway = doorway
        deadlines = DeadlinesInNanoseconds(options.deadlines)
        maxConnections = max(1, (options.maxConnections + options.listeners - 1) / max(1, options.listeners))
    }

    // MARK: Life

    func open() {
        for socket in sockets { _ = poller.watch(listening: socket) }
        source = ReadSource(descriptor: poller.descriptor, on: executor) { self.assumeIsolated { $0.turn() } }
        let period = max(.milliseconds(10), min(.seconds(1), options.deadlines.shortest / 4))
        timer = QueueTimer(on: executor, every: period) { self.assumeIsolated { $0.tick() } }
    }

    /// Begins the end: answers no new handshake, lets every answer say `Connection: close`, and then waits for the last one.
    func stop() async {
        if stopping == nil {
            now = Clock.now
            let settled = now + DeadlinesInNanoseconds.clamped(options.settle)
            stopping = (settled, max(settled, now + DeadlinesInNanoseconds.clamped(options.grace)))
            for socket in sockets { socket.refuseNewHandshakes() }
            timer?.reschedule(every: .milliseconds(10))
        }
        await stopped.wait()
    }

    private func tick() {
        now = Clock.now
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
            socket.close()
        }
        sockets = []
        for connection in connections.values where connection.isIdle || now >= stopping.cut {
            // A last look: a request may be waiting in the socket that this turn has not seen yet.
            connection.mayRead = true
            if now < stopping.cut { advance(connection) }
            if connection.isIdle || now >= stopping.cut { connection.close() }
            settle(connection)
        }
        guard connections.isEmpty, let source else { return }
        self.source = nil
        timer?.cancel()
        source.cancel { self.assumeIsolated { $0.release() } }
    }

    private func release() {
        poller.close()
        buffer.deallocate()
        stopped.open()
    }

    // MARK: Events

    private func turn() {
        var polls = 0
        repeat {
            now = Clock.now
            polls += 1
        } while poller.poll(handle) > 0 && polls < Self.pollsPerTurn
    }

    private func handle(_ event: Poller.Readiness) {
        guard let connection = connections[event.descriptor] else {
            if let socket = sockets.first(where: { $0.descriptor == event.descriptor }) { accept(from: socket) }
            return
        }
        if event.canRead { connection.mayRead = true }
        if event.isEnding { connection.noteEnding() }
        if event.canWrite, connection.phase == .writing { connection.flush(now: now) }
        advance(connection)
    }

    private func accept(from socket: Socket) {
        for _ in 0..<Self.acceptsPerTurn where isAccepting {
            guard acceptOne(from: socket) else { return }
        }
    }

    /// Takes one connection and greets it. Out of descriptors, it looks away from the listening sockets until the next tick.
    private func acceptOne(from socket: Socket) -> Bool {
        switch socket.accept() {
        case .noneWaiting:
            return false
        case .exhausted:
            if !hasWarned { logger.warning("No descriptors left, new connections wait", metadata: ["open": "\(connections.count)"]) }
            hasWarned = true
            accept(again: false)
            return false
        case .connection(let accepted, let peer):
            hasWarned = false
            guard connections.count < maxConnections else {
                turnAway(accepted)
                return true
            }
            let connection = Connection(accepted, peer: peer, limits: options.limits, deadlines: deadlines, now: now)
            connections[accepted.descriptor] = connection
            if !poller.watch(connection: accepted) { connection.close() }
            advance(connection)
            return true
        }
    }

    private func accept(again isAccepting: Bool) {
        guard isAccepting != self.isAccepting else { return }
        self.isAccepting = isAccepting
        for socket in sockets {
            if isAccepting { _ = poller.watch(listening: socket) } else { poller.ignore(socket) }
        }
    }

    private func turnAway(_ socket: Socket) {
        var answer: [UInt8] = []
        writer.appendOverload(to: &answer, unixSeconds: Clock.unixSeconds)
        // Closing with something unread would reset the connection and take the answer with it.
        _ = socket.receive(into: buffer)
        _ = answer.withUnsafeBufferPointer { socket.send($0) }
        socket.finishWriting()
        socket.close()
    }

    // MARK: Connections

    /// Goes on with a connection as far as it goes now.
    private func advance(_ connection: Connection) {
        connection.read(through: buffer, now: now)
        if connection.phase == .serving, !connection.isServed {
            connection.isServed = true
            Task.immediate { await self.serve(connection) }
        }
        settle(connection)
    }

    /// Answers what was asked, in order, until nothing is left to answer or the client has to take something first.
    private func serve(_ connection: Connection) async {
        var turns = 0
        while connection.phase == .serving {
            await answer(connection)
            connection.flush(now: now)
            connection.read(through: buffer, now: now)
            turns += 1
            if turns % Self.pollsPerTurn == 0 { await Task.yield() }
        }
        connection.isServed = false
        settle(connection)
    }

    private func answer(_ connection: Connection) async {
        while connection.output.count < Connection.maxOutputBytes, let step = connection.steps.popFirst() {
            switch step {
            case .awaitsContinue:
                ResponseWriter.appendContinue(to: &connection.output)
            case .rejected(let rejection):
                writer.append(rejection, to: &connection.output, unixSeconds: Clock.unixSeconds)
                connection.finish()
            case .request(let request):
                let (response, body) = await doorway(request.head, request.body, connection.peer)
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
        if connection.phase == .lingering { connection.drain(through: buffer) }
        let descriptor = connection.socket.descriptor
        // Its number may be another connection's by now, when a handler comes back after the end.
        guard connection.phase == .closed, connections[descriptor] === connection else { return }
        connections[descriptor] = nil
        connection.socket.close()
        if !isAccepting { accept(again: true) }
    }
}
