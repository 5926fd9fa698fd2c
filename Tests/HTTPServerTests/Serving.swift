import HTTPTypes
import Logging
import Metrics
import Testing

@testable import HTTPServer

/// Runs a server on a port of its own for as long as `body` takes; with `tls` it speaks nothing else.
func withServer(
    _ change: (inout ServerOptions) -> Void = { _ in }, host: String = "127.0.0.1", tls: TLSContext? = nil,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    doorway: @escaping RequestHandler = { request, body, peer in echo(request, body, peer) },
    _ body: (ListenAddress, HTTPServer) async throws -> Void
) async throws {
    var options = ServerOptions()
    options.settle = .milliseconds(20)
    options.grace = .seconds(300)
    // Patient, as a busy machine may keep a test from its next step for long; tests of a deadline set their own.
    options.deadlines.handshake = .seconds(300)
    options.deadlines.header = .seconds(300)
    options.deadlines.bodyIdle = .seconds(300)
    options.deadlines.bodyTotal = .seconds(300)
    options.deadlines.keepAlive = .seconds(300)
    options.deadlines.writeIdle = .seconds(300)
    change(&options)
    let wanted = [ListenAddress(host: host, port: 0)]
    let server = HTTPServer(
        addresses: tls == nil ? wanted : [], secured: tls.map { HTTPServer.Secured(addresses: wanted, tls: $0) }, options: options,
        logger: Logger(label: "test"), metrics: metrics, doorway: doorway)
    let address = try #require(try await server.start().first)
    try await body(address, server)
    await server.stop()
}

func echo(_ request: HTTPRequest, _ body: [UInt8], _ peer: String) -> (HTTPResponse, [UInt8]) {
    let text = "\(request.method) \(request.path ?? "") \(String(decoding: body, as: UTF8.self)).\n"
    return (HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]), Array(text.utf8))
}

func get(_ path: String, _ fields: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n" }

extension String {
    func count(of part: String) -> Int { ranges(of: part).count }
}
