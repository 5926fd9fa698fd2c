import COpenSSL
import Metrics
import MetricsTestKit
import Testing
@testable import HTTPServer

@Suite struct `A server's meters` {
    private let metrics = TestMetrics()

    private func handshakes(_ outcome: ServerMeters.Handshake) -> Int64 {
        metrics.counterTotal(label: "onward_tls_handshakes_total", dimensions: [("outcome", "\(outcome)")])
    }

    @Test func `count accepted and open connections`() async throws {
        try await withServer(metrics: metrics) { address, _ in
            var clients: [Client] = []
            for _ in 0..<3 {
                clients.append(try await Client.connect(to: address))
                try await clients[clients.count - 1].send(get("/"))
                _ = try await clients[clients.count - 1].receive(endingWith: "GET / .\n")
            }
        }
        #expect(metrics.counterTotal(label: "onward_connections_accepted_total") == 3)
        #expect(metrics.counterTotal(label: "onward_connections_refused_total") == 0)
        let open = try metrics.expectMeter("onward_connections_open")
        #expect(open.values.max() == 3 && open.values.last == 0)
    }

    @Test func `count connections above the limit`() async throws {
        let limit: (inout ServerOptions) -> Void = { ($0.listeners, $0.maxConnections) = (1, 1) }
        try await withServer(limit, metrics: metrics) { address, _ in
            let first = try await Client.connect(to: address)
            try await first.send(get("/"))
            _ = try await first.receive(endingWith: "GET / .\n")
            #expect(try await Client.connect(to: address).receiveAll().hasPrefix("HTTP/1.1 503 "))
        }
        #expect(metrics.counterTotal(label: "onward_connections_accepted_total") == 1)
        #expect(metrics.counterTotal(label: "onward_connections_refused_total") == 1)
    }

    @Test func `count rejected requests by reason`() async throws {
        try await withServer(metrics: metrics) { address, _ in
            for bytes in [
                "GET / HTTP/1.1\r\nHost : x\r\n\r\n", "GET / HTTP/1.1\n", "GET / HTTP/1.1\r\n : x\r\n", get("/", "Connection: close\r\n"),
            ] {
                let client = try await Client.connect(to: address)
                try await client.send(bytes)
                _ = try await client.receiveAll()
            }
        }
        let counts = Rejection.allCases.map {
            ($0, metrics.counterTotal(label: "onward_http_rejected_total", dimensions: [("reason", "\($0)")]))
        }
        #expect(Dictionary(uniqueKeysWithValues: counts).filter { $0.value > 0 } == [.badField: 2, .badBytes: 1])
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func `count handshakes by outcome`(version: Int32) async throws {
        try await withServer(tls: TestCertificates.context(TestCertificates.a), metrics: metrics) { address, _ in
            var known: TLSClient?
            for _ in 0..<2 {
                let client = try await SecureClient.connect(to: address, as: TLSClient(version: version, resuming: known))
                try await client.send(get("/", "Connection: close\r\n"))
                #expect(try await client.receiveAll().hasSuffix("GET / .\n"))
                known = client.tls
            }
            let plain = try await Client.connect(to: address)
            try await plain.send(get("/"))
            _ = try await plain.receiveAll()
        }
        #expect([.full, .resumed, .failed, .crowdedOut].map(handshakes) == [1, 1, 1, 0])
    }

    /// X10: a flood of TLS handshakes, or of key updates, does not hold up requests.
    @Test func `count handshakes that were closed for newer ones`() async throws {
        let limit: (inout ServerOptions) -> Void = { ($0.listeners, $0.maxHandshakes) = (1, 1) }
        try await withServer(limit, tls: TestCertificates.context(TestCertificates.a), metrics: metrics) { address, _ in
            let slow = try await Client.connect(to: address)
            _ = try await SecureClient.connect(to: address)
            _ = try await slow.receiveAll()
        }
        #expect([.full, .failed, .crowdedOut].map(handshakes) == [1, 0, 1])
    }
}
