import HTTPTypes

/// The head of a request, built from its lines, and the framing of the body that follows.
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

    /// Whether the client waits for a 100 before it sends the body. An expectation in HTTP/1.0 is
    /// ignored. Source: RFC 9110 §10.1.1.
    var awaitsContinue: Bool { expectsContinue && !isHTTP10 }

    /// Whether another request may follow. Not after a GET, HEAD or OPTIONS with a body: an
    /// intermediary that ignores such a body would take it for the next request. Source: RFC 9112
    /// §9.3, RFC 9110 §9.3.1.
    var keepsAlive: Bool { !saysClose && (!isHTTP10 || saysKeepAlive) && !hasUnusualBody }

    private var hasUnusualBody: Bool {
        (isChunked == true || contentLength ?? 0 > 0) && [.get, .head, .options].contains(line.method)
    }

    mutating func add(_ field: FieldLine) throws(Rejection) {
        switch field.kind {
        case .application:
            guard let name = CommonFieldNames.name(field.name) else { throw .badField }
            // HTTPField takes a string much faster than bytes; bytes are needed only for invalid
            // UTF-8.
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
                let option = UnsafeBytes(rebasing: option).trimmed
                if option.isEqual(ignoringCase: "close") { saysClose = true }
                if option.isEqual(ignoringCase: "keep-alive") { saysKeepAlive = true }
            }
        case .expect:
            guard isHTTP10 || field.value.isEqual(ignoringCase: "100-continue") else { throw .unknownExpectation }
            expectsContinue = true
        }
    }

    /// The framing of the body. A message that two recipients could delimit differently is refused.
    /// Source: RFC 9112 §6.1, §6.3.
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

    /// The request for the handler.
    var request: HTTPRequest {
        switch line.target {
        case .origin(let path):
            HTTPRequest(method: line.method, scheme: "http", authority: host?.text, path: path, headerFields: fields)
        case .absolute(let authority, let path):
            HTTPRequest(method: line.method, scheme: "http", authority: authority.text, path: path, headerFields: fields)
        }
    }

    /// Parses a Content-Length, which consists of digits only. A number that does not fit into
    /// `Int` is malformed rather than too large. Source: RFC 9110 §8.6.
    private static func length(_ value: UnsafeBytes) throws(Rejection) -> Int {
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

    /// Returns true for `chunked` alone. Another valid list of codings is unsupported (501),
    /// everything else is malformed (400).
    private static func isChunked(_ value: UnsafeBytes) throws(Rejection) -> Bool {
        if value.isEqual(ignoringCase: "chunked") { return true }
        let codings = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { UnsafeBytes(rebasing: $0).trimmed }
        let isList = codings.allSatisfy { $0.isAll(Grammar.token) }
        let chunked = codings.filter { $0.isEqual(ignoringCase: "chunked") }
        guard isList, chunked.isEmpty || chunked.count == 1 && codings.last?.isEqual(ignoringCase: "chunked") == true else {
            throw .badCoding
        }
        throw .unknownCoding
    }
}

/// Names of common fields, created once: each creation validates the name and allocates two
/// strings.
private enum CommonFieldNames {
    private struct Known {
        let name: HTTPField.Name
        let spelling: [UInt8]
    }

    private static let byLength: [[Known]] = {
        let common: [HTTPField.Name] = [
            .accept, .acceptEncoding, .acceptLanguage, .authorization, .cacheControl, .contentType, .cookie, .ifModifiedSince,
            .ifNoneMatch, .origin, .referer, .userAgent,
        ]
        let others = [
            "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "Sec-Fetch-User", "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform",
            "Priority", "Upgrade-Insecure-Requests", "X-Forwarded-For", "X-Forwarded-Proto",
        ]
        let known = (common + others.compactMap { HTTPField.Name($0) }).map { Known(name: $0, spelling: Array($0.rawName.utf8)) }
        let longest = known.map(\.spelling.count).max() ?? 0
        return (0...longest).map { length in known.filter { $0.spelling.count == length } }
    }()

    /// The field name with the case of the given bytes; nil if they are not a token.
    static func name(_ bytes: UnsafeBytes) -> HTTPField.Name? {
        if bytes.count < byLength.count {
            for known in byLength[bytes.count] where bytes.isEqual(to: known.spelling) { return known.name }
        }
        return HTTPField.Name(bytes.text)
    }
}
