import HTTPTypes

/// A request line, split and validated. Source: RFC 9112 §3.
struct RequestLine {
    /// The accepted forms of a target. The authority form is for CONNECT, which is not supported.
    enum Target {
        case origin(path: String)
        case absolute(authority: Authority, path: String)
    }

    let method: HTTPRequest.Method
    let target: Target
    let isHTTP10: Bool

    /// The length above which a method is not read to its end.
    static let maxMethodBytes = 32
    /// The longest request line without its target.
    static let maxBytesBesideTarget = maxMethodBytes + " ".utf8.count + " HTTP/1.1".utf8.count

    init(_ line: UnsafeBytes, maxTargetBytes: Int) throws(Rejection) {
        guard let methodEnd = line.firstIndex(of: .space) else { throw .badRequestLine }
        let name = line.part(..<methodEnd)
        guard name.isAll(Grammar.token) else { throw .badRequestLine }
        let rest = line.part((methodEnd + 1)...)
        guard let targetEnd = rest.firstIndex(of: .space), targetEnd > 0 else { throw .badRequestLine }
        guard targetEnd <= maxTargetBytes else { throw .targetTooLong }
        isHTTP10 = try Self.isHTTP10(rest.part((targetEnd + 1)...))
        method = try Self.method(name)
        target = try Self.target(rest.part(..<targetEnd), isOptions: method == .options)
    }

    /// The rejection of a line that is too long. Only its beginning is known.
    static func rejection(ofTooLong beginning: some Sequence<UInt8>) -> Rejection {
        beginning.prefix(maxMethodBytes + 1).contains(.space) ? .targetTooLong : .unknownMethod
    }

    private static func isHTTP10(_ version: UnsafeBytes) throws(Rejection) -> Bool {
        guard version.count == 8, version.part(..<5).elementsEqual("HTTP/".utf8) else { throw .badRequestLine }
        guard version[5].isDigit, version[6] == UInt8(ascii: "."), version[7].isDigit else { throw .badRequestLine }
        guard version[5] == UInt8(ascii: "1"), version[7] <= UInt8(ascii: "1") else { throw .unsupportedVersion }
        return version[7] == UInt8(ascii: "0")
    }

    /// TRACE and CONNECT are refused: the server neither echoes requests nor opens tunnels.
    /// Source: RFC 9110 §9.3.
    private static func method(_ name: UnsafeBytes) throws(Rejection) -> HTTPRequest.Method {
        guard name.count <= maxMethodBytes else { throw .unknownMethod }
        return switch name.text {
        case "GET": .get
        case "POST": .post
        case "HEAD": .head
        case "OPTIONS": .options
        case "PUT": .put
        case "PATCH": .patch
        case "DELETE": .delete
        default: throw .unknownMethod
        }
    }

    private static func target(_ target: UnsafeBytes, isOptions: Bool) throws(Rejection) -> Target {
        guard target.isAll(Grammar.target) else { throw .badTarget }
        if target[0] == UInt8(ascii: "/") { return .origin(path: target.text) }
        if target.count == 1, target[0] == UInt8(ascii: "*"), isOptions { return .origin(path: "*") }
        guard let start = target.starts(withLowercase: "http://") ? 7 : target.starts(withLowercase: "https://") ? 8 : nil else {
            throw .badTarget
        }
        let rest = target.part(start...)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.count
        guard let authority = Authority(rest.part(..<end)) else { throw .badTarget }
        let path = rest.part(end...)
        guard !path.isEmpty else { return .absolute(authority: authority, path: isOptions ? "*" : "/") }
        return .absolute(authority: authority, path: path[0] == UInt8(ascii: "/") ? path.text : "/" + path.text)
    }
}
