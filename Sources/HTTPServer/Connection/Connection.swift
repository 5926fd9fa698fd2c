import Queues

/// A client's connection: received bytes in, parsed requests out, responses in the same order. It
/// belongs to a listener and is isolated to that listener's event loop.
///
/// It reads only while no request is left to answer, so a client that does not read its responses
/// is not read from either.
final class Connection {
    enum Phase {
        /// Waiting for a request, or for the rest of one.
        case reading
        /// A handler runs, or the response waits to be sent.
        case serving
        /// Part of `output` waits until the socket is writable.
        case writing
        /// Everything is sent and the write side is shut down; further input is discarded until the
        /// client closes. Source: RFC 9112 §9.6.
        case lingering
        case closed
    }

    /// The size of `output` above which responses are sent before further requests are answered.
    static let maxOutputBytes = 65_536
    /// The number of bytes that are read and discarded while lingering.
    private static let maxLingeringBytes = 16_777_216
    /// The part of `output` that is encrypted at a time, so that a long response is not held twice.
    private static let maxEncryptedBytes = 65_536

    let socket: Socket
    let peer: String
    private(set) var phase = Phase.reading
    /// When the current phase times out.
    private(set) var deadline: UInt64
    /// The parser's events that have not been answered.
    var events: ArraySlice<RequestParser.Event> = []
    /// The responses that have not been sent, before encryption.
    var output: [UInt8] = []
    /// Whether the connection is in the listener's handshake queue.
    var isInHandshakeQueue = false
    /// Whether the socket may have bytes to read; epoll reports each change once.
    var mayBeReadable = true
    /// Whether the connection is in one of the listener's request queues or being answered.
    var isQueued = false
    /// Whether the client will send nothing more.
    private(set) var hasEnded = false
    private var isLast = false
    /// The number of bytes of `output` that `session` has encrypted.
    private var encryptedCount = 0
    /// The bytes that are being sent, and how many of them the socket has taken.
    private var wire: [UInt8] = []
    private var sentCount = 0
    private var lingeredCount = 0
    /// Until when the first request after a handshake is expected to be on its way.
    private var freshUntil: UInt64 = 0
    private var bodyDeadline = UInt64.max
    private var parser: RequestParser
    private let session: TLSSession?
    private let deadlines: DeadlineNanoseconds

    /// - Parameter session: the TLS session; nil for plain HTTP.
    init(
        _ socket: Socket, peer: String, session: TLSSession? = nil, limits: ServerOptions.SizeLimits, deadlines: DeadlineNanoseconds,
        now: UInt64
    ) {
        self.socket = socket
        self.peer = peer
        self.session = session
        self.deadlines = deadlines
        parser = RequestParser(limits: limits)
        deadline = now + (session == nil ? deadlines.header : deadlines.handshake)
    }

    /// Whether the connection can be closed now without the loss of a request or response.
    func isIdle(at now: UInt64) -> Bool { phase == .reading && parser.progress == .none && !isShakingHands && freshUntil <= now }

    var isShakingHands: Bool { session?.state == .shakingHands }

    /// The outcome of a handshake that is over.
    var handshake: ServerMeters.Handshake {
        guard let session, session.isComplete else { return .failed }
        return session.isResumed ? .resumed : .full
    }

    // MARK: Reading

    /// Reads and parses until there are events to answer or the socket is empty.
    func read(through buffers: ReadBuffers, now: UInt64) {
        while phase == .reading, mayBeReadable, events.isEmpty {
            switch socket.receive(into: buffers.received) {
            case .bytes(let count):
                // A short read has emptied the socket; more bytes or the end are reported as a
                // change.
                if count < buffers.received.count && !hasEnded { mayBeReadable = false }
                let bytes = UnsafeBytes(rebasing: buffers.received[..<count])
                if let session {
                    decrypt(bytes, with: session, through: buffers.decrypted, now: now)
                } else {
                    parse(bytes, now: now)
                }
            case .nothingYet:
                mayBeReadable = false
            case .end:
                mayBeReadable = false
                hasEnded = true
                if let event = parser.end() { events.append(event) } else { close() }
            }
        }
        if phase == .reading, !events.isEmpty { phase = .serving }
    }

    /// Passes received bytes to the session, sends what TLS itself replies, and parses the content.
    private func decrypt(
        _ bytes: UnsafeBytes, with session: TLSSession, through decrypted: UnsafeMutableBufferPointer<UInt8>, now: UInt64
    ) {
        let wasShakingHands = isShakingHands
        session.receive(bytes, through: decrypted) { parse($0, now: now) }
        switch session.state {
        case .shakingHands, .open:
            if wasShakingHands, !isShakingHands {
                freshUntil = now + deadlines.idleGrace
                if parser.progress == .none { deadline = now + deadlines.header }
            }
            // Messages of TLS itself do not extend a deadline of HTTP.
            let unextended = deadline
            if send(now: now) { deadline = unextended }
        case .ended:
            if let event = parser.end() { events.append(event) }
            isLast = true
            if events.isEmpty { flush(now: now) }
        case .failed:
            finish()
            flush(now: now)
        }
    }

    /// Handles the report that the client has shut down or is gone: reads go on until one returns
    /// the end.
    func noteEnding() {
        hasEnded = true
        mayBeReadable = true
    }

    private func parse(_ bytes: UnsafeBytes, now: UInt64) {
        let before = parser.progress
        var input = bytes
        freshUntil = 0
        // Emptied, so that the copy is not shared and appending does not copy all elements.
        var events = Array(self.events)
        self.events = []
        while let event = parser.next(&input) { events.append(event) }
        self.events = events[...]
        switch parser.progress {
        case .none:
            break
        case .head:
            if before != .head || !self.events.isEmpty { deadline = now + deadlines.header }
        case .body:
            if before != .body || !self.events.isEmpty { bodyDeadline = now + deadlines.bodyTotal }
            deadline = min(now + deadlines.bodyIdle, bodyDeadline)
        }
    }

    // MARK: Writing

    /// Discards the unanswered events; the connection ends when `output` is sent.
    func finish() {
        isLast = true
        events = []
    }

    /// Sends `output` and enters the next phase when all of it is sent.
    func flush(now: UInt64) {
        guard send(now: now) else { return }
        if !events.isEmpty { return phase = .serving }
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

    /// Sends as much as the socket takes; returns whether that was everything.
    private func send(now: UInt64) -> Bool {
        guard phase != .closed else { return false }
        while sentCount < wire.count || fillWire() {
            guard let count = wire.withUnsafeBufferPointer({ socket.send(UnsafeBytes(rebasing: $0[sentCount...])) }) else {
                close()
                return false
            }
            // The deadline of a handshake is never extended.
            if !isShakingHands, count > 0 || phase != .writing { deadline = now + deadlines.writeIdle }
            guard count > 0 else {
                phase = .writing
                return false
            }
            sentCount += count
        }
        return true
    }

    /// Moves the next bytes to send into `wire`, encrypted if there is a session; returns false if
    /// there are none.
    private func fillWire() -> Bool {
        sentCount = 0
        guard let session else {
            (wire, output) = (output, [])
            return !wire.isEmpty
        }
        if encryptedCount < output.count {
            let end = min(output.count, encryptedCount + Self.maxEncryptedBytes)
            output.withUnsafeBufferPointer { session.encrypt(UnsafeBytes(rebasing: $0[encryptedCount..<end])) }
            encryptedCount = end
            if end == output.count { (output, encryptedCount) = ([], 0) }
        }
        wire = session.takeOutput()
        return !wire.isEmpty
    }

    // MARK: Ending

    private func linger(now: UInt64) {
        socket.finishWriting()
        phase = .lingering
        deadline = now + deadlines.linger
        mayBeReadable = true
    }

    /// Discards what the client still sends. Closing a socket with unread bytes would reset the
    /// connection before the client has read the last response.
    func drain(through buffers: ReadBuffers) {
        while phase == .lingering {
            switch socket.receive(into: buffers.received) {
            case .bytes(let count):
                lingeredCount += count
                if lingeredCount > Self.maxLingeringBytes { close() }
            case .nothingYet: return
            case .end: close()
            }
        }
    }

    /// Handles the timeout of the current phase: a request that has begun is answered with 408, any
    /// other connection is closed.
    func expire() {
        guard phase == .reading, parser.progress != .none else { return close() }
        events = [.rejected(.tooSlow)]
        phase = .serving
    }

    /// Closes the connection immediately; the listener then closes the socket. TLS sends
    /// `close_notify` only if no response is cut off, so that a truncated one is recognisable (K6).
    func close() {
        if phase == .reading, let session {
            session.end()
            _ = session.takeOutput().withUnsafeBufferPointer { socket.send($0) }
        }
        phase = .closed
        events = []
        (output, wire, encryptedCount, sentCount) = ([], [], 0, 0)
    }
}

/// The deadlines of `ServerOptions` in the unit of `Clock.now`.
struct DeadlineNanoseconds {
    let handshake, header, bodyIdle, bodyTotal, keepAlive, writeIdle, linger, idleGrace: UInt64

    init(_ options: ServerOptions) {
        let deadlines = options.deadlines
        handshake = Self.clamped(deadlines.handshake)
        header = Self.clamped(deadlines.header)
        bodyIdle = Self.clamped(deadlines.bodyIdle)
        bodyTotal = Self.clamped(deadlines.bodyTotal)
        keepAlive = Self.clamped(deadlines.keepAlive)
        writeIdle = Self.clamped(deadlines.writeIdle)
        linger = Self.clamped(deadlines.linger)
        idleGrace = Self.clamped(options.idleGrace)
    }

    static func clamped(_ duration: Duration) -> UInt64 { UInt64(max(0, duration.nanoseconds)) }
}
