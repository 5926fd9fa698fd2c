import Base
import HTTPTypes
import Network

/// Reads requests, has them answered, and sends the responses.
extension Listener {
    /// Reads from a connection and queues it if there is something to answer.
    func advance(_ connection: Connection) {
        connection.read(through: buffers, now: now)
        if connection.phase == .serving, !connection.isQueued {
            connection.isQueued = true
            requestQueue.append(connection)
        }
        finishIfEnding(connection)
    }

    func serve() async {
        while let connection = requestQueue.popFirst() {
            if requestQueue.isEmpty { requestQueue = [] }
            await answer(connection)
            if batch.isEmpty { batchDeadline = now + Self.maxBatchDelay }
            batch.append(connection)
            if batchDeadline <= now { sendBatch() }
        }
    }

    func sendBatch() {
        for connection in batch {
            if connection.phase == .serving {
                connection.flush(now: now)
                connection.read(through: buffers, now: now)
            }
            connection.isQueued = connection.phase == .serving
            if connection.isQueued { nextRequestQueue.append(connection) } else { finishIfEnding(connection) }
        }
        batch.removeAll(keepingCapacity: true)
    }

    /// Answers the parsed requests of a connection in order, until none is left or the output is
    /// full.
    private func answer(_ connection: Connection) async {
        while connection.output.count < Connection.maxOutputBytes, let event = connection.takeEvent(now: now) {
            switch event {
            case .body(let announced):
                await answer(announced, of: connection)
            case .rejected(let rejection):
                reject(connection, rejection)
            case .request(let request):
                let reply = await respond(to: request, of: connection)
                now = Clock.now
                guard connection.phase == .serving else { return }
                let exchange = ResponseWriter.Exchange(
                    isHead: request.head.method == .head, isHTTP10: request.isHTTP10, keepsAlive: request.keepsAlive)
                switch reply {
                case .response(let response, let body): append(response, body, to: connection, for: exchange)
                case .held(let response): return wait(for: response, exchange, of: connection)
                }
            }
        }
    }

    private func append(_ response: HTTPResponse, _ body: [UInt8], to connection: Connection, for exchange: ResponseWriter.Exchange) {
        var exchange = exchange
        if stopping != nil, connection.event == nil { exchange.keepsAlive = false }
        if !writer.append(response, body, to: &connection.output, for: exchange, unixSeconds: Clock.unixSeconds) { connection.finish() }
    }

    // MARK: Held responses

    /// Whether so few connections are left that held ones have to make room.
    var isCrowded: Bool { openCount.value > Int64(options.maxConnections - options.maxConnections / 8) }

    private func wait(for response: HeldResponse, _ exchange: ResponseWriter.Exchange, of connection: Connection) {
        let number = held.add(response)
        connection.wait(for: (number, response), now: now)
        if stopping != nil { response.releaseNow() }
        response.await { [loop, descriptor = connection.socket.descriptor] response, body in
            loop.submit { self.assumeIsolated { $0.finish(number, response, body, exchange, at: descriptor) } }
        }
    }

    /// Sends a response that was held, in the next turn.
    private func finish(
        _ number: UInt64, _ response: HTTPResponse, _ body: [UInt8], _ exchange: ResponseWriter.Exchange, at descriptor: Int32
    ) {
        held.remove(number)
        // The client may be gone, and another one have the descriptor.
        guard let connection = connections[descriptor], connection.held?.number == number else { return }
        now = Clock.now
        connection.resume()
        var exchange = exchange
        if isCrowded { exchange.keepsAlive = false }
        append(response, body, to: connection, for: exchange)
        // It may still be in the batch of its request.
        if !connection.isQueued { batch.append(connection) }
        connection.isQueued = true
    }

    /// The response to a complete request. The head of one with a body was judged before.
    private func respond(to request: RequestParser.ParsedRequest, of connection: Connection) async -> Acceptance.Reply {
        if let respond = connection.takeRespond() { return await respond(request.body) }
        return switch await accept(request.head, 0, connection.peer) {
        case .response(let response, let body): .response(response, body)
        case .body(_, let respond): await respond([])
        }
    }

    /// Has the head of an announced body judged. Without the body the connection ends, so that no
    /// byte of it is taken for a request.
    private func answer(_ announced: RequestParser.AnnouncedBody, of connection: Connection) async {
        guard !budget.isExceeded else { return reject(connection, .overBudget) }
        let acceptance = await accept(announced.head, announced.length, connection.peer)
        now = Clock.now
        guard connection.phase == .serving else { return }
        switch acceptance {
        case .body(let maxBytes, let respond):
            connection.readBody(atMost: maxBytes, respond, now: now)
            if announced.awaitsContinue, announced.length ?? 0 <= maxBytes { ResponseWriter.appendContinue(to: &connection.output) }
        case .response(let response, let body):
            let ending = ResponseWriter.Exchange(isHead: announced.head.method == .head)
            _ = writer.append(response, body, to: &connection.output, for: ending, unixSeconds: Clock.unixSeconds)
            connection.finish()
        }
    }

    private func reject(_ connection: Connection, _ rejection: Rejection) {
        meters.count(rejection)
        writer.append(rejection, to: &connection.output, unixSeconds: Clock.unixSeconds)
        connection.finish()
    }
}
