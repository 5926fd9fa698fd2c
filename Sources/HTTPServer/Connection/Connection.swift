import Base

/// A client's connection: received bytes in, parsed requests out, responses in the same order. It
/// belongs to a listener and is isolated to that listener's event loop.
///
/// It reads only while no request is left to answer: never from a client that reads no responses.
final class Connection {
    /// The size of `output` above which responses are sent before further requests are answered.
    static let maxOutputBytes = 65_536
    /// The number of bytes that are read and discarded while lingering.
    private static let maxLingeringBytes = 16_777_216
    /// The number of bytes of TLS that a client may send in excess of four times their content: a
    /// little more than an incomplete record, whose content is not known yet. Messages of TLS
    /// itself, such as KeyUpdate, have no content and cost as much as a request.
    private static let maxEmptyBytes = 20_480
    /// The part of `output` that is encrypted at a time, so that a long response is not held twice.
    private static let maxEncryptedBytes = 65_536

    let socket: Socket
    let peer: String
    private(set) var phase = Phase.reading
    /// When the current phase times out.
    private(set) var deadline: UInt64
    /// The parser's event that is answered next.
    private(set) var event: RequestParser.Event?
    /// The received bytes behind that event. Requests are parsed one at a time, because a parsed
    /// request takes many times the memory of its bytes.
    private var unparsed: [UInt8] = []
    private var parsedCount = 0
    /// Responds to the request whose body is being read.
    private var respond: Acceptance.Respond?
    /// The response that is held, and its number.
    private(set) var held: (number: UInt64, response: HeldResponse)?
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
    /// The bytes received after the handshake, and those of their content.
    private var (receivedCount, contentCount) = (0, 0)
    /// Until when the first request after a handshake is expected to be on its way.
    private var freshUntil: UInt64 = 0
    private var bodyDeadline = UInt64.max
    /// The bytes of a request with a body that a handler works on.
    private var handledBytes = 0
    /// The bytes that are counted in `budget`, and since when there are any.
    private var countedBytes = 0
    private var countedSince: UInt64 = 0
    private let budget: BufferBudget
    private var parser: RequestParser
    private let session: TLSSession?
    private let deadlines: DeadlineNanoseconds

    /// - Parameter session: the TLS session; nil for plain HTTP.
    init(
        _ socket: Socket, peer: String, session: TLSSession? = nil, limits: ServerOptions.SizeLimits, deadlines: DeadlineNanoseconds,
        budget: BufferBudget, now: UInt64
    ) {
        self.socket = socket
        self.peer = peer
        self.session = session
        self.deadlines = deadlines
        self.budget = budget
        parser = RequestParser(limits: limits)
        deadline = now + (session == nil ? deadlines.header : deadlines.handshake)
    }

    deinit { budget.count(-countedBytes) }

    /// Whether the phase times out. A response is completed by the application, held or not.
    var hasDeadline: Bool { phase != .serving && phase != .waiting }

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
        defer { countBytes(now: now) }
        while phase == .reading, mayBeReadable, event == nil {
            switch socket.receive(into: buffers.received) {
            case .bytes(let count):
                // A short read has emptied the socket; more bytes or the end are reported as a
                // change.
                if count < buffers.received.count && !hasEnded { mayBeReadable = false }
                let bytes = UnsafeBytes(rebasing: buffers.received[..<count])
                if let session {
                    decrypt(bytes, with: session, through: buffers.decrypted, now: now)
                } else {
                    take(bytes, now: now)
                }
            case .nothingYet:
                mayBeReadable = false
            case .end:
                mayBeReadable = false
                hasEnded = true
                event = parser.end()
                if event == nil { close() }
            }
        }
        if phase == .reading, event != nil { phase = .serving }
    }

    /// Passes received bytes to the session, sends what TLS itself replies, and parses the content.
    private func decrypt(
        _ bytes: UnsafeBytes, with session: TLSSession, through decrypted: UnsafeMutableBufferPointer<UInt8>, now: UInt64
    ) {
        let wasShakingHands = isShakingHands
        session.receive(bytes, through: decrypted) { content in
            contentCount += content.count
            take(content, now: now)
        }
        if !wasShakingHands { receivedCount += bytes.count }
        // Records may be padded, so the count ends with a request. Source: RFC 8446 §5.4.
        if event != nil { (receivedCount, contentCount) = (0, 0) }
        switch session.state {
        case .open where receivedCount - 4 * contentCount > Self.maxEmptyBytes:
            finish()
            flush(now: now)
        case .shakingHands, .open:
            if wasShakingHands, !isShakingHands {
                freshUntil = now + deadlines.idleGrace
                if parser.progress == .none { deadline = now + deadlines.header }
            }
            // Messages of TLS itself do not extend a deadline of HTTP.
            let unextended = deadline
            if send(now: now) { deadline = unextended }
        case .ended:
            isLast = true
            parseRest(now: now)
            if event == nil { flush(now: now) }
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

    /// Parses received bytes up to the next event, and keeps the others.
    private func take(_ bytes: UnsafeBytes, now: UInt64) {
        freshUntil = 0
        guard event == nil else { return unparsed.append(contentsOf: bytes) }
        var input = bytes
        parse(&input, now: now)
        if !input.isEmpty { unparsed = Array(input) }
    }

    private func parse(_ input: inout UnsafeBytes, now: UInt64) {
        let before = parser.progress
        event = parser.next(&input)
        guard event == nil else { return }
        switch parser.progress {
        case .none: break
        case .head: if before != .head { deadline = now + deadlines.header }
        case .body: deadline = min(now + deadlines.bodyIdle, bodyDeadline)
        }
    }

    /// Parses the bytes that were kept, up to the next event.
    private func parseRest(now: UInt64) {
        guard event == nil else { return }
        if !unparsed.isEmpty {
            unparsed.withUnsafeBufferPointer { bytes in
                var input = bytes.part(parsedCount...)
                parse(&input, now: now)
                parsedCount = bytes.count - input.count
            }
            if parsedCount == unparsed.count { (unparsed, parsedCount) = ([], 0) }
        }
        if event == nil, unparsed.isEmpty, session?.state == .ended { event = parser.end() }
    }

    /// Removes the event to answer it, and finds the next one, except behind an announced body,
    /// whose head is judged first.
    func takeEvent(now: UInt64) -> RequestParser.Event? {
        guard let taken = event else { return nil }
        event = nil
        switch taken {
        case .request(let request):
            handledBytes = request.body.isEmpty ? 0 : request.heldBytes
            parseRest(now: now)
            countBytes(now: now)
        case .body, .rejected: break
        }
        return taken
    }

    /// Reads the announced body for `respond`, or rejects it if it is longer than `limit`.
    func readBody(atMost limit: Int, _ respond: @escaping Acceptance.Respond, now: UInt64) {
        self.respond = respond
        event = parser.readBody(atMost: limit)
        parseRest(now: now)
    }

    /// Removes the closure that responds to the request whose body was read; nil for a request
    /// without one.
    func takeRespond() -> Acceptance.Respond? {
        defer { respond = nil }
        return respond
    }

    // MARK: Waiting

    /// Waits for a response that is held. Nothing of the request is kept.
    func wait(for response: (number: UInt64, response: HeldResponse), now: UInt64) {
        held = response
        phase = .waiting
        handledBytes = 0
        countBytes(now: now)
        releaseIfUnwanted()
    }

    /// Releases the held response if the client is gone, or waits for other responses, too.
    func releaseIfUnwanted() {
        if phase == .waiting, hasEnded || !output.isEmpty || event != nil { held?.response.releaseNow() }
    }

    /// Goes on with the response that was held.
    func resume() {
        held = nil
        phase = .serving
    }

    // MARK: Memory

    /// Counts the change of what is held for the client. A request that is read, answered and sent
    /// in one turn is never counted.
    private func countBytes(now: UInt64) {
        var bytes = parser.heldBytes + unparsed.capacity + handledBytes + output.count + wire.count + (session?.heldBytes ?? 0)
        if phase == .writing, case .request(let request) = event { bytes += request.heldBytes }
        guard bytes != countedBytes else { return }
        if countedBytes == 0 { countedSince = now }
        budget.count(bytes - countedBytes)
        countedBytes = bytes
    }

    /// The cost of a connection that waits for its client, in bytes times nanoseconds: of two with
    /// as many bytes, the slower one costs more. Nil if it does not wait or holds
    /// nothing.
    func cost(at now: UInt64) -> Double? {
        guard countedBytes > 0, phase != .serving, phase != .waiting, phase != .closed else { return nil }
        return Double(countedBytes) * Double(1 + now - min(now, countedSince))
    }

    // MARK: Writing

    /// Discards everything that is not answered; the connection ends when `output` is sent.
    func finish() {
        isLast = true
        discardInput()
    }

    private func discardInput() {
        parser.close()
        (event, respond) = (nil, nil)
        (unparsed, parsedCount) = ([], 0)
    }

    /// Sends `output` and enters the next phase when all of it is sent.
    func flush(now: UInt64) {
        handledBytes = 0
        defer { countBytes(now: now) }
        guard send(now: now) else { return }
        if event != nil { return phase = .serving }
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
    func expire() { end(with: .tooSlow) }

    /// Ends a connection that waits for its client, because the budget is exceeded.
    func terminateForMemory() { end(with: .overBudget) }

    private func end(with rejection: Rejection) {
        guard phase == .reading, parser.progress != .none else { return close() }
        discardInput()
        event = .rejected(rejection)
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
        held = nil
        discardInput()
        (output, wire, encryptedCount, sentCount) = ([], [], 0, 0)
    }
}
