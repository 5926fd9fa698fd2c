import HTTPTypes
import Queues
import Testing
import World

@testable import HTTPServer

/// V3: the bytes of all connections together.
@Suite struct `A buffer budget` {
    /// As many as a parser reserves at once, so that each client holds as much.
    private static let bodyBytes = 4_096
    private let beginning =
        Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(bodyBytes)\r\n\r\n".utf8) + [UInt8](repeating: 0, count: bodyBytes - 1)

    private let count: RequestHandler = { _, body, _ in (HTTPResponse(status: .ok), Array("\(body.count).".utf8)) }

    /// Each next client begins when the one before holds its bytes, so the first is the slowest.
    @Test func `cuts the slowest clients first and lets the others finish`() async throws {
        let budget = BufferBudget(maxBytes: 5 * Self.bodyBytes)
        try await withServer({ $0.listeners = 1 }, budget: budget, handler: count) { address, _ in
            var clients: [Client] = []
            for number in 1...4 {
                let client = try await Client.connect(to: address)
                try await client.send(beginning)
                try await waitUntil { budget.heldBytes >= number * (Self.bodyBytes - 1) }
                clients.append(client)
            }
            for _ in 0..<2 {
                clients.append(try await Client.connect(to: address))
                try await clients[clients.count - 1].send(beginning)
            }
            let first = try await clients[0].receiveAll()
            #expect(first.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n") && first.contains("\r\nRetry-After: 1\r\n"))
            #expect(first.contains("\r\nConnection: close\r\n"))
            try await waitUntil { !budget.isExceeded }
            try await clients[3].send([0])
            #expect(try await clients[3].receive(endingWith: ".").hasSuffix("\(Self.bodyBytes)."))
            #expect(budget.heldBytes <= budget.maxBytes)
        }
        try await waitUntil { budget.heldBytes == 0 }
    }

    @Test func `that is exceeded refuses new bodies, and serves requests without one`() async throws {
        let budget = BufferBudget(maxBytes: 1_000)
        let asked = AtomicCounter()
        let admit: BodyAdmission.Decide = { _, _, _ in
            asked.add()
            return .admitted(maxBytes: .max)
        }
        try await withServer(budget: budget, admit: admit) { address, _ in
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
