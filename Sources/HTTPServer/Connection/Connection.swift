/// One client's connection: bytes in, requests out, answers in their order. Belongs to its listener and lives on its loop.
///
/// It reads while nothing is left to answer, so a client that does not take its answers is not read from either.
final class Connection {
    enum Phase {
        /// Waiting for a request, or for the rest of one.
        case reading
        /// A handler works on it.
        case serving
        /// The client takes what is in `output`.
        case writing
        /// Everything is said; the client may still read it and speak its last. Source: RFC 9112 §9.6.
        case lingering
        case closed
    }

    /// Answers pile up to here before they are sent and waited for.
    static let maxOutputBytes = 65_536
    /// A client that still sends after our last word is heard out for so long.
    private static let maxLingeringBytes = 16_777_216
    /// What is sealed and sent at a time of a longer answer, so that it is not held twice.
    private static let sealedBytes = 65_536

    let socket: Socket
    let peer: String
    private(set) var phase = Phase.reading
    /// When the present wait has lasted too long.
    private(set) var deadline: UInt64
    /// What the parser found and nobody has answered yet.
    var steps: ArraySlice<RequestParser.Event> = []
    var output: [UInt8] = []
    /// Whether it stands in the line of those whose handshake can go on.
    var isInLine = false
    /// Whether the socket may have something to read: it says so once for each change.
    var mayRead = true
    /// Whether a task is answering `steps`.
    var isServed = false
    /// Whether the client will send nothing more.
    private(set) var hasEnded = false
    private var isLast = false
    /// The part of `output` that `session` has sealed.
    private var sealed = 0
    /// What the socket is taking, and how much it has taken.
    private var wire: [UInt8] = []
    private var sent = 0
    private var lingered = 0
    /// Until then the request is on its way that a handshake was made for.
    private var freshUntil: UInt64 = 0
    private var bodyDeadline = UInt64.max
    private var parser: RequestParser
    private let session: TLSSession?
    private let deadlines: DeadlinesInNanoseconds

    /// - Parameter session: nil: what goes over the wire is plain HTTP.
    init(
        _ socket: Socket, peer: String, session: TLSSession? = nil, limits: ServerOptions.Limits, deadlines: DeadlinesInNanoseconds,
        now: UInt64
    ) {
        self.socket = socket
        self.peer = peer
        self.session = session
        self.deadlines = deadlines
        parser = RequestParser(limits: limits)
        deadline = now + (session == nil ? deadlines.header : deadlines.handshake)
    }

    /// Whether it could be closed now without anyone missing an answer.
    func isIdle(at now: UInt64) -> Bool { phase == .reading && parser.progress == .none && !isShakingHands && freshUntil <= now }

    var isShakingHands: Bool { session?.state == .shakingHands }

    /// How its handshake went, once that is over.
    var handshake: ServerMeters.Handshake {
        guard let session, session.isComplete else { return .failed }
        return session.isResumed ? .resumed : .full
    }

    /// Reads and parses through `buffers`, the listener's; afterwards `steps` has what is to be answered.
    func read(through buffers: ReadBuffers, now: UInt64) {
        while phase == .reading, mayRead, steps.isEmpty {
            switch socket.receive(into: buffers.wire) {
            case .bytes(let count):
                // A short read has emptied the socket; if it ends or fills again, that is another change.
                if count < buffers.wire.count && !hasEnded { mayRead = false }
                let bytes = Bytes(rebasing: buffers.wire[..<count])
                if let session {
                    open(bytes, with: session, through: buffers.plain, now: now)
                } else {
                    parse(bytes, now: now)
                }
            case .nothingYet:
                mayRead = false
            case .end:
                mayRead = false
                hasEnded = true
                if let event = parser.end() { steps.append(event) } else { close() }
            }
        }
        if phase == .reading, !steps.isEmpty { phase = .serving }
    }

    /// Takes what came over the wire, answers what concerns TLS itself, and parses the rest.
    private func open(_ bytes: Bytes, with session: TLSSession, through plain: UnsafeMutableBufferPointer<UInt8>, now: UInt64) {
        let wasShakingHands = isShakingHands
        session.receive(bytes, through: plain) { parse($0, now: now) }
        switch session.state {
        case .shakingHands, .open:
            if wasShakingHands, !isShakingHands {
                freshUntil = now + deadlines.settle
                if parser.progress == .none { deadline = now + deadlines.header }
            }
            // Nothing that is said about TLS moves a deadline of HTTP.
            let present = deadline
            if send(now: now) { deadline = present }
        case .ended:
            if let event = parser.end() { steps.append(event) }
            isLast = true
            if steps.isEmpty { flush(now: now) }
        case .failed:
            finish()
            flush(now: now)
        }
    }

    /// The socket told that its other side is ending: from here on, reading goes on until it says so itself.
    func noteEnding() {
        hasEnded = true
        mayRead = true
    }

    private func parse(_ bytes: Bytes, now: UInt64) {
        let before = parser.progress
        var input = bytes
        freshUntil = 0
        // Not shared, or the first one that comes would copy all of them.
        var events = Array(steps)
        steps = []
        while let event = parser.next(&input) { events.append(event) }
        steps = events[...]
        switch parser.progress {
        case .none:
            break
        case .head:
            if before != .head || !steps.isEmpty { deadline = now + deadlines.header }
        case .body:
            if before != .body || !steps.isEmpty { bodyDeadline = now + deadlines.bodyTotal }
            deadline = min(now + deadlines.bodyIdle, bodyDeadline)
        }
    }

    /// Nothing more will be answered here; what is in `output` still goes out.
    func finish() {
        isLast = true
        steps = []
    }

    /// Sends what is in `output` and goes on to what follows from that.
    func flush(now: UInt64) {
        guard send(now: now) else { return }
        if !steps.isEmpty { return phase = .serving }
        if isLast || session?.state == .failed {
            session?.end()
            if send(now: now) { linger(now: now) }
            return
        }
        phase = .reading
        guard !isShakingHands else { return }
        switch parser.progress {
        case .none: deadline = now + deadlines.keepAlive
        case .head: deadline = now + deadlines.header
        case .body:
            bodyDeadline = now + deadlines.bodyTotal
            deadline = now + deadlines.bodyIdle
        }
    }

    /// Sends all that the socket takes; whether that was all there is.
    private func send(now: UInt64) -> Bool {
        guard phase != .closed else { return false }
        while sent < wire.count || fillWire() {
            guard let count = wire.withUnsafeBufferPointer({ socket.send(Bytes(rebasing: $0[sent...])) }) else {
                close()
                return false
            }
            // Nothing moves the deadline of a handshake.
            if !isShakingHands, count > 0 || phase != .writing { deadline = now + deadlines.writeIdle }
            guard count > 0 else {
                phase = .writing
                return false
            }
            sent += count
        }
        return true
    }

    /// Puts on the wire what comes next: all there is, or so much of it as is sealed at a time. False when there is nothing.
    private func fillWire() -> Bool {
        sent = 0
        guard let session else {
            (wire, output) = (output, [])
            return !wire.isEmpty
        }
        if sealed < output.count {
            let end = min(output.count, sealed + Self.sealedBytes)
            output.withUnsafeBufferPointer { session.seal(Bytes(rebasing: $0[sealed..<end])) }
            sealed = end
            if end == output.count { (output, sealed) = ([], 0) }
        }
        wire = session.takeOutput()
        return !wire.isEmpty
    }

    private func linger(now: UInt64) {
        socket.finishWriting()
        phase = .lingering
        deadline = now + deadlines.linger
        mayRead = true
    }

    /// Throws away what the client still sends, so that closing does not reset the connection before it has read our last words.
    func drain(through buffers: ReadBuffers) {
        while phase == .lingering {
            switch socket.receive(into: buffers.wire) {
            case .bytes(let count):
                lingered += count
                if lingered > Self.maxLingeringBytes { close() }
            case .nothingYet: return
            case .end: close()
            }
        }
    }

    /// What happens at the deadline: a request that had begun is told, everything else is cut.
    func expire() {
        guard phase == .reading, parser.progress != .none else { return close() }
        steps = [.rejected(.tooSlow)]
        phase = .serving
    }

    /// Ends it at once. The listener, which sees `closed`, lets go of the socket. What is cut off in the middle must look so: only
    /// where nothing is left unsaid the client is told that this is the end (K6).
    func close() {
        if phase == .reading, let session {
            session.end()
            _ = session.takeOutput().withUnsafeBufferPointer { socket.send($0) }
        }
        phase = .closed
        steps = []
        (output, wire, sealed, sent) = ([], [], 0, 0)
    }
}
