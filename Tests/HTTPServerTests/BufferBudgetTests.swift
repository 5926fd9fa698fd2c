import Base
import HTTPTypes
import Network
import Testing
import World
@testable import HTTPServer

/// V3: the bytes of all connections together.
@Suite struct `A buffer budget` {
    private let beginning = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4096\r\n\r\n" + String(repeating: "x", count: 4095)

    @Test func `that is exceeded cuts a client that is slow to send its body`() async throws {
        let budget = BufferBudget(maxBytes: 100_000)
        try await withServer({ $0.listeners = 1 }, budget: budget) { address, _ in
            let slow = try await Client.connect(to: address)
            try await slow.send(beginning)
            try await waitUntil { budget.heldBytes >= 4095 }
            budget.count(100_000)
            // The listener looks at the budget in its turns.
            let other = try await Client.connect(to: address)
            try await other.send(get("/1"))
            #expect(try await other.receive(endingWith: ".\n").hasSuffix("GET /1 .\n"))
            let answer = try await slow.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n") && answer.contains("\r\nRetry-After: 1\r\n"))
            #expect(answer.contains("\r\nConnection: close\r\n"))
            budget.count(-100_000)
        }
        try await waitUntil { budget.heldBytes == 0 }
    }

    @Test func `that is exceeded refuses new bodies, and serves requests without one`() async throws {
        let budget = BufferBudget(maxBytes: 1_000)
        let asked = AtomicCounter()
        let accept: AcceptRequest = { request, length, peer in
            if length != 0 { asked.add() }
            return .body(atMost: .max) { reply(echo(request, $0, peer)) }
        }
        try await withServer(budget: budget, accept: accept) { address, _ in
            budget.count(1_001)
            let refused = try await Client.connect(to: address)
            try await refused.send("POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 60\r\n\r\n" + get("/hidden"))
            let answer = try await refused.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("\r\nRetry-After: 1\r\n") && answer.count(of: "HTTP/1.1") == 1)
            let other = try await Client.connect(to: address)
            try await other.send(get("/2"))
            #expect(try await other.receive(endingWith: ".\n").hasSuffix("GET /2 .\n"))
            #expect(asked.value == 0)
            budget.count(-1_001)
            try await other.send("POST /3 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
            #expect(try await other.receive(endingWith: ".\n").hasSuffix("POST /3 x.\n"))
        }
        #expect(budget.heldBytes == 0)
    }

    /// Incomplete heads, and responses to a client that does not read.
    @Test(arguments: ["GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 20_000), get("/page") + get("/page")])
    func `counts what waits for a client, until the client is gone`(bytes: String) async throws {
        let budget = BufferBudget(maxBytes: 1 << 30)
        let page = [UInt8](repeating: UInt8(ascii: "x"), count: 50_000_000)
        try await withServer(budget: budget, handler: { _, _, _ in (HTTPResponse(status: .ok), page) }) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(bytes)
            let least = bytes.hasPrefix("GET /page") ? page.count : 20_000
            try await waitUntil { budget.heldBytes >= least }
            client.reset()
            try await waitUntil { budget.heldBytes == 0 }
        }
    }

    /// The application holds what it found about the head.
    @Test func `an accepted head counts until its body has come`() async throws {
        let budget = BufferBudget(maxBytes: 1 << 30)
        try await withServer(budget: budget) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n1")
            try await waitUntil { budget.heldBytes >= 8_192 }
            try await client.send("2")
            #expect(try await client.receive(endingWith: ".\n").hasSuffix("POST / 12.\n"))
            try await waitUntil { budget.heldBytes == 0 }
        }
    }

    /// No deadline ends it first.
    @Test(.patience) func `that is exceeded cuts a client with an incomplete record of TLS`() async throws {
        let budget = BufferBudget(maxBytes: 10_000)
        let patience: (inout ServerOptions) -> Void = {
            $0.listeners = 1
            ($0.deadlines.header, $0.deadlines.keepAlive) = (.seconds(3600), .seconds(3600))
        }
        try await withServer(patience, tls: TestCertificates.context(TestCertificates.a), budget: budget) { address, _ in
            let slow = try await SecureClient.connect(to: address)
            slow.tls.send(get("/"))
            try await slow.wire.send(Array(slow.tls.take().prefix(1)))
            #expect(try await slow.receiveAll().isEmpty)
            try await waitUntil { budget.heldBytes == 0 }
        }
    }

    /// A parsed request takes many times the memory of its bytes.
    @Test func `keeps pipelined requests as bytes until their turn`() async throws {
        let budget = BufferBudget(maxBytes: 1 << 30)
        let page = [UInt8](repeating: UInt8(ascii: "x"), count: 50_000_000)
        try await withServer({ $0.listeners = 1 }, budget: budget, handler: { _, _, _ in (HTTPResponse(status: .ok), page) }) {
            address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(String(repeating: get("/"), count: 1_000))
            try await waitUntil { budget.heldBytes >= page.count }
            #expect(budget.heldBytes < page.count + 200_000)
            client.reset()
            try await waitUntil { budget.heldBytes == 0 }
        }
    }

    @Test func `reports the end of a burst, each second until it is halved to a little`() {
        let budget = BufferBudget(maxBytes: 1 << 30)
        let second: UInt64 = 1_000_000_000
        #expect(!budget.noticeEndOfBurst(at: 10 * second))
        budget.count(20 << 20)
        #expect(!budget.noticeEndOfBurst(at: 11 * second))
        budget.count(-(11 << 20))
        #expect(budget.noticeEndOfBurst(at: 12 * second) && !budget.noticeEndOfBurst(at: 12 * second + 1))
        budget.count(-(9 << 20))
        #expect(budget.noticeEndOfBurst(at: 13 * second))
        #expect(!budget.noticeEndOfBurst(at: 14 * second))
        budget.count(4 << 20)
        budget.count(-(4 << 20))
        #expect(!budget.noticeEndOfBurst(at: 15 * second), "a little is not a burst")
    }
}
