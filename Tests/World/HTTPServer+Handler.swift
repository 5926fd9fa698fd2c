public import HTTPServer
public import HTTPTypes
public import Logging

/// Answers a request that has its body.
public typealias RequestHandler = @Sendable (_ request: HTTPRequest, _ body: [UInt8], _ peer: String) async -> (HTTPResponse, [UInt8])

/// Accepts every request, with a body of at most `maxBodyBytes`.
public func acceptAll(atMost maxBodyBytes: Int = .max, _ handler: @escaping RequestHandler) -> AcceptRequest {
    { head, _, peer in
        .body(atMost: maxBodyBytes) {
            let (response, body) = await handler(head, $0, peer)
            return .response(response, body)
        }
    }
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

extension HeldResponse {
    /// The response, once it is complete.
    public func completed() async -> (HTTPResponse, [UInt8]) {
        await withCheckedContinuation { continuation in self.await(by: { continuation.resume(returning: ($0, $1)) }) }
    }
}

extension Acceptance {
    /// The response to the request, if the client sends this body.
    public func response(to body: [UInt8] = []) async -> (HTTPResponse, [UInt8]) {
        switch self {
        case .response(let response, let body): (response, body)
        case .body(let maxBytes, _) where body.count > maxBytes: (HTTPResponse(status: .contentTooLarge), [])
        case .body(_, let respond):
            switch await respond(body) {
            case .response(let response, let body): (response, body)
            case .held(let held): await held.completed()
            }
        }
    }
}
