import HTTPTypes
import Synchronization
import Testing
@testable import HTTPServer

/// V3: what the application refuses at the end of a head.
@Suite struct `A body that is announced` {
    private let handled = Asked()
    private let asked = Asked()

    /// Refuses `/no`, reads ten bytes elsewhere.
    private var accept: AcceptRequest {
        { [asked, handled] request, length, peer in
            asked.add("\(request.path ?? "") \(length.map { "\($0)" } ?? "chunked")")
            guard request.path != "/no" else { return .response(HTTPResponse(status: .forbidden), Array("no\n".utf8)) }
            return .body(atMost: 10) { body in
                handled.add(request.path ?? "")
                return reply(echo(request, body, peer))
            }
        }
    }

    private func post(_ path: String, _ framing: String) -> String { "POST \(path) HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n" }

    /// The rest of the body may be a request that a proxy has not seen (request smuggling).
    @Test(arguments: [
        "Content-Length: 60", "Transfer-Encoding: chunked", "Expect: 100-continue\r\nContent-Length: 60",
        "Content-Length: 99999\r\nConnection: keep-alive",
    ])
    func `is not read if it is refused, and nothing behind it is a request`(framing: String) async throws {
        try await withServer(accept: accept) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(post("/no", framing) + get("/hidden") + "0\r\n\r\n" + get("/hidden"))
            let answers = try await client.receiveAll()
            #expect(answers.hasPrefix("HTTP/1.1 403 Forbidden\r\n") && answers.hasSuffix("\r\nConnection: close\r\n\r\nno\n"))
            #expect(answers.count(of: "HTTP/1.1") == 1)
        }
        #expect(handled.all.isEmpty && asked.all.count == 1)
    }

    @Test func `the head of a request is judged once, with and without a body`() async throws {
        try await withServer(accept: accept) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/1") + post("/2", "Content-Length: 0") + post("/3", "Content-Length: 5") + "hello")
            try await client.send(post("/4", "Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n\r\n" + get("/5"))
            let answers = try await client.receive(endingWith: "GET /5 .\n")
            #expect(answers.contains("POST /3 hello.\n") && answers.contains("POST /4 hello.\n"))
        }
        #expect(asked.all == ["/1 0", "/2 0", "/3 5", "/4 chunked", "/5 0"])
        #expect(handled.all == ["/1", "/2", "/3", "/4", "/5"])
    }

    @Test func `is answered in its turn among pipelined requests, and ends them if it is refused`() async throws {
        try await withServer(accept: accept) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(
                get("/1") + post("/2", "Content-Length: 2") + "ab" + get("/3") + post("/no", "Content-Length: 2") + "ab" + get("/hidden"))
            let answers = try await client.receiveAll()
            #expect(answers.matches(of: #/HTTP/1.1 (\d+)/#).map { Int($0.1) } == [200, 200, 200, 403])
        }
        #expect(handled.all == ["/1", "/2", "/3"])
    }

    @Test(arguments: [(10, true), (11, false)]) func `a body longer than was accepted is refused`(count: Int, isTaken: Bool) async throws {
        let body = String(repeating: "b", count: count)
        try await withServer(accept: accept) { address, _ in
            for framed in [
                "Content-Length: \(count)\r\n\r\n\(body)",
                "Transfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n\(body)\r\n0\r\n\r\n",
            ] {
                let client = try await Client.connect(to: address)
                try await client.send("POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(framed)")
                #expect(try await client.receiveAll().hasPrefix("HTTP/1.1 \(isTaken ? 200 : 413) "))
            }
        }
        #expect(handled.all.count == (isTaken ? 2 : 0))
    }

    /// H13: the client is told to go on only after the decision, and not if it refuses.
    @Test(arguments: [("/yes", 5, "HTTP/1.1 100 Continue\r\n\r\n"), ("/no", 5, "HTTP/1.1 403"), ("/yes", 11, "HTTP/1.1 413")])
    func `is continued after the decision`(path: String, length: Int, beginning: String) async throws {
        let client = Mutex<Client?>(nil)
        let accept = accept
        let waiting: AcceptRequest = { request, length, peer in
            client.withLock { #expect($0?.isReadable == false) }
            return await accept(request, length, peer)
        }
        try await withServer(accept: waiting) { address, _ in
            let connected = try await Client.connect(to: address)
            client.withLock { $0 = connected }
            try await connected.send(post(path, "Expect: 100-continue\r\nContent-Length: \(length)"))
            let first = try await connected.receive { $0.hasSuffix("\r\n\r\n") || $0.hasSuffix("\n") }
            #expect(first.hasPrefix(beginning))
            if path == "/yes", length == 5 {
                try await connected.send("hello")
                #expect(try await connected.receive(endingWith: ".\n").hasSuffix("POST /yes hello.\n"))
            }
        }
    }

    @Test func `is decided about while other connections are served, and after a TLS client has finished sending`() async throws {
        let tls = try TestCertificates.context(TestCertificates.a)
        try await withServer(tls: tls, accept: accept) { address, _ in
            let client = try await SecureClient.connect(to: address)
            try await client.send(get("/1") + post("/2", "Content-Length: 5") + "hello" + get("/3", "Connection: close\r\n"))
            let answers = try await client.receiveAll()
            #expect(answers.contains("GET /1 .\n") && answers.contains("POST /2 hello.\n") && answers.hasSuffix("GET /3 .\n"))
        }
    }
}

/// Items that several tasks add, in order.
private final class Asked: Sendable {
    private let list = Mutex([String]())

    var all: [String] { list.withLock { $0 } }

    func add(_ item: String) { list.withLock { $0.append(item) } }
}
