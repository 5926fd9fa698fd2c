package import HTTPTypes

/// Why the server itself refuses a request: broken framing, or more than the limits allow. Each is answered, then the connection ends.
package enum Rejection: Error, CaseIterable {
    case badBytes, badRequestLine, badTarget, badField, badHost, badLength, badCoding, badChunk, cutShort
    case tooSlow
    case bodyTooLarge, targetTooLong, unknownExpectation, headerTooLarge
    case unknownMethod, unknownCoding, unsupportedVersion

    package var status: HTTPResponse.Status {
        switch self {
        case .badBytes, .badRequestLine, .badTarget, .badField, .badHost, .badLength, .badCoding, .badChunk, .cutShort: .badRequest
        case .tooSlow: .requestTimeout
        case .bodyTooLarge: .contentTooLarge
        case .targetTooLong: .uriTooLong
        case .unknownExpectation: .expectationFailed
        case .headerTooLarge: .requestHeaderFieldsTooLarge
        case .unknownMethod, .unknownCoding: .notImplemented
        case .unsupportedVersion: .httpVersionNotSupported
        }
    }

    /// The text of the answer; says nothing of what was sent.
    package var sentence: String {
        switch self {
        case .badBytes: "A line has a control character or does not end with CR LF."
        case .badRequestLine: "The request line is malformed."
        case .badTarget: "The request target is malformed."
        case .badField: "A header field is malformed."
        case .badHost: "There must be exactly one valid Host that agrees with the target."
        case .badLength: "Content-Length is malformed or repeated."
        case .badCoding: "Transfer-Encoding is malformed or out of place."
        case .badChunk: "The chunked body is malformed."
        case .cutShort: "The request ended too early."
        case .tooSlow: "The request took too long."
        case .bodyTooLarge: "The body is too large."
        case .targetTooLong: "The request target is too long."
        case .unknownExpectation: "The expectation is not known here."
        case .headerTooLarge: "The header fields are too large or too many."
        case .unknownMethod: "The method is not known here."
        case .unknownCoding: "The transfer coding is not known here."
        case .unsupportedVersion: "This server speaks HTTP/1.1 and HTTP/1.0."
        }
    }
}
