package import HTTPTypes

/// Where requests leave the server and answers come back: the one thing `HTTPServer` knows of the rest of the house.
///
/// The request is whole and its framing is checked: `authority` is the valid Host (or what the absolute target says; `nil` only in
/// HTTP/1.0), `path` is the target in origin form (or `*`), and the fields that only concern the connection (Host, Connection,
/// Content-Length, Transfer-Encoding, Expect) are gone. `peer` is the numeric address without port. The closure runs on the
/// listener's own loop: what it does without suspending costs no hop, and must not block.
package typealias RequestHandler = @Sendable (_ request: HTTPRequest, _ body: [UInt8], _ peer: String) async -> (HTTPResponse, [UInt8])
