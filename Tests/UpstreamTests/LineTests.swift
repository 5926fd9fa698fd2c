import Accounts
import EmailActions
import Foundation
import HTTPServer
import HTTPTypes
import Logging
import Synchronization
import Testing
import WebURL
import World

@testable import Upstream

@Suite struct `The line to an upstream` {
    static let good = FakeUpstream.Act.answer(200, `An upstream`.body(.verifyEmail))

    private static let losses: [(FakeUpstream.Act, Unavailable.Deed)] = [
        (.cut, .uncertain), (.cutInside, .uncertain), (.hang, .underWay), (.answer(500, ""), .uncertain),
        (.answer(503, "{}"), .uncertain), (.answer(200, "nonsense"), .uncertain),
        (.answer(302, "", field: "Location: http://127.0.0.1:1/\r\n"), .undone), (.answer(404, "<html>"), .undone),
        (.answer(429, ""), .undone),
    ]

    /// C4: what it was asked for may have been done if the request was read.
    @Test(arguments: losses)
    func `loses an answer, and knows what may have become of it`(_ act: FakeUpstream.Act, _ deed: Unavailable.Deed) async throws {
        let upstream = try FakeUpstream { _ in act }
        let client = upstream.client { if case .hang = act { $0.whole = .seconds(3) } }
        let down = try #require(await client.applyFailing()?.unavailable)
        #expect(down.part == .upstream)
        #expect(down.deed == deed)
        // Looking changes nothing, whatever is lost of it.
        #expect(await client.lookFailing()?.unavailable?.deed == .undone)
    }

    @Test func `says that nothing happened where nobody listens`() async throws {
        let client = IdentityToolkitClient(base: try WebURL("http://127.0.0.1:1"), now: TestClock().now, logger: Logger(label: "test"))
        #expect(await client.applyFailing()?.unavailable?.deed == .undone)
    }

    /// O6: nowhere else than configured, whatever the upstream says.
    @Test func `follows no redirect`() async throws {
        let elsewhere = try FakeUpstream { _ in Self.good }
        let upstream = try FakeUpstream { [base = elsewhere.base] _ in
            .answer(307, "", field: "Location: \(base.origin)/v1/accounts:resetPassword\r\n")
        }
        #expect(await upstream.client().lookFailing()?.unavailable != nil)
        #expect(elsewhere.now.connections == 0)
    }

    @Test(arguments: [
        FakeUpstream.Act.answer(200, String(repeating: " ", count: Reply.longest) + "{}"), .endless("HTTP/1.1 200 OK\r\n\r\n", "{"),
        .endless("HTTP/1.1 200 OK\r\n", "A: b\r\n"), .endless("", "HTTP/1.1 100 Continue\r\n\r\n"),
        .endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n{\r\n"),
    ])
    func `takes no endless answer`(_ act: FakeUpstream.Act) async throws {
        let upstream = try FakeUpstream { _ in act }
        #expect(await upstream.client().lookFailing()?.unavailable?.cause.hasSuffix("the answer is too long") == true)
    }

    @Test func `tells nothing to whom nobody vouches for`() async throws {
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
            base: try WebURL("https://localhost:\(port)"), now: TestClock().now, logger: Logger(label: "test"))
        #expect(await client.applyFailing()?.unavailable?.deed == .undone)
        #expect(seen.withLock { $0 } == 0)
        await server.stop()
    }

    @Test func `has places for so many and no more`() async throws {
        let upstream = try FakeUpstream { _ in .hang }
        let client = upstream.client {
            ($0.width, $0.maxWaiting) = (1, 1)
            $0.whole = .seconds(6)
        }
        await withTaskGroup { group in
            for _ in 0..<5 { group.addTask { await client.lookFailing()?.unavailable?.cause ?? "" } }
            var causes: [String] = []
            for await cause in group { causes.append(cause) }
            // Those without a place are told before anyone who has one is given up.
            #expect(causes[..<3].allSatisfy { $0.hasSuffix("too many wait for it") })
        }
        // Whoever waited may have had a moment left for a try of its own.
        #expect((1...2).contains(upstream.now.requests.count))
    }

    @Test func `leaves an upstream alone that is down, and finds out by itself when it is back`() async throws {
        let isUp = Mutex(false)
        let upstream = try FakeUpstream { _ in isUp.withLock { $0 } ? Self.good : .answer(503, "") }
        let clock = TestClock()
        let client = upstream.client(clock: clock)
        for _ in 0..<(Circuit.patience + 3) { #expect(await client.lookFailing() != nil) }
        #expect(upstream.now.requests.count == Circuit.patience)
        #expect(client.downSince == clock.now())
        isUp.withLock { $0 = true }
        // Nobody is let through before it is time for the one that finds out.
        #expect(await client.applyFailing()?.unavailable?.deed == .undone)
        clock.advance(by: Circuit.pause)
        #expect(try await client.look().action == .verifyEmail)
        #expect(client.downSince == nil)
        _ = try await client.look()
    }

    @Test func `goes on asking one that only says no`() async throws {
        let upstream = try FakeUpstream { _ in .answer(400, #"{"error":{"message":"INVALID_OOB_CODE"}}"#) }
        let client = upstream.client()
        for _ in 0..<(2 * Circuit.patience) { #expect(await client.lookFailing()?.refusal == .invalidOobCode) }
        #expect(client.downSince == nil)
    }

    @Test func `is one for all projects with the same base, and no other`() async throws {
        let upstream = try FakeUpstream { _ in .answer(503, "") }
        let upstreams = Upstreams(now: TestClock().now, logger: Logger(label: "test"))
        for _ in 0..<Circuit.patience { #expect(await upstreams[base: upstream.base].lookFailing() != nil) }
        #expect(upstreams[base: upstream.base].downSince != nil)
        #expect(upstreams[base: try WebURL("https://other.example")].downSince == nil)
    }
}

@Suite struct `A circuit` {
    let start = Timestamp(seconds: 1_000)

    private func broken() -> Circuit {
        var circuit = Circuit()
        for _ in 0..<Circuit.patience { _ = circuit.fail(at: start) }
        return circuit
    }

    @Test func `opens only after failures in a row`() {
        var circuit = Circuit()
        for _ in 0..<20 {
            let failures = (1..<Circuit.patience).map { _ in circuit.fail(at: start) }
            let wasDown = circuit.succeed()
            #expect(!failures.contains(true) && !wasDown)
        }
        let failures = (0..<(Circuit.patience + 2)).map { _ in circuit.fail(at: start) }
        #expect(failures.firstIndex(of: true) == Circuit.patience - 1)
        #expect(failures.count { $0 } == 1)
        #expect(circuit.brokenSince == start)
    }

    @Test func `lets one through at a time while it is open`() {
        var circuit = broken()
        let moments = [.zero, Circuit.pause, Circuit.pause, Circuit.pause + .milliseconds(1), Circuit.pause * 2]
        let admitted = moments.map { circuit.admits(at: start + $0) }
        #expect(admitted == [false, true, false, false, true])
        let wasDown = circuit.succeed()
        let isUp = circuit.admits(at: start)
        #expect(wasDown && isUp)
    }

    @Test func `is not held open by a clock that was set back`() {
        var circuit = broken()
        let isAdmitted = circuit.admits(at: Timestamp(seconds: 1))
        #expect(isAdmitted)
    }
}

/// A certificate that only its maker believes.
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
            certificate: read("certificate"), privateKey: read("key"), staple: nil, at: Int(Date().timeIntervalSince1970) + 5)
    }
}
