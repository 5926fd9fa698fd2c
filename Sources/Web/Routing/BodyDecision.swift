public import HTTPTypes

/// The decision about a request with a body, made at the end of its head (V3).
public enum BodyDecision: Sendable {
    /// The body is read if it is not longer.
    case read(maxBytes: Int)
    /// The response to a request whose body is not read, because nothing in it could change the
    /// response.
    case refuse(HTTPResponse, [UInt8])
}

/// The error thrown for a request that is refused for its head.
struct RefusedHead: Error {
    let response: Response
}
