import HTTPTypes
import Synchronization
import Testing

@testable import HTTPServer

/// H18: what a proxy in front believes it sent us is what we read, request by request, whatever bytes came to it.
@Suite(.serialized) struct `Behind a proxy` {
    /// A request as we read it, and as the proxy says that it is.
    private struct Seen {
        let ids: [String]
        let ours: String
        let theirs: String
    }

    @Test(.enabled(if: !Proxy.Kind.installed.isEmpty, "neither nginx nor haproxy is installed"), arguments: Proxy.Kind.installed)
    func `no request is read differently`(_ kind: Proxy.Kind) async throws {
        let seen = Mutex([Seen]())
        let doorway: RequestHandler = { request, body, peer in
            func values(_ name: String) -> [String] { HTTPField.Name(name).map { request.headerFields[values: $0] } ?? [] }
            let target = values(Proxy.fields.target).first ?? ""
            // haproxy says nothing for `*`, nginx nothing for the path that an absolute target lacks.
            let path = target.isEmpty ? "*" : target.hasPrefix("?") ? "/" + target : target
            let theirs = "\(values(Proxy.fields.method).joined()) \(path)"
            seen.withLock { $0.append(Seen(ids: values(Proxy.fields.id), ours: "\(request.method) \(request.path ?? "")", theirs: theirs)) }
            return echo(request, body, peer)
        }
        // haproxy waits for our answer to a body whose end never comes.
        try await withServer({ $0.deadlines.bodyIdle = .milliseconds(300) }, doorway: doorway) { address, _ in
            let proxy = try await Proxy(kind, to: address.port)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, payload) in Self.payloads.enumerated() {
                    if number >= 24 { try await group.next() }
                    group.addTask { try await Self.send(payload, number, through: proxy) }
                }
                try await group.waitForAll()
            }
            let books = try await proxy.books()
            print("\(kind): \(Self.payloads.count) payloads, \(books.answered) requests sent on, \(books.refused) of them refused by us")
            let seen = seen.withLock { $0 }
            #expect(books.answered == seen.count)
            #expect(seen.allSatisfy { $0.ids.count == 1 })
            #expect(Set(seen.flatMap(\.ids)).count == seen.count)
            for request in seen { #expect(request.ours == request.theirs) }
        }
    }

    /// Something hostile and behind it, on the same connection, a request; then another's, whose answer must be its own: it comes over a
    /// connection that the hostile one had before.
    private static func send(_ payload: [UInt8], _ number: Int, through proxy: Proxy) async throws {
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
