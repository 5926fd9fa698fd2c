import Base
import HTTPTypes
import Logging
import Network
import Synchronization
import Testing
import World
@testable import HTTPServer

@Suite struct `A server` {
    @Test func `a server answers sequential requests on a connection`() async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            for path in ["/1", "/2"] {
                try await client.send(get(path))
                let answer = try await client.receive(endingWith: "GET \(path) .\n")
                // H20: a date and a length, no Server field, and no Connection field while the
                // connection stays open.
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nDate: "))
                #expect(answer.contains(" GMT\r\nContent-Length: 9\r\n\r\n"))
                #expect(!answer.contains("Server:") && !answer.contains("Connection:"))
            }
        }
    }

    @Test func `a server answers pipelined requests in order even if the first takes longest`() async throws {
        let later = Latch()
        let handler: RequestHandler = { request, body, peer in
            if request.path == "/1" {
                // Suspends, so that later requests could overtake this one.
                for _ in 0..<10 { await Task.yield() }
            } else if request.path == "/40" {
                later.open()
            }
            return echo(request, body, peer)
        }
        try await withServer(handler: handler) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send((1...40).map { get("/\($0)") }.joined())
            let answers = try await client.receive(endingWith: "GET /40 .\n")
            #expect(answers.matches(of: #/GET /(\d+) \./#).map { Int($0.1) } == Array(1...40))
            try await later.opens()
        }
    }

    @Test func `a server answers more pipelined requests than fit into its buffers to a client that reads late`() async throws {
        let page = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
        try await withServer(handler: { _, _, _ in (HTTPResponse(status: .ok), page) }) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(String(repeating: get("/"), count: 999) + get("/", "Connection: close\r\n"))
            let answers = try await client.receiveAll()
            #expect(answers.count(of: "HTTP/1.1 200 OK\r\n") == 1_000)
            #expect(answers.utf8.count { $0 == UInt8(ascii: "x") } == 10_000_000)
        }
    }

    @Test func `a server serves other connections while one pipelines a thousand requests`() async throws {
        let page = [UInt8](repeating: UInt8(ascii: "x"), count: 5_000)
        let neighbour = Mutex<Client?>(nil)
        let before = Mutex<(greedy: Int, whenOthersCame: Int?)>((0, nil))
        let handler: RequestHandler = { request, _, _ in
            before.withLock { if request.path == "/" { $0.greedy += 1 } else { $0.whenOthersCame = $0.greedy } }
            // Sent now, and noticed in the next turn of the loop.
            neighbour.withLock { client in
                client?.sendBlocking(Array(get("/neighbour").utf8))
                client = nil
            }
            return (HTTPResponse(status: .ok), page)
        }
        try await withServer({ $0.listeners = 1 }, handler: handler) { address, _ in
            let (greedy, other) = (try await Client.connect(to: address), try await Client.connect(to: address))
            neighbour.withLock { $0 = other }
            try await greedy.send(String(repeating: get("/"), count: 999) + get("/", "Connection: close\r\n"))
            async let answers = greedy.receiveAll()
            _ = try await other.receive(endingWith: "x")
            let text = try await answers
            #expect(text.count(of: "HTTP/1.1 200 OK\r\n") == 1_000)
        }
        let count = try #require(before.withLock { $0.whenOthersCame })
        #expect(count < 50, "What fits into 64 KB, and perhaps once more")
    }

    @Test func `a server runs the handler on the event loop of its connection`() async throws {
        let isOnLoop = Mutex([Bool]())
        let handler: RequestHandler = { request, body, peer in
            isOnLoop.withLock { $0.append(EventLoop.isOnAny) }
            // A suspended handler must resume on the same loop.
            await Task.yield()
            isOnLoop.withLock { $0.append(EventLoop.isOnAny) }
            return echo(request, body, peer)
        }
        try await withServer(handler: handler) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/"))
            _ = try await client.receive(endingWith: ".\n")
        }
        #expect(isOnLoop.withLock { $0 } == [true, true])
    }

    @Test(arguments: ["127.0.0.1", "::1"]) func `a server passes the peer's address to the handler`(host: String) async throws {
        try await withServer(host: host, handler: { _, _, peer in (HTTPResponse(status: .ok), Array("\(peer).".utf8)) }) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/"))
            #expect(try await client.receive(endingWith: ".").hasSuffix("\r\n\r\n\(host)."))
        }
    }

    @Test func `a server refuses a listen address that is not numeric`() async {
        let server = HTTPServer(addresses: [ListenAddress(host: "localhost", port: 0)], logger: Logger(label: "test")) { echo($0, $1, $2) }
        await #expect(throws: ListenError.self) { try await server.start() }
    }

    // MARK: Messages

    /// H13: HEAD equals GET without the body.
    @Test func `a server answers HEAD without a body, and then the next request`() async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send("HEAD /1 HTTP/1.1\r\nHost: a\r\n\r\n" + get("/2"))
            let answers = try await client.receive(endingWith: "GET /2 .\n")
            #expect(answers.contains("Content-Length: 10\r\n\r\nHTTP/1.1 200"))
            #expect(!answers.contains("HEAD /1"))
        }
    }

    @Test func `a server sends 100 Continue before it reads the body`() async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
            #expect(try await client.receive(endingWith: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send("hello")
            #expect(try await client.receive(endingWith: ".\n").hasSuffix("POST / hello.\n"))
        }
    }

    @Test func `a server accepts a chunked body that arrives in pieces`() async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            for piece in ["POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r", "\nhel", "lo\r\n0\r\n", "\r\n"] {
                try await client.send(piece)
            }
            #expect(try await client.receive(endingWith: ".\n").hasSuffix("POST / hello.\n"))
        }
    }

    @Test func `a server accepts the largest body and refuses a larger one`() async throws {
        try await withServer(handler: { _, body, _ in (HTTPResponse(status: .ok), Array("\(body.count).".utf8)) }) { address, _ in
            let client = try await Client.connect(to: address)
            for (count, ending) in [(1_048_576, "1048576."), (1_048_577, "too large.\n")] {
                let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n"
                try await client.send(Array(head.utf8) + [UInt8](repeating: 0, count: count))
                #expect(try await client.receive(endingWith: ending).hasSuffix(ending))
            }
        }
    }

    @Test func `a server keeps an HTTP/1.0 connection open only on request`() async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send("GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try await client.receive(endingWith: ".\n").contains("\r\nConnection: keep-alive\r\n"))
            try await client.send("GET /2 HTTP/1.0\r\n\r\n" + get("/3"))
            let last = try await client.receiveAll()
            #expect(last.contains("\r\nConnection: close\r\n") && last.hasSuffix("GET /2 .\n"))
        }
    }

    @Test func `a server closes when the client or the handler asks for it, and ignores later requests`() async throws {
        let handler: RequestHandler = { request, body, peer in
            var (response, body) = echo(request, body, peer)
            if request.path == "/last" { response.headerFields[.connection] = "close" }
            return (response, body)
        }
        try await withServer(handler: handler) { address, _ in
            for request in [get("/last"), get("/", "Connection: close\r\n")] {
                let client = try await Client.connect(to: address)
                try await client.send(request + get("/more"))
                let answer = try await client.receiveAll()
                #expect(answer.count(of: "HTTP/1.1 200") == 1)
                #expect(answer.count(of: "Connection: close\r\n") == 1)
            }
        }
    }

    @Test func `a server still answers a client that has finished sending`() async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/1") + get("/2"))
            client.finish()
            #expect(try await client.receiveAll().hasSuffix("GET /2 .\n"))
        }
    }

    @Test func `a server answers a request that arrives together with the end of the input`() async throws {
        let (entered, release) = (Latch(), Latch())
        let handler: RequestHandler = { request, body, peer in
            if request.path == "/1" {
                entered.open()
                await release.wait()
            }
            return echo(request, body, peer)
        }
        try await withServer(handler: handler) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/1"))
            try await entered.opens()
            try await client.send(get("/2"))
            client.finish()
            // Nothing is read while a request is served, so both wait in the socket when the other
            // connection has been answered.
            let other = try await Client.connect(to: address)
            try await other.send(get("/", "Connection: close\r\n"))
            _ = try await other.receiveAll()
            release.open()
            #expect(try await client.receiveAll().hasSuffix("GET /2 .\n"))
        }
    }

    // MARK: Rejections (H10, H11: what follows is not read)

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", "400 Bad Request"), ("GET / HTTP/1.1\nHost: a\n\n", "400 Bad Request"),
        ("\u{16}\u{3}\u{1}", "400 Bad Request"),
        ("FOO / HTTP/1.1\r\n", "501 Not Implemented"), ("GET / HTTP/2.0\r\n", "505 HTTP Version Not Supported"),
        ("GET /\(String(repeating: "a", count: 9_000))", "414 URI Too Long"),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 33_000))", "431 Request Header Fields Too Large"),
        ("POST / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n", "417 Expectation Failed"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n", "413 Content Too Large"),
    ])
    func `a server rejects malformed requests with a sentence and closes`(bytes: String, status: String) async throws {
        let handled = Mutex(0)
        let handler: RequestHandler = { request, body, peer in
            handled.withLock { $0 += 1 }
            return echo(request, body, peer)
        }
        try await withServer(handler: handler) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/before") + bytes + get("/after"))
            let answers = try await client.receiveAll()
            #expect(answers.contains("GET /before .\nHTTP/1.1 \(status)\r\nContent-Type: text/plain; charset=utf-8\r\n"))
            #expect(answers.contains("\r\nConnection: close\r\n\r\n"))
            #expect(answers.hasSuffix(".\n"))
        }
        #expect(handled.withLock { $0 } == 1)
    }

    @Test func `a server answers a truncated request with 400`() async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel")
            client.finish()
            #expect(try await client.receiveAll().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        }
    }

    /// X3: connections are bounded over all and by source, and one more is told 503.
    @Test func `a server answers connections above the limit with 503 until others are closed`() async throws {
        try await withServer({
            $0.listeners = 1
            $0.maxConnections = 1
        }) { address, _ in
            var first: Client? = try await Client.connect(to: address)
            try await first?.send(get("/"))
            _ = try await first?.receive(endingWith: ".\n")
            let second = try await Client.connect(to: address)
            #expect(try await second.receiveAll().hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
            first = nil
            var answer = ""
            let deadline = ContinuousClock.now + .patience
            while !answer.hasPrefix("HTTP/1.1 200") {
                try #require(ContinuousClock.now < deadline, "no connection was accepted again")
                let third = try await Client.connect(to: address)
                try? await third.send(get("/", "Connection: close\r\n"))
                answer = (try? await third.receiveAll()) ?? ""
            }
        }
    }

    /// X3: a listener takes what another has left, as those of one socket of systemd do not take
    /// equal parts.
    @Test func `a server counts the connections of all listeners together`() async throws {
        try await withServer({ ($0.listeners, $0.maxConnections) = (4, 8) }) { address, _ in
            var clients: [Client] = []
            for _ in 0..<8 {
                clients.append(try await Client.connect(to: address))
                try await clients.last?.send(get("/"))
                #expect(try await clients.last?.receive(endingWith: ".\n").hasPrefix("HTTP/1.1 200") == true)
            }
            let more = try await Client.connect(to: address)
            #expect(try await more.receiveAll().hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
            withExtendedLifetime(clients) {}
        }
    }

    // MARK: Deadlines (X2)

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHo", "GET / HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
    ])
    func `a server answers a slow request with 408`(beginning: String) async throws {
        try await withServer({
            $0.deadlines.header = .milliseconds(40)
            $0.deadlines.bodyIdle = .milliseconds(40)
        }) { address, _ in
            // On a busy machine a connection may time out before its first byte, without a
            // response.
            var answer = ""
            let deadline = ContinuousClock.now + .patience
            while answer.isEmpty, ContinuousClock.now < deadline {
                let client = try await Client.connect(to: address)
                try? await client.send(beginning)
                answer = (try? await client.receiveAll()) ?? ""
            }
            #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        }
    }

    @Test func `a server answers a body that never ends with 408 even if it never pauses`() async throws {
        try await withServer({ $0.deadlines.bodyTotal = .milliseconds(40) }) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let answer = Task { try await client.receiveAll() }
            while (try? await client.send("1\r\na\r\n")) != nil {}
            #expect(try await answer.value.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        }
    }

    @Test func `a server closes a connection that sends nothing without a response`() async throws {
        try await withServer({ $0.deadlines.header = .milliseconds(40) }) { address, _ in
            let client = try await Client.connect(to: address)
            #expect(try await client.receiveAll().isEmpty)
        }
        try await withServer({ $0.deadlines.keepAlive = .milliseconds(40) }) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/"))
            #expect(try await client.receiveAll().hasSuffix("GET / .\n"))
        }
    }

    @Test func `a server closes the connection of a client that does not read its response`() async throws {
        let page = [UInt8](repeating: UInt8(ascii: "x"), count: 50_000_000)
        try await withServer(
            {
                $0.listeners = 1
                $0.maxConnections = 1
                $0.deadlines.writeIdle = .milliseconds(40)
            }, handler: { _, _, _ in (HTTPResponse(status: .ok), page) }
        ) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/"))
            _ = try await client.receive { !$0.isEmpty }
            // One connection is allowed: when another is accepted, the first has been closed.
            var answer = "HTTP/1.1 503"
            let deadline = ContinuousClock.now + .patience
            while answer.hasPrefix("HTTP/1.1 503") {
                try #require(ContinuousClock.now < deadline, "the connection was not closed")
                let other = try await Client.connect(to: address)
                try? await other.send("HEAD / HTTP/1.0\r\n\r\n")
                answer = (try? await other.receiveAll()) ?? "HTTP/1.1 503"
            }
            let rest = (try? await client.receiveAll()) ?? ""
            #expect(rest.utf8.count < page.count)
        }
    }

    // MARK: Life cycle (Z1, Z4)

    @Test func `a server survives clients that reset their connection`() async throws {
        let page = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
        try await withServer(handler: { _, _, _ in (HTTPResponse(status: .ok), page) }) { address, _ in
            for round in 0..<200 {
                let client = try await Client.connect(to: address)
                try await client.send(get("/"))
                if round % 2 == 0 { _ = try await client.receive { !$0.isEmpty } }
                client.reset()
            }
            let client = try await Client.connect(to: address)
            try await client.send(get("/", "Connection: close\r\n"))
            #expect(try await client.receiveAll().hasSuffix("xxx"))
        }
    }
}
