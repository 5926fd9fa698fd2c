/// One client's connection: bytes in, requests out, answers in their order. Belongs to its listener and lives on its queue.
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

    let socket: Socket
    let peer: String
    private(set) var phase = Phase.reading
    /// When the present wait has lasted too long.
    private(set) var deadline: UInt64
    /// What the parser found and nobody has answered yet.
    var steps: ArraySlice<RequestParser.Event> = []
    var output: [UInt8] = []
    /// Whether the socket may have something to read: it says so once for each change.
    var mayRead = true
    /// Whether a task is answering `steps`.
    var isServed = false
    /// Whether the client will send nothing more.
    private(set) var hasEnded = false
    private var isLast = false
    private var sent = 0
    private var lingered = 0
    private var bodyDeadline = UInt64.max
    private var parser: RequestParser
    private let deadlines: DeadlinesInNanoseconds

    init(_ socket: Socket, peer: String, limits: ServerOptions.Limits, deadlines: DeadlinesInNanoseconds, now: UInt64) {
        self.socket = socket
        self.peer = peer
        self.deadlines = deadlines
        parser = RequestParser(limits: limits)
        deadline = now + deadlines.header
    }

    /// Whether it could be closed now without anyone missing an answer.
    var isIdle: Bool { phase == .reading && parser.progress == .none }

    /// Reads and parses through `buffer`, the listener's; afterwards `steps` has what is to be answered.
    func read(through buffer: UnsafeMutableBufferPointer<UInt8>, now: UInt64) {
        while phase == .reading, mayRead, steps.isEmpty {
            switch socket.receive(into: buffer) {
            case .bytes(let count):
                // A short read has emptied the socket; if it ends or fills again, that is another change.
                if count < buffer.count && !hasEnded { mayRead = false }
                parse(Bytes(rebasing: buffer[..<count]), now: now)
            case .nothingYet:
                mayRead = false
            case .end:
                mayRead = false
                hasEnded = true
                if let event = parser.end() { steps.append(event) } else { close() }
            }
        }
        if !steps.isEmpty { phase = .serving }
    }

    /// The socket told that its other side is ending: from here on, reading goes on until it says so itself.
    func noteEnding() {
        hasEnded = true
        mayRead = true
    }

    private func parse(_ bytes: Bytes, now: UInt64) {
        let before = parser.progress
        var input = bytes
        while let event = parser.next(&input) { steps.append(event) }
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
        guard phase != .closed else { return }
        while sent < output.count {
            guard let count = output.withUnsafeBufferPointer({ socket.send(Bytes(rebasing: $0[sent...])) }) else { return close() }
            guard count > 0 else {
                if phase != .writing { deadline = now + deadlines.writeIdle }
                phase = .writing
                return
            }
            sent += count
            deadline = now + deadlines.writeIdle
        }
        output = []
        sent = 0
        if !steps.isEmpty { return phase = .serving }
        if isLast { return linger(now: now) }
        phase = .reading
        switch parser.progress {
        case .none: deadline = now + deadlines.keepAlive
        case .head: deadline = now + deadlines.header
        case .body:
            bodyDeadline = now + deadlines.bodyTotal
            deadline = now + deadlines.bodyIdle
        }
    }

    private func linger(now: UInt64) {
        socket.finishWriting()
        phase = .lingering
        deadline = now + deadlines.linger
        mayRead = true
    }

    /// Throws away what the client still sends, so that closing does not reset the connection before it has read our last words.
    func drain(through buffer: UnsafeMutableBufferPointer<UInt8>) {
        while phase == .lingering {
            switch socket.receive(into: buffer) {
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

    /// Ends it at once. The listener, which sees `closed`, lets go of the socket.
    func close() {
        phase = .closed
        steps = []
        output = []
    }
}
