import HTTPTypes
import Logging
import Queues
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct `A server` {
    @Test func `answers one request after another on a connection`() async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            for path in ["/1", "/2"] {
                try await client.send(get(path))
                let answer = try await client.receive(endingWith: "GET \(path) .\n")
                // H20: a date, a length, and no word about the server or a connection that simply stays open.
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nDate: "))
                #expect(answer.contains(" GMT\r\nContent-Length: 9\r\n\r\n"))
                #expect(!answer.contains("Server:") && !answer.contains("Connection:"))
            }
        }
    }

    @Test func `answers pipelined requests in their order, though the first takes longest`() async throws {
        let later = Latch()
        let doorway: RequestHandler = { request, body, peer in
            if request.path == "/1" {
                // Suspends on its own queue: the others would overtake here if they could.
                for _ in 0..<10 { await Task.yield() }
            } else if request.path == "/40" {
                later.open()
            }
            return echo(request, body, peer)
        }
        try await withServer(doorway: doorway) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send((1...40).map { get("/\($0)") }.joined())
            let answers = try await client.receive(endingWith: "GET /40 .\n")
            #expect(answers.matches(of: #/GET /(\d+) \./#).map { Int($0.1) } == Array(1...40))
            await later.wait()
        }
    }

    @Test func `answers more pipelined requests than it holds at once, to a client that reads late`() async throws {
        let page = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
        try await withServer(doorway: { _, _, _ in (HTTPResponse(status: .ok), page) }) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(String(repeating: get("/"), count: 999) + get("/", "Connection: close\r\n"))
            let answers = try await client.receiveAll()
            #expect(answers.count(of: "HTTP/1.1 200 OK\r\n") == 1_000)
            #expect(answers.utf8.count { $0 == UInt8(ascii: "x") } == 10_000_000)
        }
    }

    @Test func `lets others have their turn beside one who asks for a thousand answers at once`() async throws {
        let page = [UInt8](repeating: UInt8(ascii: "x"), count: 5_000)
        let neighbour = Mutex<Client?>(nil)
        let before = Mutex<(greedy: Int, whenOthersCame: Int?)>((0, nil))
        let doorway: RequestHandler = { request, _, _ in
            before.withLock { if request.path == "/" { $0.greedy += 1 } else { $0.whenOthersCame = $0.greedy } }
            // Asked by now, and seen when the loop looks again.
            neighbour.withLock { client in
                client?.sendHere(Array(get("/neighbour").utf8))
                client = nil
            }
            return (HTTPResponse(status: .ok), page)
        }
        try await withServer({ $0.listeners = 1 }, doorway: doorway) { address, _ in
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

    @Test func `runs the handler on the connection's own loop`() async throws {
        let isOnLoop = Mutex([Bool]())
        let doorway: RequestHandler = { request, body, peer in
            isOnLoop.withLock { $0.append(EventLoop.isOnAny) }
            // Suspending and coming back must lead to the same place.
            await Task.yield()
            isOnLoop.withLock { $0.append(EventLoop.isOnAny) }
            return echo(request, body, peer)
        }
        try await withServer(doorway: doorway) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/"))
            _ = try await client.receive(endingWith: ".\n")
        }
        #expect(isOnLoop.withLock { $0 } == [true, true])
    }

    @Test(arguments: ["127.0.0.1", "::1"]) func `tells the handler the peer's address`(host: String) async throws {
        try await withServer(host: host, doorway: { _, _, peer in (HTTPResponse(status: .ok), Array("\(peer).".utf8)) }) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/"))
            #expect(try await client.receive(endingWith: ".").hasSuffix("\r\n\r\n\(host)."))
        }
    }

    @Test func `refuses an address that is none`() async {
        let server = HTTPServer(addresses: [ListenAddress(host: "localhost", port: 0)], logger: Logger(label: "test")) { echo($0, $1, $2) }
        await #expect(throws: ListenError.self) { try await server.start() }
    }

    // MARK: Messages

    /// H13.
    @Test func `answers HEAD without the body and stays in step`() async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send("HEAD /1 HTTP/1.1\r\nHost: a\r\n\r\n" + get("/2"))
            let answers = try await client.receive(endingWith: "GET /2 .\n")
            #expect(answers.contains("Content-Length: 10\r\n\r\nHTTP/1.1 200"))
            #expect(!answers.contains("HEAD /1"))
        }
    }

    @Test func `says 100 before it reads the body`() async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
            #expect(try await client.receive(endingWith: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send("hello")
            #expect(try await client.receive(endingWith: ".\n").hasSuffix("POST / hello.\n"))
        }
    }

    @Test func `takes a body in chunks that come one by one`() async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            for piece in ["POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r", "\nhel", "lo\r\n0\r\n", "\r\n"] {
                try await client.send(piece)
            }
            #expect(try await client.receive(endingWith: ".\n").hasSuffix("POST / hello.\n"))
        }
    }

    @Test func `takes the largest body and refuses a larger one in so many words`() async throws {
        try await withServer(doorway: { _, body, _ in (HTTPResponse(status: .ok), Array("\(body.count).".utf8)) }) { address, _ in
            let client = try await Client.connect(to: address)
            for (count, ending) in [(1_048_576, "1048576."), (1_048_577, "too large.\n")] {
                let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n"
                try await client.send(Array(head.utf8) + [UInt8](repeating: 0, count: count))
                #expect(try await client.receive(endingWith: ending).hasSuffix(ending))
            }
        }
    }

    @Test func `keeps an HTTP/1.0 connection open only when asked, and says so`() async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send("GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try await client.receive(endingWith: ".\n").contains("\r\nConnection: keep-alive\r\n"))
            try await client.send("GET /2 HTTP/1.0\r\n\r\n" + get("/3"))
            let last = try await client.receiveAll()
            #expect(last.contains("\r\nConnection: close\r\n") && last.hasSuffix("GET /2 .\n"))
        }
    }

    @Test func `closes when the client or the handler says so, and reads nothing after that`() async throws {
        let doorway: RequestHandler = { request, body, peer in
            var (response, body) = echo(request, body, peer)
            if request.path == "/last" { response.headerFields[.connection] = "close" }
            return (response, body)
        }
        try await withServer(doorway: doorway) { address, _ in
            for request in [get("/last"), get("/", "Connection: close\r\n")] {
                let client = try await Client.connect(to: address)
                try await client.send(request + get("/more"))
                let answer = try await client.receiveAll()
                #expect(answer.count(of: "HTTP/1.1 200") == 1)
                #expect(answer.count(of: "Connection: close\r\n") == 1)
            }
        }
    }

    @Test func `still answers a client that has finished sending`() async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/1") + get("/2"))
            client.finish()
            #expect(try await client.receiveAll().hasSuffix("GET /2 .\n"))
        }
    }

    @Test func `notices the end that comes together with the last request`() async throws {
        let (entered, release) = (Latch(), Latch())
        let doorway: RequestHandler = { request, body, peer in
            if request.path == "/1" {
                entered.open()
                await release.wait()
            }
            return echo(request, body, peer)
        }
        try await withServer(doorway: doorway) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/1"))
            await entered.wait()
            try await client.send(get("/2"))
            client.finish()
            // While one is served nothing is read: both now wait in the socket, which another connection's answer outlasts.
            let other = try await Client.connect(to: address)
            try await other.send(get("/", "Connection: close\r\n"))
            _ = try await other.receiveAll()
            release.open()
            #expect(try await client.receiveAll().hasSuffix("GET /2 .\n"))
        }
    }

    // MARK: Refusals (H10, H11: what follows is not read)

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", "400 Bad Request"), ("GET / HTTP/1.1\nHost: a\n\n", "400 Bad Request"),
        ("\u{16}\u{3}\u{1}", "400 Bad Request"),
        ("FOO / HTTP/1.1\r\n", "501 Not Implemented"), ("GET / HTTP/2.0\r\n", "505 HTTP Version Not Supported"),
        ("GET /\(String(repeating: "a", count: 9_000))", "414 URI Too Long"),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 33_000))", "431 Request Header Fields Too Large"),
        ("POST / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n", "417 Expectation Failed"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n", "413 Content Too Large"),
    ])
    func `refuses in words what it cannot read, and closes`(bytes: String, status: String) async throws {
        let handled = Mutex(0)
        let doorway: RequestHandler = { request, body, peer in
            handled.withLock { $0 += 1 }
            return echo(request, body, peer)
        }
        try await withServer(doorway: doorway) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/before") + bytes + get("/after"))
            let answers = try await client.receiveAll()
            #expect(answers.contains("GET /before .\nHTTP/1.1 \(status)\r\nContent-Type: text/plain; charset=utf-8\r\n"))
            #expect(answers.contains("\r\nConnection: close\r\n\r\n"))
            #expect(answers.hasSuffix(".\n"))
        }
        #expect(handled.withLock { $0 } == 1)
    }

    @Test func `tells a client whose request ended too early`() async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel")
            client.finish()
            #expect(try await client.receiveAll().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        }
    }

    /// X3.
    @Test func `turns away what is beyond its ceiling and serves again when there is room`() async throws {
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
            while !answer.hasPrefix("HTTP/1.1 200") {
                let third = try await Client.connect(to: address)
                try? await third.send(get("/", "Connection: close\r\n"))
                answer = (try? await third.receiveAll()) ?? ""
            }
        }
    }

    // MARK: Deadlines (X2)

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHo", "GET / HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
    ])
    func `cuts a slow request with a word`(beginning: String) async throws {
        try await withServer({
            $0.deadlines.header = .milliseconds(40)
            $0.deadlines.bodyIdle = .milliseconds(40)
        }) { address, _ in
            // A connection that was cut before its first byte (on a busy machine) is closed without a word: another one, then.
            var answer = ""
            while answer.isEmpty {
                let client = try await Client.connect(to: address)
                try? await client.send(beginning)
                answer = (try? await client.receiveAll()) ?? ""
            }
            #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        }
    }

    @Test func `cuts a body that never ends, though it never pauses`() async throws {
        try await withServer({ $0.deadlines.bodyTotal = .milliseconds(40) }) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let answer = Task { try await client.receiveAll() }
            while (try? await client.send("1\r\na\r\n")) != nil {}
            #expect(try await answer.value.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        }
    }

    @Test func `closes a connection that sends nothing silently`() async throws {
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

    @Test func `cuts a client that does not take its answer`() async throws {
        let page = [UInt8](repeating: UInt8(ascii: "x"), count: 50_000_000)
        try await withServer(
            {
                $0.listeners = 1
                $0.maxConnections = 1
                $0.deadlines.writeIdle = .milliseconds(40)
            }, doorway: { _, _, _ in (HTTPResponse(status: .ok), page) }
        ) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/"))
            _ = try await client.receive { !$0.isEmpty }
            // There is room for one connection: when another gets in, the first one is gone.
            var answer = "HTTP/1.1 503"
            while answer.hasPrefix("HTTP/1.1 503") {
                let other = try await Client.connect(to: address)
                try? await other.send("HEAD / HTTP/1.0\r\n\r\n")
                answer = (try? await other.receiveAll()) ?? "HTTP/1.1 503"
            }
            let rest = (try? await client.receiveAll()) ?? ""
            #expect(rest.utf8.count < page.count)
        }
    }

    // MARK: Life cycle (Z1, Z4)

    @Test func `is not disturbed by clients that reset`() async throws {
        let page = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
        try await withServer(doorway: { _, _, _ in (HTTPResponse(status: .ok), page) }) { address, _ in
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
