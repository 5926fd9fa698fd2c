import HTTPTypes
import Synchronization
import Testing
import World
@testable import HTTPServer

/// H18: the server parses exactly the requests that a reverse proxy has forwarded, whatever bytes
/// the proxy received.
@Suite(.serialized) struct `Behind a proxy` {
    /// A request as the server and as the proxy parsed it.
    private struct Seen {
        let ids: [String]
        let ours: String
        let theirs: String
    }

    @Test(
        .enabled(if: !ReverseProxy.Kind.installed.isEmpty, "neither nginx nor haproxy is installed"), arguments: ReverseProxy.Kind.installed
    )
    func `no request is read differently`(_ kind: ReverseProxy.Kind) async throws {
        let seen = Mutex([Seen]())
        let handler: RequestHandler = { request, body, peer in
            func values(_ name: String) -> [String] { HTTPField.Name(name).map { request.headerFields[values: $0] } ?? [] }
            let target = values(ReverseProxy.fields.target).first ?? ""
            // haproxy sends an empty target for `*`, nginx an empty path for an absolute target
            // without one.
            let path = target.isEmpty ? "*" : target.hasPrefix("?") ? "/" + target : target
            let theirs = "\(values(ReverseProxy.fields.method).joined()) \(path)"
            seen.withLock {
                $0.append(Seen(ids: values(ReverseProxy.fields.id), ours: "\(request.method) \(request.path ?? "")", theirs: theirs))
            }
            return echo(request, body, peer)
        }
        // haproxy waits for the response to a body that never ends.
        try await withServer({ $0.deadlines.bodyIdle = .milliseconds(300) }, handler: handler) { address, _ in
            let proxy = try await ReverseProxy(kind, to: address.port)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, payload) in Self.payloads.enumerated() {
                    if number >= 24 { try await group.next() }
                    group.addTask { try await Self.send(payload, number, through: proxy) }
                }
                try await group.waitForAll()
            }
            let counts = try await proxy.counts()
            print("\(kind): \(Self.payloads.count) payloads, \(counts.answered) requests sent on, \(counts.refused) of them refused by us")
            let seen = seen.withLock { $0 }
            #expect(counts.answered == seen.count)
            #expect(seen.allSatisfy { $0.ids.count == 1 })
            #expect(Set(seen.flatMap(\.ids)).count == seen.count)
            for request in seen { #expect(request.ours == request.theirs) }
        }
    }

    /// Sends an attack followed by a request on the same connection, then a request of another
    /// client, which the proxy forwards on a connection that the attack used. It must get its own
    /// response.
    private static func send(_ payload: [UInt8], _ number: Int, through proxy: ReverseProxy) async throws {
        let client = try await Client.connect(toFile: proxy.socket)
        // The proxy may close before it has taken everything, and may reset.
        try? await client.send(payload + Array(get("/behind/\(number)", "Connection: close\r\n").utf8))
        _ = try? await client.receiveAll()
        let other = try await Client.connect(toFile: proxy.patientSocket)
        try await other.send(get("/other/\(number)", "Connection: close\r\n"))
        #expect(try await other.receiveAll().hasSuffix("GET /other/\(number) .\n"))
    }

    private static let payloads: [[UInt8]] = {
        let files = ["http11probe", "desync-guardian", "llhttp", "gunicorn", "picohttpparser"]
        let vectors = files.flatMap { VectorFile.cases($0) }.flatMap { Set([$0.bytes, $0.bytesWithHost]) }
        return Attack.all.map(\.bytes) + vectors.filter { !$0.isEmpty && $0.count < 20_000 }
    }()
}
