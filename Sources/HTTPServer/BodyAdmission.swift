public import HTTPTypes

/// The application's decision about a request at the end of its head, before its body is read (V3).
public enum BodyAdmission: Sendable {
    /// The body is read if it has at most this many bytes, and otherwise answered with 413.
    case admitted(maxBytes: Int)
    /// The response is sent, the body is not read, and the connection ends.
    case refused(HTTPResponse, [UInt8])

    /// Decides about a body of `length` bytes, or of an unknown length if that is nil. Runs on the
    /// event loop like a `RequestHandler`, before it, and only for requests with a body.
    public typealias Decide = @Sendable (_ request: HTTPRequest, _ length: Int?, _ peer: String) async -> BodyAdmission
}
