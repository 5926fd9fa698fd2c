import HTTPTypes
import Logging
import Metrics
import Testing
import World
@testable import HTTPServer

/// Runs a server on a port chosen by the system while `body` runs; with `tls`, only with TLS.
func withServer(
    _ change: (inout ServerOptions) -> Void = { _ in }, host: String = "127.0.0.1", tls: TLSContext? = nil,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance, budget: BufferBudget? = nil,
    accept: AcceptRequest? = nil, handler: @escaping RequestHandler = { request, body, peer in echo(request, body, peer) },
    _ body: (ListenAddress, HTTPServer) async throws -> Void
) async throws {
    var options = ServerOptions()
    options.idleGrace = .milliseconds(20)
    options.grace = .patience
    // Long deadlines, because a busy machine may delay a test; tests of a deadline set their own.
    options.deadlines.handshake = .patience
    options.deadlines.header = .patience
    options.deadlines.bodyIdle = .patience
    options.deadlines.bodyTotal = .patience
    options.deadlines.keepAlive = .patience
    options.deadlines.writeIdle = .patience
    change(&options)
    let wanted = [ListenAddress(host: host, port: 0)]
    let server = HTTPServer(
        addresses: tls == nil ? wanted : [], secured: tls.map { HTTPServer.Secured(addresses: wanted, tls: $0) }, options: options,
        logger: Logger(label: "test"), metrics: metrics, budget: budget, accept: accept ?? acceptAll(handler))
    let address = try #require(try await server.start().first)
    try await body(address, server)
    await server.stop()
}

func echo(_ request: HTTPRequest, _ body: [UInt8], _ peer: String) -> (HTTPResponse, [UInt8]) {
    let text = "\(request.method) \(request.path ?? "") \(String(decoding: body, as: UTF8.self)).\n"
    return (HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]), Array(text.utf8))
}

func reply(_ response: (HTTPResponse, [UInt8])) -> Acceptance.Reply { .response(response.0, response.1) }

func get(_ path: String, _ fields: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n" }

extension String {
    func count(of part: String) -> Int { ranges(of: part).count }
}

/// Waits for a condition; throws if it is not met.
func waitUntil(_ condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .patience
    while !condition() {
        try #require(ContinuousClock.now < deadline, "the condition was not met")
        try await Task.sleep(for: .milliseconds(1))
    }
}
