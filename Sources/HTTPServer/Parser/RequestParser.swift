package import HTTPTypes

/// Turns the bytes of a connection into requests: a pure machine without I/O or clock.
///
/// However the bytes are cut into pieces, the events are the same, because every decision is made at a fixed byte: a line is
/// judged when it is complete, a forbidden byte when it comes, a limit when it is passed. Source: RFC 9112.
package struct RequestParser {
    /// A request that is complete and safe to pass on.
    package struct Request {
        package let head: HTTPRequest
        package let body: [UInt8]
        /// Whether the client spoke HTTP/1.0, which needs to be told when the connection stays open.
        package let isHTTP10: Bool
        /// Whether another request may follow; if not, the parser is closed.
        package let keepsAlive: Bool
    }

    package enum Event {
        case request(Request)
        /// The client waits for a `100 Continue` before it sends the body.
        case awaitsContinue
        /// The input is no acceptable HTTP; the parser is closed.
        case rejected(Rejection)
    }

    /// How far the request that is coming in has come, for whoever keeps the deadlines.
    package enum Progress {
        case none, head, body
    }

    private enum Phase {
        case requestLine
        case fields
        case fixedBody(missing: Int)
        case chunkSize
        case chunk(missing: Int)
        case chunkEnd
        case trailers
        case closed
    }

    private let limits: ServerOptions.Limits
    private var phase = Phase.requestLine
    /// What is known of the request, from the end of its first line to its own end. It has one place, so that adding to it copies nothing.
    private var head: Head?
    /// The beginning of a line whose end has not come yet, with its CR if that has.
    private var held: [UInt8] = []
    private var body: [UInt8] = []
    private var headerBytes = 0
    private var fieldCount = 0
    private var hasSkippedEmptyLine = false

    package init(limits: ServerOptions.Limits) { self.limits = limits }

    package var progress: Progress {
        switch phase {
        case .requestLine: held.isEmpty ? .none : .head
        case .closed: .none
        case .fields: .head
        case .fixedBody, .chunkSize, .chunk, .chunkEnd, .trailers: .body
        }
    }

    /// Takes bytes off the front of `input` until something happens; `nil` when all are taken and more are needed.
    /// After `rejected`, and after a request that does not keep the connection, everything is taken and nothing happens any more.
    package mutating func next(_ input: inout Bytes) -> Event? {
        do throws(Rejection) {
            while true {
                if let event = try step(&input) { return event }
                if input.isEmpty { return nil }
            }
        } catch {
            close()
            return .rejected(error)
        }
    }

    /// What the end of the input means: a rejection when a request had begun.
    package mutating func end() -> Event? {
        defer { close() }
        return progress == .none ? nil : .rejected(.cutShort)
    }

    private mutating func close() {
        phase = .closed
        head = nil
        held = []
        body = []
    }

    private mutating func step(_ input: inout Bytes) throws(Rejection) -> Event? {
        switch phase {
        case .closed:
            input = input.part(input.count...)
            return nil
        case .fixedBody(let missing):
            let missing = missing - takeBody(missing, &input)
            phase = .fixedBody(missing: missing)
            return missing == 0 ? finish() : nil
        case .chunk(let missing):
            let missing = missing - takeBody(missing, &input)
            phase = missing == 0 ? .chunkEnd : .chunk(missing: missing)
            return nil
        default:
            return try stepLine(&input)
        }
    }

    private mutating func takeBody(_ missing: Int, _ input: inout Bytes) -> Int {
        let count = min(missing, input.count)
        body.append(contentsOf: input.part(..<count))
        input = input.part(count...)
        return count
    }

    /// Finds the end of the line and judges the line; or holds what there is of it.
    private mutating func stepLine(_ input: inout Bytes) throws(Rejection) -> Event? {
        let limit = lineLimit
        let start = held.count
        var end = 0
        if held.last != .carriageReturn {
            // One byte beyond the limit must be seen to know that the line is too long.
            let horizon = min(input.count, max(0, limit - start) + 1)
            guard let found = Grammar.firstControl(in: input, 0..<horizon) else {
                guard start + horizon <= limit else { throw tooLong(input) }
                held.append(contentsOf: input)
                input = input.part(input.count...)
                return nil
            }
            guard input[found] == .carriageReturn else { throw .badBytes }
            guard found + 1 < input.count else {
                held.append(contentsOf: input)
                input = input.part(input.count...)
                return nil
            }
            end = found + 1
        }
        guard end < input.count else { return nil }
        guard input[end] == .lineFeed else { throw .badBytes }
        defer { input = input.part((end + 1)...) }
        if held.isEmpty { return try take(line: input.part(..<(end - 1))) }
        var line = held
        held = []
        line.append(contentsOf: input.part(..<end))
        return try line.withUnsafeBufferPointer { line throws(Rejection) in try take(line: line.part(..<(line.count - 1))) }
    }

    private var lineLimit: Int {
        switch phase {
        case .requestLine: limits.maxTargetBytes + RequestLine.maxBytesBesideTarget
        case .fields, .trailers: limits.maxHeaderBytes - headerBytes - 2
        case .chunkSize: ChunkLine.maxBytes
        default: 0
        }
    }

    private func tooLong(_ input: Bytes) -> Rejection {
        switch phase {
        case .requestLine: RequestLine.rejection(ofTooLong: held + input)
        case .fields, .trailers: .headerTooLarge
        default: .badChunk
        }
    }

    private mutating func take(line: Bytes) throws(Rejection) -> Event? {
        switch phase {
        case .requestLine:
            // One empty line before a request is forgiven. Source: RFC 9112 §2.2.
            if line.isEmpty, !hasSkippedEmptyLine {
                hasSkippedEmptyLine = true
                return nil
            }
            head = Head(try RequestLine(line, maxTargetBytes: limits.maxTargetBytes))
            phase = .fields
            return nil
        case .fields:
            guard !line.isEmpty else { return try beginBody() }
            let field = try countedField(line)
            try head?.add(field)
            return nil
        case .chunkSize:
            let size = try ChunkLine(line).size
            guard size <= limits.maxBodyBytes - body.count else { throw .bodyTooLarge }
            phase = size == 0 ? .trailers : .chunk(missing: size)
            return nil
        case .chunkEnd:
            phase = .chunkSize
            return nil
        case .trailers:
            guard !line.isEmpty else { return finish() }
            // Trailers are dropped; one that pretends to frame or route is refused. Source: RFC 9110 §6.5.1.
            switch try countedField(line).role {
            case .host, .contentLength, .transferEncoding: throw .badField
            case .connection, .expect, .payload: return nil
            }
        case .fixedBody, .chunk, .closed:
            return nil
        }
    }

    private mutating func countedField(_ line: Bytes) throws(Rejection) -> FieldLine {
        headerBytes += line.count + 2
        fieldCount += 1
        guard fieldCount <= limits.maxFields else { throw .headerTooLarge }
        return try FieldLine(line)
    }

    private mutating func beginBody() throws(Rejection) -> Event? {
        switch try head?.framing(maxBodyBytes: limits.maxBodyBytes) {
        case nil, .length(0): return finish()
        case .length(let length): phase = .fixedBody(missing: length)
        case .chunked: phase = .chunkSize
        }
        return head?.awaitsContinue == true ? .awaitsContinue : nil
    }

    private mutating func finish() -> Event? {
        guard let head else { return nil }
        let request = Request(head: head.request, body: body, isHTTP10: head.isHTTP10, keepsAlive: head.keepsAlive)
        self.head = nil
        body = []
        headerBytes = 0
        fieldCount = 0
        hasSkippedEmptyLine = false
        phase = request.keepsAlive ? .requestLine : .closed
        return .request(request)
    }
}
