public import HTTPServer
public import HTTPTypes
public import Logging

/// Answers a request that has its body.
public typealias RequestHandler = @Sendable (_ request: HTTPRequest, _ body: [UInt8], _ peer: String) async -> (HTTPResponse, [UInt8])

/// Accepts every request, with a body of at most `maxBodyBytes`.
public func acceptAll(atMost maxBodyBytes: Int = .max, _ handler: @escaping RequestHandler) -> AcceptRequest {
    { head, _, peer in .body(atMost: maxBodyBytes) { await handler(head, $0, peer) } }
}

extension HTTPServer {
    /// A server whose handler gets every request.
    public init(
        addresses: [ListenAddress], secured: Secured? = nil, options: ServerOptions = ServerOptions(), logger: Logger,
        handler: @escaping RequestHandler
    ) {
        self.init(addresses: addresses, secured: secured, options: options, logger: logger, accept: acceptAll(handler))
    }
}

extension Acceptance {
    /// The response to the request, if the client sends this body.
    public func response(to body: [UInt8] = []) async -> (HTTPResponse, [UInt8]) {
        switch self {
        case .response(let response, let body): (response, body)
        case .body(let maxBytes, _) where body.count > maxBytes: (HTTPResponse(status: .contentTooLarge), [])
        case .body(_, let respond): await respond(body)
        }
    }
}
