public import HTTPTypes

/// The reason why the server refuses a request: invalid framing or an exceeded limit. The client
/// receives a response, then the connection ends.
public enum Rejection: Error, CaseIterable {
    case badBytes, badRequestLine, badTarget, badField, badHost, badLength, badCoding, badChunk, cutShort
    case tooSlow
    /// The server holds as much for its clients as it may.
    case overBudget
    case bodyTooLarge, targetTooLong, unknownExpectation, headerTooLarge
    case unknownMethod, unknownCoding, unsupportedVersion

    public var status: HTTPResponse.Status {
        switch self {
        case .badBytes, .badRequestLine, .badTarget, .badField, .badHost, .badLength, .badCoding, .badChunk, .cutShort: .badRequest
        case .tooSlow: .requestTimeout
        case .overBudget: .serviceUnavailable
        case .bodyTooLarge: .contentTooLarge
        case .targetTooLong: .uriTooLong
        case .unknownExpectation: .expectationFailed
        case .headerTooLarge: .requestHeaderFieldsTooLarge
        case .unknownMethod, .unknownCoding: .notImplemented
        case .unsupportedVersion: .httpVersionNotSupported
        }
    }

    /// The text of the response, which repeats nothing of the request.
    public var sentence: String {
        switch self {
        case .badBytes: "A line contains a control character or does not end with CR LF."
        case .badRequestLine: "The request line is malformed."
        case .badTarget: "The request target is malformed."
        case .badField: "A header field is malformed."
        case .badHost: "There must be exactly one valid Host that agrees with the target."
        case .badLength: "Content-Length is malformed or repeated."
        case .badCoding: "Transfer-Encoding is malformed or out of place."
        case .badChunk: "The chunked body is malformed."
        case .cutShort: "The request ended too early."
        case .tooSlow: "The request took too long."
        case .overBudget: "The server is busy."
        case .bodyTooLarge: "The body is too large."
        case .targetTooLong: "The request target is too long."
        case .unknownExpectation: "The expectation is not supported."
        case .headerTooLarge: "The header fields are too large or too many."
        case .unknownMethod: "The method is not supported."
        case .unknownCoding: "The transfer coding is not supported."
        case .unsupportedVersion: "This server speaks HTTP/1.1 and HTTP/1.0."
        }
    }
}
