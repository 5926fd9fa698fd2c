import Base
import HTTPTypes
import Logging
import Network
import Synchronization
import Testing
import World
@testable import HTTPServer

@Suite struct `A server that stops` {
    @Test func `a server that stops finishes running requests and closes idle connections`() async throws {
        let (entered, release) = (Latch(), Latch())
        let handler: RequestHandler = { request, body, peer in
            if request.path == "/slow" {
                entered.open()
                await release.wait()
            }
            return echo(request, body, peer)
        }
        try await withServer(handler: handler) { address, server in
            let idle = try await Client.connect(to: address)
            try await idle.send(get("/"))
            _ = try await idle.receive(endingWith: ".\n")
            let busy = try await Client.connect(to: address)
            try await busy.send(get("/slow"))
            try await entered.opens()
            let stop = Task { await server.stop() }
            // The idle connection is closed while the busy one still waits.
            #expect(try await idle.receiveAll().isEmpty)
            release.open()
            let answer = try await busy.receiveAll()
            #expect(answer.hasSuffix("GET /slow .\n") && answer.contains("\r\nConnection: close\r\n"))
            await stop.value
            await #expect(throws: Client.Failure.self) { _ = try await Client.connect(to: address) }
        }
    }

    @Test func `a server that stops does not wait for a request beyond the grace period`() async throws {
        let (entered, release) = (Latch(), Latch())
        let handler: RequestHandler = { request, body, peer in
            entered.open()
            await release.wait()
            return echo(request, body, peer)
        }
        try await withServer({ $0.grace = .milliseconds(50) }, handler: handler) { address, server in
            let client = try await Client.connect(to: address)
            try await client.send(get("/"))
            try await entered.opens()
            await server.stop()
            #expect(try await client.receiveAll().isEmpty)
            release.open()
        }
    }

    /// Z1: SIGTERM finishes every accepted request.
    @Test func `a server that stops under load answers every accepted request`() async throws {
        let idleGrace = Duration.seconds(3)
        try await withServer({ $0.idleGrace = idleGrace }) { address, server in
            let begun = Latch()
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        while true {
                            let start = ContinuousClock.now
                            guard let client = try? await Client.connect(to: address) else { break }
                            let isSent = (try? await client.send(get("/", "Connection: close\r\n"))) != nil
                            // On a busy machine the request may be sent after the grace; it is not
                            // expected to be answered.
                            guard start.duration(to: .now) < idleGrace else { continue }
                            let answer = try await client.receiveAll()
                            #expect(isSent && answer.hasSuffix("GET / .\n"))
                            begun.open()
                        }
                    }
                }
                try await begun.opens()
                await server.stop()
                try await group.waitForAll()
            }
        }
    }

    @Test func `a server can be stopped twice, and before it has started`() async throws {
        try await withServer { _, server in
            async let once: Void = server.stop()
            async let twice: Void = server.stop()
            _ = await (once, twice)
        }
        await HTTPServer(addresses: [], logger: Logger(label: "test")) { echo($0, $1, $2) }.stop()
    }
}
