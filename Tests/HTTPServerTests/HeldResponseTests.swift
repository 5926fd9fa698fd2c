import Base
import HTTPTypes
import Synchronization
import Testing
import World
@testable import HTTPServer

/// V11: responses that the application completes later.
@Suite struct `A held response` {
    /// Holds the response to each request with a body, and completes it when the server asks.
    private final class Holder: Sendable {
        private let held = Mutex<[HeldResponse?]>([])

        /// The number of responses that were held, completed or not.
        var count: Int { held.withLock(\.count) }
        /// The numbers of the responses that wait.
        var waiting: [Int] { held.withLock { held in held.indices.filter { held[$0] != nil } } }

        func accept(_ request: HTTPRequest, _ length: Int?, _ peer: String) async -> Acceptance {
            .body(atMost: .max) { [self] body in
                guard !body.isEmpty else { return reply(echo(request, body, peer)) }
                return .held(
                    held.withLock { held in
                        let number = held.count
                        held.append(HeldResponse { self.complete(number, "released") })
                        return held[number]!
                    })
            }
        }

        func complete(_ number: Int, _ text: String) {
            let response = held.withLock { held in
                defer { held[number] = nil }
                return held[number]
            }
            response?.complete(HTTPResponse(status: .ok), Array(text.utf8))
        }
    }

    private let holder = Holder()
    private let post = "POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nwait"

    private func withHolder(
        _ change: (inout ServerOptions) -> Void = { _ in }, budget: BufferBudget? = nil,
        _ body: (ListenAddress, HTTPServer) async throws -> Void
    ) async throws {
        try await withServer(change, budget: budget, accept: { [holder] in await holder.accept($0, $1, $2) }, body)
    }

    /// A client whose response is held.
    private func waitingClient(_ address: ListenAddress) async throws -> Client {
        let (client, count) = (try await Client.connect(to: address), holder.count)
        try await client.send(post)
        try await waitUntil { holder.count == count + 1 }
        return client
    }

    @Test func `is sent when it is complete, and the connection goes on`() async throws {
        let budget = BufferBudget(maxBytes: 1_000_000)
        try await withHolder(budget: budget) { address, _ in
            let client = try await waitingClient(address)
            try await waitUntil { budget.heldBytes == 0 }
            // Others are answered while it waits.
            let other = try await Client.connect(to: address)
            try await other.send(get("/other", "Connection: close\r\n"))
            #expect(try await other.receiveAll().contains("GET /other"))
            holder.complete(0, "complete")
            try await client.send(get("/next", "Connection: close\r\n"))
            let answer = try await client.receiveAll()
            let (first, next) = (try #require(answer.firstRange(of: "complete")), try #require(answer.firstRange(of: "GET /next")))
            #expect(first.lowerBound < next.lowerBound)
        }
    }

    @Test func `may be complete before the server waits for it`() async throws {
        let accept: AcceptRequest = { _, _, _ in
            .body(atMost: .max) { _ in
                let held = HeldResponse {}
                held.complete(HTTPResponse(status: .ok), Array("early".utf8))
                held.complete(HTTPResponse(status: .ok), Array("again".utf8))
                return .held(held)
            }
        }
        try await withServer(accept: accept) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(get("/1") + get("/2", "Connection: close\r\n"))
            let answer = try await client.receiveAll()
            #expect(answer.count(of: "early") == 2 && !answer.contains("again"))
        }
    }

    @Test func `is released when the client is gone`() async throws {
        try await withHolder { address, _ in
            do {
                let client = try await waitingClient(address)
                withExtendedLifetime(client) { #expect(holder.waiting == [0]) }
            }
            try await waitUntil { holder.waiting.isEmpty }
        }
    }

    /// The client gets what it asked for behind it.
    @Test func `is released if another request waits`() async throws {
        try await withHolder { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(post + get("/next", "Connection: close\r\n"))
            let answer = try await client.receiveAll()
            #expect(answer.contains("released") && answer.contains("GET /next"))
        }
    }

    @Test func `is released when the server stops`() async throws {
        try await withHolder { address, server in
            let client = try await waitingClient(address)
            await server.stop()
            let answer = try await client.receiveAll()
            #expect(answer.contains("released") && answer.contains("\r\nConnection: close\r\n"))
        }
    }

    @Test func `makes room when too much is buffered`() async throws {
        let budget = BufferBudget(maxBytes: 1_000)
        try await withHolder(budget: budget) { address, _ in
            let client = try await waitingClient(address)
            budget.count(1_001)
            let other = try await Client.connect(to: address)
            try await other.send(get("/"))
            try await waitUntil { holder.waiting.isEmpty }
            budget.count(-1_001)
            withExtendedLifetime(client) {}
        }
    }

    @Test func `makes room, the oldest first, at half of the connections`() async throws {
        try await withHolder({ $0.maxConnections = 16 }) { address, _ in
            var clients: [Client] = []
            for _ in 0..<10 { clients.append(try await waitingClient(address)) }
            try await waitUntil { holder.waiting == Array(2..<10) }
        }
    }

    @Test func `makes room, the oldest first, before connections run short`() async throws {
        try await withHolder({ $0.maxConnections = 16 }) { address, _ in
            var clients = [try await waitingClient(address), try await waitingClient(address)]
            for _ in 0..<12 {
                clients.append(try await Client.connect(to: address))
                try await clients[clients.count - 1].send(get("/"))
            }
            #expect(holder.waiting == [0, 1])
            clients.append(try await Client.connect(to: address))
            try await waitUntil { holder.waiting == [1] }
            let answer = try await clients[0].receiveAll()
            #expect(answer.contains("released") && answer.contains("\r\nConnection: close\r\n"))
        }
    }
}
