import Base
import COpenSSL
import Glibc
import HTTPTypes
import Network
import Synchronization
import Testing
import World
@testable import HTTPServer

@Suite struct `A server with TLS` {
    static let versions = [TLS1_2_VERSION, TLS1_3_VERSION]

    @Test(arguments: versions) func `a server with TLS answers sequential and pipelined requests`(version: Int32) async throws {
        try await withServer(tls: TestCertificates.context(TestCertificates.a)) { address, _ in
            let client = try await SecureClient.connect(to: address, as: TLSClient(version: version))
            for path in ["/1", "/2"] {
                try await client.send(get(path))
                #expect(try await client.receive(endingWith: "GET \(path) .\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
            }
            try await client.send((1...40).map { get("/\($0)") }.joined())
            let answers = try await client.receive(endingWith: "GET /40 .\n")
            #expect(answers.matches(of: #/GET /(\d+) \./#).map { Int($0.1) } == Array(1...40))
        }
    }

    @Test func `a server with TLS answers the openssl command`() async throws {
        try await withServer(tls: TestCertificates.context(TestCertificates.a)) { address, _ in
            let arguments = ["s_client", "-connect", "\(address)", "-quiet", "-alpn", "http/1.1", "-servername", "a.example.test"]
            let answer = try await Task.detached { try TestCertificates.run(arguments, input: get("/", "Connection: close\r\n")) }.value
            #expect(answer.contains("HTTP/1.1 200 OK\r\n") && answer.contains("GET / .\n"))
        }
    }

    @Test(arguments: versions) func `a server with TLS receives and sends bodies larger than a TLS record`(version: Int32) async throws {
        let page = String(repeating: "x", count: 5_000_000)
        let handler: RequestHandler = { _, body, _ in (HTTPResponse(status: .ok), Array(page.utf8) + Array("\(body.count).".utf8)) }
        try await withServer(tls: TestCertificates.context(TestCertificates.a), handler: handler) { address, _ in
            let client = try await SecureClient.connect(to: address, as: TLSClient(version: version))
            let body = String(repeating: "y", count: 1_000_000)
            for _ in 0..<2 {
                try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n" + body)
                let answer = try await client.receive { $0.utf8.count > 5_000_000 && $0.utf8.last == UInt8(ascii: ".") }
                #expect(answer.hasSuffix("\r\n\r\n" + page + "1000000."))
            }
        }
    }

    @Test func `a server with TLS accepts a handshake and a request byte by byte`() async throws {
        try await withServer(tls: TestCertificates.context(TestCertificates.a)) { address, _ in
            let (wire, tls) = (try await Client.connect(to: address), TLSClient())
            var answer: [UInt8] = []
            while !tls.isConnected {
                _ = tls.receive([])
                for byte in tls.take() { try await wire.send([byte]) }
                if !tls.isConnected { _ = tls.receive(try await wire.receiveBytes()) }
            }
            tls.send(get("/"))
            for byte in tls.take() { try await wire.send([byte]) }
            while answer.last != UInt8(ascii: "\n") { answer += tls.receive(try await wire.receiveBytes()) }
            #expect(String(decoding: answer, as: UTF8.self).hasSuffix("GET / .\n"))
        }
    }

    /// K6: a connection ends with `close_notify`, unless a response was cut off.
    /// X10: each new key costs as much as a request, and a flood of them holds the loop of others.
    @Test func `a server with TLS accepts a few new keys and closes after very many`() async throws {
        try await withServer(tls: TestCertificates.context(TestCertificates.a)) { address, _ in
            let client = try await SecureClient.connect(to: address)
            for _ in 0..<20 {
                try await client.updateKeys(20, before: get("/"))
                #expect(try await client.receive(endingWith: "GET / .\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
            }
            let flooding = try await SecureClient.connect(to: address)
            try? await flooding.updateKeys(20_000, before: get("/", "Connection: close\r\n"))
            #expect((try? await flooding.receiveAll()) ?? "" == "")
        }
    }

    @Test(arguments: versions) func `a server with TLS sends close_notify before it closes`(version: Int32) async throws {
        try await withServer({ $0.deadlines.keepAlive = .milliseconds(40) }, tls: TestCertificates.context(TestCertificates.a)) {
            address, _ in
            for fields in ["Connection: close\r\n", ""] {
                let client = try await SecureClient.connect(to: address, as: TLSClient(version: version))
                try await client.send(get("/", fields))
                #expect(try await client.receiveAll().hasSuffix("GET / .\n"))
                #expect(client.tls.ending == .closed)
            }
        }
    }

    @Test(arguments: versions) func `a server with TLS still answers a client that has finished sending`(version: Int32) async throws {
        try await withServer(tls: TestCertificates.context(TestCertificates.a)) { address, _ in
            let client = try await SecureClient.connect(to: address, as: TLSClient(version: version))
            try await client.send(get("/1") + get("/2"))
            try await client.finish()
            #expect(try await client.receiveAll().hasSuffix("GET /2 .\n"))
            #expect(client.tls.ending == .closed)
            // Without close_notify, as many clients do.
            let other = try await SecureClient.connect(to: address, as: TLSClient(version: version))
            try await other.send(get("/1"))
            other.wire.finish()
            #expect(try await other.receiveAll().hasSuffix("GET /1 .\n"))
        }
    }

    @Test func `a server with TLS adds Strict-Transport-Security to every response, rejections included`() async throws {
        try await withServer({ $0.strictTransport = .seconds(63_072_000) }, tls: TestCertificates.context(TestCertificates.a)) {
            address, _ in
            for (request, status) in [(get("/"), "200"), ("GET / HTTP/1.1\r\n\r\n", "400")] {
                let client = try await SecureClient.connect(to: address)
                try await client.send(request)
                let answer = try await client.receive(endingWith: ".\n")
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
                // P4: on every status.
                #expect(answer.count(of: "\r\nStrict-Transport-Security: max-age=63072000\r\n") == 1)
            }
        }
    }

    // MARK: Hostile (K1, X2, X10)

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello", "\u{16}\u{3}\u{1}\u{7f}\u{7f}"])
    func `a server with TLS closes a connection that does not begin with a handshake, without a plain-text response`(bytes: String)
        async throws
    {
        let handler: RequestHandler = { request, body, peer in
            Issue.record("a request that was not encrypted")
            return echo(request, body, peer)
        }
        try await withServer(tls: TestCertificates.context(TestCertificates.a), handler: handler) { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(bytes)
            client.finish()
            #expect(try await !client.receiveAll().contains("HTTP"))
        }
    }

    @Test(arguments: [0, 1, 5, 100, .max]) func `a server with TLS closes a handshake that takes too long`(sent: Int) async throws {
        try await withServer({ $0.deadlines.handshake = .milliseconds(40) }, tls: TestCertificates.context(TestCertificates.a)) {
            address, _ in
            let (client, tls) = (try await Client.connect(to: address), TLSClient())
            _ = tls.receive([])
            // For `.max`, only the client's Finished is missing.
            do {
                try await client.send(Array(tls.take().prefix(sent)))
                while try await !client.receiveBytes().isEmpty {}
            } catch let failure as Client.Failure {
                // What arrives after the close resets the connection.
                #expect([ECONNRESET, EPIPE].contains(failure.code))
            }
        }
    }

    @Test func `a server with TLS closes the longest handshake when there are too many`() async throws {
        let options: (inout ServerOptions) -> Void = {
            $0.listeners = 1
            $0.maxHandshakes = 1
        }
        try await withServer(options, tls: TestCertificates.context(TestCertificates.a)) { address, _ in
            let open = try await SecureClient.connect(to: address)
            try await open.send(get("/"))
            _ = try await open.receive(endingWith: ".\n")
            let slow = try await Client.connect(to: address)
            let other = try await SecureClient.connect(to: address)
            #expect(try await slow.receiveBytes().isEmpty)
            // Connections with a complete handshake are not affected.
            for client in [open, other] {
                try await client.send(get("/"))
                #expect(try await client.receive(endingWith: ".\n").hasSuffix("GET / .\n"))
            }
        }
    }

    /// X10: a listener takes what another has left, as those of one socket of systemd do not take
    /// equal parts.
    @Test func `a server with TLS counts the handshakes of all listeners together`() async throws {
        let options: (inout ServerOptions) -> Void = { ($0.listeners, $0.maxHandshakes) = (4, 8) }
        try await withServer(options, tls: TestCertificates.context(TestCertificates.a)) { address, server in
            var slow: [Client] = []
            for _ in 0..<8 { slow.append(try await Client.connect(to: address)) }
            for client in slow {
                let client = try await SecureClient.handshake(client)
                try await client.send(get("/", "Connection: close\r\n"))
                #expect(try await client.receiveAll().hasSuffix("GET / .\n"))
            }
        }
    }

    @Test func `a server with TLS survives clients that disconnect during the handshake`() async throws {
        try await withServer(tls: TestCertificates.context(TestCertificates.a)) { address, _ in
            for round in 0..<100 {
                let (client, tls) = (try await Client.connect(to: address), TLSClient())
                _ = tls.receive([])
                try await client.send(Array(tls.take().prefix(round * 10)))
                if round % 3 == 0 { client.reset() }
            }
            let client = try await SecureClient.connect(to: address)
            try await client.send(get("/"))
            #expect(try await client.receive(endingWith: ".\n").hasSuffix("GET / .\n"))
        }
    }

    /// X10: the handler of each request sends the next one, which so arrives behind the whole
    /// flood.
    @Test func `a server with TLS serves requests during a flood of handshakes, and continues the handshakes`() async throws {
        let flood = Mutex<[Client]>([])
        let requests = Mutex<[@Sendable () -> Void]>([])
        let answered = Mutex<[Int]>([])
        let (entered, gathered) = (Latch(), Latch())
        let deadline = ContinuousClock.now + .patience
        let handler: RequestHandler = { request, body, peer in
            entered.open()
            // Blocks the loop, so that the handshakes counted below were answered before this
            // request.
            while !gathered.isOpen, ContinuousClock.now < deadline {}
            let count = flood.withLock { $0.count(where: \.isReadable) }
            answered.withLock { $0.append(count) }
            requests.withLock { $0.popLast() }?()
            return echo(request, body, peer)
        }
        try await withServer({ $0.listeners = 1 }, tls: TestCertificates.context(TestCertificates.a), handler: handler) { address, _ in
            var clients: [SecureClient] = []
            for number in 0..<10 {
                let client = try await SecureClient.connect(to: address)
                clients.append(client)
                guard number > 0 else { continue }
                client.tls.send(get("/"))
                let (wire, bytes) = (client.wire, client.tls.take())
                requests.withLock { $0.append { wire.sendBlocking(bytes) } }
            }
            try await clients[0].send(get("/"))
            try await entered.opens()
            let silent = TLSClient()
            _ = silent.receive([])
            let hello = silent.take()
            for _ in 0..<300 {
                let client = try await Client.connect(to: address)
                try await client.send(hello)
                flood.withLock { $0.append(client) }
            }
            gathered.open()
            for client in clients { #expect(try await client.receive(endingWith: ".\n").hasSuffix("GET / .\n")) }
            flood.withLock { $0 = [] }
        }
        let counts = answered.withLock { $0 }
        #expect(counts.count == 10 && counts.first == 0 && 1..<300 ~= counts.last ?? 0, "\(counts)")
    }

    // MARK: Renewed certificates (K2)

    @Test func `a server with TLS replaces its certificate under load without an error`() async throws {
        let contexts = [try TestCertificates.context(TestCertificates.a), try TestCertificates.context(TestCertificates.rsa)]
        let (answered, done) = (AtomicCounter(), Latch())
        try await withServer(tls: contexts[0]) { address, server in
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        while !done.isOpen {
                            let client = try await SecureClient.connect(to: address)
                            for path in ["/1", "/2"] {
                                try await client.send(get(path))
                                #expect(try await client.receive(endingWith: ".\n").hasSuffix("GET \(path) .\n"))
                                answered.add()
                            }
                        }
                    }
                }
                for round in 1...20 {
                    await server.use(contexts[round % 2])
                    let goal = answered.value + 8
                    try await waitUntil { answered.value >= goal || group.isCancelled }
                }
                done.open()
                try await group.waitForAll()
            }
        }
    }

    @Test func `a server with TLS uses a new certificate for new connections and keeps the old for open ones`() async throws {
        let (old, new) = (try TestCertificates.context(TestCertificates.a), try TestCertificates.context(TestCertificates.b))
        try await withServer(tls: old) { address, server in
            let before = try await SecureClient.connect(to: address)
            await server.use(new)
            let after = try await SecureClient.connect(to: address)
            #expect(before.tls.sawCertificate(for: "a.example.test") && after.tls.sawCertificate(for: "x.b.example.test"))
            try await before.send(get("/"))
            #expect(try await before.receive(endingWith: ".\n").hasSuffix("GET / .\n"))
        }
    }

    // MARK: Stopping (Z1)

    @Test func `a server with TLS that stops under load answers every accepted request`() async throws {
        let idleGrace = Duration.seconds(3)
        try await withServer({ $0.idleGrace = idleGrace }, tls: TestCertificates.context(TestCertificates.a)) { address, server in
            let begun = Latch()
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        while true {
                            let start = ContinuousClock.now
                            guard let wire = try? await Client.connect(to: address) else { break }
                            let client = try await SecureClient.handshake(wire)
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
}
