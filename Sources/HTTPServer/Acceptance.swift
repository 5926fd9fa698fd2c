public import HTTPTypes

/// The application's decision about a request at the end of its head, before its body is read (V3).
public enum Acceptance: Sendable {
    /// The response. The body of a request that has one is not read, and the connection ends.
    case response(HTTPResponse, [UInt8])
    /// A body of at most this many bytes is read, a longer one is answered with 413. `respond`
    /// holds what was found about the head, so that nothing is looked up again.
    case body(atMost: Int, respond: Respond)

    /// Responds to a request whose head was accepted; the body is complete, or empty if there is
    /// none.
    public typealias Respond = @Sendable (_ body: [UInt8]) async -> Reply

    public enum Reply: Sendable {
        case response(HTTPResponse, [UInt8])
        case held(HeldResponse)
    }
}

/// Judges the head of a request; with `Acceptance.Respond` the only interface between the HTTP
/// server and the application.
///
/// The framing of the request is checked. `authority` is the valid Host, or the authority of an
/// absolute target; it is nil only in HTTP/1.0. `path` is the target in origin form, or `*`. Fields
/// that only concern the connection (Host, Connection, Content-Length, Transfer-Encoding, Expect)
/// are removed. `bodyLength` is zero without a body, and nil if the body is chunked.
/// `peer` is the client's numeric address without a port.
///
/// Both run on the event loop of the connection: they must not block, and cost no hop as long as
/// they do not suspend.
public typealias AcceptRequest = @Sendable (_ head: HTTPRequest, _ bodyLength: Int?, _ peer: String) async -> Acceptance
