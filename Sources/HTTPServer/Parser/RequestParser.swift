public import HTTPTypes

/// The state machine that turns the bytes of a connection into requests, without I/O or clock.
///
/// The events do not depend on how the bytes are divided into reads: a line is judged when it is
/// complete, a forbidden byte at its position, a limit at the byte that exceeds it. Source: RFC
/// 9112.
public struct RequestParser {
    /// A complete request with valid framing.
    public struct ParsedRequest {
        public let head: HTTPRequest
        public let body: [UInt8]
        /// Whether the client spoke HTTP/1.0, in which a response must say that the connection
        /// stays open.
        public let isHTTP10: Bool
        /// Whether another request may follow; otherwise the parser is closed.
        public let keepsAlive: Bool
        /// The memory that the request takes, about.
        public let heldBytes: Int
    }

    public enum Event {
        case request(ParsedRequest)
        /// The head of a request with a body is complete. Nothing is consumed until `readBody`.
        case body(AnnouncedBody)
        /// The input is not acceptable; the parser is closed.
        case rejected(Rejection)
    }

    /// A request whose body has not been read.
    public struct AnnouncedBody {
        public let head: HTTPRequest
        /// The length of the body; nil if it is chunked.
        public let length: Int?
        /// Whether the client waits for a `100 Continue` before it sends the body.
        public let awaitsContinue: Bool
    }

    /// Which part of a request is being received; the connection chooses its deadline by it.
    public enum Progress {
        case none, head, body
    }

    private enum State {
        case requestLine
        case fields
        case announcedBody(Head.Framing)
        case fixedBody(missing: Int)
        case chunkSize
        case chunk(missing: Int)
        case chunkEnd
        case trailers
        case closed
    }

    private let limits: ServerOptions.SizeLimits
    private var state = State.requestLine
    /// The head, from the end of the request line to the end of the request. It is not a payload of
    /// `State`, where each added field would copy it.
    private var head: Head?
    /// The beginning of a line that is not complete, including its CR if that has been received.
    private var partialLine: [UInt8] = []
    private var body: [UInt8] = []
    /// The largest body of the current request.
    private var maxBodyBytes = 0
    private var lineBytes = 0
    private var headerBytes = 0
    private var fieldCount = 0
    private var hasSkippedEmptyLine = false
    /// The bytes of chunk lines beyond those that a body of this length may have.
    private var chunkExcess = 0

    /// The length of a chunk's line that costs nothing.
    private static let usualChunkFraming = 16
    private static let maxChunkExcess = 16 << 10

    public init(limits: ServerOptions.SizeLimits) { self.limits = limits }

    public var progress: Progress {
        switch state {
        case .requestLine: partialLine.isEmpty ? .none : .head
        case .closed: .none
        case .fields: .head
        case .announcedBody, .fixedBody, .chunkSize, .chunk, .chunkEnd, .trailers: .body
        }
    }

    /// The memory that the current request takes; fields take more than their text.
    public var heldBytes: Int {
        let accepted = isAccepted ? 3 * lineBytes + Self.acceptedBytes : 0
        return body.capacity + partialLine.capacity + accepted
            + (head == nil ? 0 : lineBytes + 2 * headerBytes + fieldCount * Self.bytesBesideField)
    }

    /// Whether the application waits for the body.
    private var isAccepted: Bool { if case .announcedBody = state { false } else { progress == .body } }

    /// The memory, beside three times that of the target, in which the application holds an
    /// accepted head until its body has come, about.
    private static let acceptedBytes = 8_192

    /// The memory that a field takes beside its text, about.
    private static let bytesBesideField = 128

    /// Consumes bytes from the front of `input` up to the next event; nil if all are consumed and
    /// more are needed. A closed parser consumes everything and returns nil.
    public mutating func next(_ input: inout UnsafeBytes) -> Event? {
        do throws(Rejection) {
            while true {
                if let event = try step(&input) { return event }
                if input.isEmpty { return nil }
                if case .announcedBody = state { return nil }
            }
        } catch {
            close()
            return .rejected(error)
        }
    }

    /// Handles the end of the input: a rejection if a request has begun, otherwise nil.
    public mutating func end() -> Event? {
        defer { close() }
        return progress == .none ? nil : .rejected(.cutShort)
    }

    /// Reads the announced body if it has at most `limit` bytes, and otherwise returns its
    /// rejection.
    public mutating func readBody(atMost limit: Int) -> Event? {
        guard case .announcedBody(let framing) = state else { return nil }
        maxBodyBytes = min(limit, limits.maxBodyBytes)
        switch framing {
        case .chunked: state = .chunkSize
        case .length(let length) where length <= maxBodyBytes:
            state = .fixedBody(missing: length)
            body.reserveCapacity(min(length, Self.usualBodyBytes))
        case .length:
            close()
            return .rejected(.bodyTooLarge)
        }
        return nil
    }

    /// The most bytes that are reserved at once for a body.
    private static let usualBodyBytes = 4_096

    /// Frees all memory; everything that follows is ignored.
    public mutating func close() {
        state = .closed
        head = nil
        partialLine = []
        body = []
    }

    private mutating func step(_ input: inout UnsafeBytes) throws(Rejection) -> Event? {
        switch state {
        case .closed:
            input = input.part(input.count...)
            return nil
        case .announcedBody:
            return nil
        case .fixedBody(let missing):
            let missing = missing - takeBody(missing, &input)
            state = .fixedBody(missing: missing)
            return missing == 0 ? finish() : nil
        case .chunk(let missing):
            let missing = missing - takeBody(missing, &input)
            state = missing == 0 ? .chunkEnd : .chunk(missing: missing)
            return nil
        default:
            return try stepLine(&input)
        }
    }

    private mutating func takeBody(_ missing: Int, _ input: inout UnsafeBytes) -> Int {
        let count = min(missing, input.count)
        body.append(contentsOf: input.part(..<count))
        input = input.part(count...)
        return count
    }

    /// Finds the end of a line and parses it, or stores the part of it that has been received.
    private mutating func stepLine(_ input: inout UnsafeBytes) throws(Rejection) -> Event? {
        let limit = lineLimit
        let start = partialLine.count
        var end = 0
        if partialLine.last != .carriageReturn {
            // A line is too long as soon as one byte beyond the limit is received.
            let horizon = min(input.count, max(0, limit - start) + 1)
            guard let found = Grammar.firstControl(in: input, 0..<horizon) else {
                guard start + horizon <= limit else { throw tooLong(input) }
                partialLine.append(contentsOf: input)
                input = input.part(input.count...)
                return nil
            }
            guard input[found] == .carriageReturn else { throw .badBytes }
            guard found + 1 < input.count else {
                partialLine.append(contentsOf: input)
                input = input.part(input.count...)
                return nil
            }
            end = found + 1
        }
        guard end < input.count else { return nil }
        guard input[end] == .lineFeed else { throw .badBytes }
        defer { input = input.part((end + 1)...) }
        if partialLine.isEmpty { return try take(line: input.part(..<(end - 1))) }
        var line = partialLine
        partialLine = []
        line.append(contentsOf: input.part(..<end))
        return try line.withUnsafeBufferPointer { line throws(Rejection) in try take(line: line.part(..<(line.count - 1))) }
    }

    private var lineLimit: Int {
        switch state {
        case .requestLine: limits.maxTargetBytes + RequestLine.maxBytesBesideTarget
        case .fields, .trailers: limits.maxHeaderBytes - headerBytes - 2
        case .chunkSize: ChunkLine.maxBytes
        default: 0
        }
    }

    private func tooLong(_ input: UnsafeBytes) -> Rejection {
        switch state {
        case .requestLine: RequestLine.rejection(ofTooLong: partialLine + input)
        case .fields, .trailers: .headerTooLarge
        default: .badChunk
        }
    }

    private mutating func take(line: UnsafeBytes) throws(Rejection) -> Event? {
        switch state {
        case .requestLine:
            // One empty line before a request is ignored. Source: RFC 9112 §2.2.
            if line.isEmpty, !hasSkippedEmptyLine {
                hasSkippedEmptyLine = true
                return nil
            }
            head = Head(try RequestLine(line, maxTargetBytes: limits.maxTargetBytes))
            lineBytes = line.count
            state = .fields
            return nil
        case .fields:
            guard !line.isEmpty else { return try announceBody() }
            let field = try countedField(line)
            try head?.add(field)
            return nil
        case .chunkSize:
            let size = try ChunkLine(line).size
            guard size <= maxBodyBytes - body.count else { throw .bodyTooLarge }
            // Each line costs more than its bytes, so a body cannot be mostly framing.
            chunkExcess = max(0, chunkExcess + line.count - Self.usualChunkFraming - 2 * min(size, 1 << 20))
            guard chunkExcess <= Self.maxChunkExcess else { throw .badChunk }
            state = size == 0 ? .trailers : .chunk(missing: size)
            return nil
        case .chunkEnd:
            state = .chunkSize
            return nil
        case .trailers:
            guard !line.isEmpty else { return finish() }
            // Trailers are discarded; one that would frame or route the message is refused.
            // Source: RFC 9110 §6.5.1.
            switch try countedField(line).kind {
            case .host, .contentLength, .transferEncoding: throw .badField
            case .connection, .expect, .application: return nil
            }
        case .announcedBody, .fixedBody, .chunk, .closed:
            return nil
        }
    }

    private mutating func countedField(_ line: UnsafeBytes) throws(Rejection) -> FieldLine {
        headerBytes += line.count + 2
        fieldCount += 1
        guard fieldCount <= limits.maxFields else { throw .headerTooLarge }
        return try FieldLine(line)
    }

    private mutating func announceBody() throws(Rejection) -> Event? {
        guard let head, case let framing = try head.framing(maxBodyBytes: limits.maxBodyBytes), framing != .length(0) else {
            return finish()
        }
        state = .announcedBody(framing)
        let length: Int? = if case .length(let length) = framing { length } else { nil }
        return .body(AnnouncedBody(head: head.request, length: length, awaitsContinue: head.awaitsContinue))
    }

    private mutating func finish() -> Event? {
        guard let head else { return nil }
        let request = ParsedRequest(
            head: head.request, body: body, isHTTP10: head.isHTTP10, keepsAlive: head.keepsAlive, heldBytes: heldBytes)
        self.head = nil
        body = []
        headerBytes = 0
        fieldCount = 0
        hasSkippedEmptyLine = false
        chunkExcess = 0
        state = request.keepsAlive ? .requestLine : .closed
        return .request(request)
    }
}
