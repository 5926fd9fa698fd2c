import Accounts
import Base
import Foundation
import HTTPServer
import HTTPTypes
import Logging
import Network
import Synchronization
import Testing
import World
@testable import Remote

@Suite struct `The transport to an upstream` {
    static let good = FakeUpstream.Act.answer(200, `An upstream`.body(.verifyEmail))

    private static let failures: [(FakeUpstream.Act, Unavailable.CommitState)] = [
        (.cut, .unknown), (.cutInside, .unknown), (.hang, .pending), (.answer(500, ""), .unknown),
        (.answer(503, "{}"), .unknown), (.answer(504, ""), .pending), (.answer(200, "nonsense"), .unknown), (.answer(200, "{}"), .unknown),
        (.answer(200, #"{"error":{"message":"INTERNAL"}}"#), .unknown),
        (.answer(302, "", field: "Location: http://127.0.0.1:1/\r\n"), .notCommitted), (.answer(404, "<html>"), .notCommitted),
        (.answer(429, ""), .notCommitted),
    ]

    /// C4: the upstream may have applied the code if it read the request.
    @Test(arguments: failures)
    func `reports whether a lost request may have been executed`(
        _ act: FakeUpstream.Act, _ commitState: Unavailable.CommitState
    ) async throws {
        let upstream = try FakeUpstream { _ in act }
        let client = upstream.client { if case .hang = act { $0.total = .seconds(3) } }
        let down = try #require(await client.applyFailing()?.unavailable)
        #expect(down.part == .upstream)
        #expect(down.commitState == commitState)
        // Inspecting a code has no effect.
        #expect(await client.lookFailing()?.unavailable?.commitState == .notCommitted)
    }

    @Test func `reports a refused connection as not executed`() async throws {
        let client = IdentityToolkitClient(
            base: try WebURL("http://127.0.0.1:1"), uptime: TestClock().uptime, logger: Logger(label: "test"))
        #expect(await client.applyFailing()?.unavailable?.commitState == .notCommitted)
    }

    /// O6: only configured hosts are contacted, whatever the upstream responds.
    @Test func `follows no redirect`() async throws {
        let elsewhere = try FakeUpstream { _ in Self.good }
        let upstream = try FakeUpstream { [base = elsewhere.base] _ in
            .answer(307, "", field: "Location: \(base.origin)/v1/accounts:resetPassword\r\n")
        }
        #expect(await upstream.client().lookFailing()?.unavailable != nil)
        #expect(elsewhere.now.connections == 0)
    }

    @Test(arguments: [
        FakeUpstream.Act.answer(200, String(repeating: " ", count: TransferResponse.maxBodyBytes) + "{}"),
        .endless("HTTP/1.1 200 OK\r\n\r\n", "{"),
        .endless("HTTP/1.1 200 OK\r\n", "A: b\r\n"), .endless("", "HTTP/1.1 100 Continue\r\n\r\n"),
        .endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n{\r\n"),
    ])
    func `refuses responses that exceed the size limits`(_ act: FakeUpstream.Act) async throws {
        let upstream = try FakeUpstream { _ in act }
        #expect(await upstream.client().lookFailing()?.unavailable?.cause.hasSuffix("the response is too long") == true)
    }

    @Test func `sends nothing to a server with an untrusted certificate`() async throws {
        let tls = try TLSContext([SelfSigned.identity()])
        let seen = Mutex(0)
        let server = HTTPServer(
            addresses: [], secured: .init(addresses: [ListenAddress(host: "127.0.0.1", port: 0)], tls: tls),
            logger: Logger(label: "test")
        ) { _, _, _ in
            seen.withLock { $0 += 1 }
            return (HTTPResponse(status: .ok), Array(`An upstream`.body(.verifyEmail).utf8))
        }
        let port = try #require(try await server.start().first).port
        let client = IdentityToolkitClient(
            base: try WebURL("https://localhost:\(port)"), uptime: TestClock().uptime, logger: Logger(label: "test"))
        let failure = try #require(await client.applyFailing()?.unavailable)
        #expect(failure.commitState == .notCommitted && failure.cause.contains("its certificate is not accepted: "))
        #expect(failure.cause.contains("self-signed certificate"))
        #expect(seen.withLock { $0 } == 0)
        await server.stop()
    }

    @Test func `limits concurrent and waiting requests`() async throws {
        let upstream = try FakeUpstream { _ in .hang }
        let client = upstream.client {
            ($0.width, $0.maxWaiting) = (1, 1)
            $0.total = .seconds(6)
        }
        await withTaskGroup { group in
            for _ in 0..<5 { group.addTask { await client.lookFailing()?.unavailable?.cause ?? "" } }
            var causes: [String] = []
            for await cause in group { causes.append(cause) }
            // Requests above the limits fail before the others time out.
            #expect(causes[..<3].allSatisfy { $0.hasSuffix("too many requests wait for it") })
        }
        // The waiting request may have had time left to be sent.
        #expect((1...2).contains(upstream.now.requests.count))
    }

    /// V1, Y6: a network with many requests delays those of no other one.
    @Test func `lets the networks of users take turns`() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let upstream = try FakeUpstream { _ in
            mayAnswer.wait()
            return Self.good
        }
        let client = upstream.client { ($0.width, $0.maxWaiting) = (1, 3) }
        @Sendable func isRefused(_ name: String, from network: String) async -> Bool {
            let caller = UpstreamCaller(
                apiKey: FakeUpstream.caller.apiKey, language: nil, page: FakeUpstream.caller.page, tenant: name, network: network)
            do throws(ActionError) {
                _ = try await client.look(at: FakeUpstream.code, for: caller)
                return false
            } catch { return error.unavailable?.cause.hasSuffix("too many requests wait for it") == true }
        }
        await withTaskGroup { group in
            for number in 0..<5 { group.addTask { await isRefused("flood-\(number)", from: "192.0.2") } }
            // One is sent and three wait.
            #expect(await group.next() == true)
            group.addTask { await isRefused("user", from: "198.51.100") }
            // One of the three gives way.
            #expect(await group.next() == true)
            for _ in 0..<4 { mayAnswer.signal() }
            for await isRefused in group { #expect(!isRefused) }
        }
        let place = upstream.now.requests.firstIndex { $0.contains(#""tenantId":"user""#) }
        #expect(place == 2, "after the one that was sent, and one that came before it")
    }

    /// Y4: all Firebase projects share one host.
    @Test func `serves a project while the requests of another one are not answered`() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let upstream = try FakeUpstream { request in
            if !request.contains("key=other ") { mayAnswer.wait() }
            return Self.good
        }
        let (client, count) = (upstream.client(), TransferLimits().width + 8)
        try await withThrowingTaskGroup { group in
            for _ in 0..<count { group.addTask { _ = try await client.look() } }
            try await eventually("as many as may are sent at once") { upstream.now.requests.count == TransferLimits().width }
            let other = UpstreamCaller(apiKey: "other", language: nil, page: FakeUpstream.caller.page)
            #expect(try await client.look(at: FakeUpstream.code, for: other).action == .verifyEmail)
            for _ in 0..<count { mayAnswer.signal() }
            try await group.waitForAll()
        }
    }

    /// All transfers share a thread.
    @Test func `serves other upstreams while one does not respond, which has its limit`() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let slow = try FakeUpstream { _ in
            mayAnswer.wait()
            return Self.good
        }
        let (slowClient, count) = (slow.client(), TransferLimits().width + 8)
        try await withThrowingTaskGroup { group in
            for _ in 0..<count { group.addTask { _ = try await slowClient.look() } }
            try await eventually("as many as may are sent at once") { slow.now.requests.count == TransferLimits().width }
            let other = try FakeUpstream { _ in Self.good }
            for _ in 0..<50 { #expect(try await other.client().look().action == .verifyEmail) }
            #expect(slow.now.requests.count == TransferLimits().width)
            for _ in 0..<count { mayAnswer.signal() }
            try await group.waitForAll()
        }
        #expect(slow.now.requests.count == count)
    }

    /// Handles are used for requests of all kinds, by all clients.
    @Test func `sends each request with its own body and fields only`() async throws {
        let upstream = try FakeUpstream { request in
            request.hasPrefix("GET") ? .answer(200, #"{"projectId":"1","authorizedDomains":[]}"#) : Self.good
        }
        let client = upstream.client()
        for _ in 0..<3 {
            _ = try await client.look()
            _ = try await client.projectConfig(for: FakeUpstream.caller)
            _ = try await client.apply()
            _ = try await client.apply(newPassword: "a longer body than that of the others")
            _ = try await client.projectConfig(for: FakeUpstream.caller)
        }
        let requests = upstream.now.requests
        #expect(
            requests.map { String($0.prefix { $0 != " " }) }
                == Array(repeating: ["POST", "GET", "POST", "POST", "GET"], count: 3).flatMap(\.self))
        for request in requests {
            let isGet = request.hasPrefix("GET")
            #expect(request.contains("Content-Type: application/json") == !isGet)
            #expect(request.contains("Content-Length:") == !isGet && !request.contains("Transfer-Encoding"))
            let body = request.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().first ?? ""
            #expect(isGet ? body.isEmpty : body.hasPrefix("{") && body.hasSuffix("}") && body.contains(FakeUpstream.code.text))
        }
        #expect(requests.count { $0.contains("a longer body") } == 3)
        // The connection is kept.
        #expect(upstream.now.connections == 1)
    }

    @Test func `pauses requests to an upstream that is down, and notices when it is back`() async throws {
        let isUp = Mutex(false)
        let upstream = try FakeUpstream { _ in isUp.withLock { $0 } ? Self.good : .answer(503, "") }
        let clock = TestClock()
        let client = upstream.client(clock: clock)
        for _ in 0..<(CircuitBreaker.maxFailures + 3) { #expect(await client.lookFailing() != nil) }
        #expect(upstream.now.requests.count == CircuitBreaker.maxFailures)
        isUp.withLock { $0 = true }
        // No request is sent before the retry interval has passed.
        #expect(await client.applyFailing()?.unavailable?.commitState == .notCommitted)
        clock.advance(by: CircuitBreaker.retryInterval)
        #expect(try await client.look().action == .verifyEmail)
        _ = try await client.look()
    }

    @Test func `stays up if the upstream responds with errors of the client`() async throws {
        let upstream = try FakeUpstream { _ in .answer(400, #"{"error":{"message":"INVALID_OOB_CODE"}}"#) }
        let client = upstream.client()
        for _ in 0..<(2 * CircuitBreaker.maxFailures) { #expect(await client.lookFailing()?.refusal == .invalidOobCode) }
    }

    /// Y4: all Firebase projects share one host.
    @Test func `pauses only the requests of the project whose requests fail`() async throws {
        let upstream = try FakeUpstream { $0.contains("key=web-key-1 ") ? .answer(503, "") : Self.good }
        let client = Upstreams(uptime: TestClock().uptime, logger: Logger(label: "test"))[base: upstream.base]
        for _ in 0..<CircuitBreaker.maxFailures { #expect(await client.lookFailing() != nil) }
        let asked = upstream.now.requests.count
        #expect(await client.lookFailing()?.unavailable?.cause.contains("a moment ago") == true)
        #expect(upstream.now.requests.count == asked)
        let other = UpstreamCaller(apiKey: "web-key-2", language: nil, page: FakeUpstream.caller.page)
        #expect(try await client.look(at: FakeUpstream.code, for: other).action == .verifyEmail)
    }

    @Test func `pauses the requests of all projects of a server that cannot be reached`() async throws {
        let client = Upstreams(uptime: TestClock().uptime, logger: Logger(label: "test"))[base: try WebURL("http://127.0.0.1:1")]
        for _ in 0..<CircuitBreaker.maxFailures { #expect(await client.lookFailing() != nil) }
        let other = UpstreamCaller(apiKey: "web-key-2", language: nil, page: FakeUpstream.caller.page)
        let error = await #expect(throws: ActionError.self) { try await client.look(at: FakeUpstream.code, for: other) }
        #expect(error?.unavailable?.cause.contains("a moment ago") == true)
    }

    /// Y3: libcurl repeats other requests if a kept connection turns out to be closed.
    @Test func `sends a request that applies a code once`() async throws {
        let upstream = try FakeUpstream { $0.contains("accounts:update") ? .cut : Self.good }
        let client = upstream.client()
        _ = try await client.look()
        #expect(await client.applyFailing()?.unavailable?.commitState == .unknown)
        #expect(upstream.now.requests.count { $0.contains("accounts:update") } == 1)
    }
}

/// A self-signed certificate.
private enum SelfSigned {
    static func identity() throws -> TLSIdentity {
        let folder = FileManager.default.temporaryDirectory.appending(path: "onward-upstream-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let words =
            "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
        _ = try Program.output(
            of: try Program.path(to: "openssl"),
            words.split(separator: " ").map(String.init) + ["-keyout", folder.path + "/key", "-out", folder.path + "/certificate"])
        func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }
        return try TLSIdentity(
            certificate: read("certificate"), privateKey: read("key"), ocspResponse: nil, at: Int(Date().timeIntervalSince1970) + 5)
    }
}
