import HTTPTypes

/// A request's head while its lines come in, and what they mean for the body when it is complete.
struct Head {
    /// How the body is delimited. Source: RFC 9112 §6.3.
    enum Framing: Equatable {
        case length(Int)
        case chunked
    }

    private let line: RequestLine
    private var fields = HTTPFields()
    private var host: Authority?
    private var contentLength: Int?
    private var isChunked: Bool?
    private var expectsContinue = false
    private var saysClose = false
    private var saysKeepAlive = false

    init(_ line: RequestLine) { self.line = line }

    var isHTTP10: Bool { line.isHTTP10 }

    /// Whether the client waits for a 100 before it sends the body; an HTTP/1.0 client cannot. Source: RFC 9110 §10.1.1.
    var awaitsContinue: Bool { expectsContinue && !isHTTP10 }

    /// Whether another request may follow: the client wants to, and a reader who gives a body to no GET, HEAD or OPTIONS would
    /// find the next request where we do. Source: RFC 9112 §9.3, RFC 9110 §9.3.1.
    var keepsAlive: Bool { !saysClose && (!isHTTP10 || saysKeepAlive) && !hasUnusualBody }

    private var hasUnusualBody: Bool {
        (isChunked == true || contentLength ?? 0 > 0) && [.get, .head, .options].contains(line.method)
    }

    mutating func add(_ field: FieldLine) throws(Rejection) {
        switch field.role {
        case .payload:
            guard let name = FieldNames.name(field.name) else { throw .badField }
            // A text is taken much faster than bytes are; only what may be no UTF-8 has to go as such.
            fields.append(field.value.isASCII ? HTTPField(name: name, value: field.value.text) : HTTPField(name: name, value: field.value))
        case .host:
            guard host == nil, let authority = Authority(field.value) else { throw .badHost }
            host = authority
        case .contentLength:
            guard contentLength == nil else { throw .badLength }
            contentLength = try Self.length(field.value)
        case .transferEncoding:
            guard isChunked == nil, !isHTTP10 else { throw .badCoding }
            isChunked = try Self.isChunked(field.value)
        case .connection:
            for option in field.value.split(separator: UInt8(ascii: ",")) {
                let option = Bytes(rebasing: option).trimmed
                if option.isEqual(ignoringCase: "close") { saysClose = true }
                if option.isEqual(ignoringCase: "keep-alive") { saysKeepAlive = true }
            }
        case .expect:
            guard isHTTP10 || field.value.isEqual(ignoringCase: "100-continue") else { throw .unknownExpectation }
            expectsContinue = true
        }
    }

    /// Judges the whole: a message that two readers could delimit differently is refused. Source: RFC 9112 §6.1, §6.3.
    func framing(maxBodyBytes: Int) throws(Rejection) -> Framing {
        guard isHTTP10 || host != nil else { throw .badHost }
        if case .absolute(let authority, _) = line.target, let host, host != authority { throw .badHost }
        guard isChunked == nil else {
            guard contentLength == nil else { throw .badCoding }
            return .chunked
        }
        let length = contentLength ?? 0
        guard length <= maxBodyBytes else { throw .bodyTooLarge }
        return .length(length)
    }

    /// The request as the doorway sees it.
    var request: HTTPRequest {
        switch line.target {
        case .origin(let path):
            HTTPRequest(method: line.method, scheme: "http", authority: host?.text, path: path, headerFields: fields)
        case .absolute(let authority, let path):
            HTTPRequest(method: line.method, scheme: "http", authority: authority.text, path: path, headerFields: fields)
        }
    }

    /// Digits only; too many for a size on any machine is malformed rather than large. Source: RFC 9110 §8.6.
    private static func length(_ value: Bytes) throws(Rejection) -> Int {
        guard !value.isEmpty, value.allSatisfy(\.isDigit) else { throw .badLength }
        var length = 0
        for digit in value {
            let (scaled, isTooLong) = length.multipliedReportingOverflow(by: 10)
            let (sum, isTooLarge) = scaled.addingReportingOverflow(Int(digit - 0x30))
            guard !isTooLong, !isTooLarge else { throw .badLength }
            length = sum
        }
        return length
    }

    /// `chunked` and nothing else; before it, a coding that could be meant is 501, everything else is 400.
    private static func isChunked(_ value: Bytes) throws(Rejection) -> Bool {
        if value.isEqual(ignoringCase: "chunked") { return true }
        let codings = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { Bytes(rebasing: $0).trimmed }
        let isList = codings.allSatisfy { $0.isAll(Grammar.token) }
        let chunked = codings.filter { $0.isEqual(ignoringCase: "chunked") }
        guard isList, chunked.isEmpty || chunked.count == 1 && codings.last?.isEqual(ignoringCase: "chunked") == true else {
            throw .badCoding
        }
        throw .unknownCoding
    }
}
