import HTTPTypes
import Testing
@testable import HTTPServer

/// Our own cases of H2-H12, H14, H16 and X1. `|` stands for CR LF.
@Suite struct `A request on the wire` {
    private func read(_ text: String, limits: ServerOptions.SizeLimits = .init()) -> ParsedInput {
        let bytes = Array(text.replacing("|", with: "\r\n").utf8)
        let whole = ParsedInput(bytes, limits: limits)
        // H17: every assertion of this suite holds in any division into reads.
        #expect(ParsedInput(drip: bytes, limits: limits) == whole)
        return whole
    }

    private func isNil(_ event: RequestParser.Event?) -> Bool { if case nil = event { true } else { false } }

    private func limits(_ change: (inout ServerOptions.SizeLimits) -> Void) -> ServerOptions.SizeLimits {
        var limits = ServerOptions.SizeLimits()
        change(&limits)
        return limits
    }

    // MARK: Accepted requests

    @Test func `is passed on without its framing fields`() throws {
        let reading = read(
            "POST /a?b=c%20d HTTP/1.1|Host: example.com:8080|Content-Type:text/plain|content-LENGTH: 5|Connection: x|X-A: \t 1 2 \t|X-A: 3||hello"
        )
        #expect(reading.isClean)
        let request = try #require(reading.requests.first)
        let fields: HTTPFields = [.contentType: "text/plain", HTTPField.Name("X-A")!: "1 2", HTTPField.Name("X-A")!: "3"]
        #expect(
            request.head
                == HTTPRequest(method: .post, scheme: "http", authority: "example.com:8080", path: "/a?b=c%20d", headerFields: fields))
        #expect(request.body == Array("hello".utf8))
        #expect(request.keepsAlive)
    }

    @Test func `keeps non-ASCII bytes in field values`() throws {
        let reading = ParsedInput(Array("GET / HTTP/1.0\r\nX-A: caf\u{E9}\r\n\r\n".utf8))
        #expect(reading.requests.first?.head.headerFields[HTTPField.Name("X-A")!] == "caf\u{E9}")
    }

    @Test(arguments: [
        ("5|hello|0||", "hello"), ("5|hello|6| world|0||", "hello world"), ("0||", ""), ("00a|0123456789|000||", "0123456789"),
        ("A;a;b=c ; d = \"e\\\" f\"|0123456789|0;z||", "0123456789"), ("1|a|0|X-Trailer: 1|Set-Cookie: 2||", "a"),
    ])
    func `has the body joined from its chunks, without trailers`(chunks: String, body: String) {
        let reading = read("POST / HTTP/1.1|Host: a|Transfer-Encoding: Chunked||" + chunks)
        #expect(reading.isClean)
        #expect(reading.requests.map(\.body) == [Array(body.utf8)])
        #expect(reading.requests.first?.head.headerFields.isEmpty == true)
    }

    /// V4: extensions of small chunks cost more than their bytes.
    @Test(arguments: [(1, 0, true), (1, 12, true), (1, 200, false), (400, 200, true)])
    func `has chunks that are not mostly framing`(size: Int, extensionLength: Int, isTaken: Bool) {
        let more = extensionLength > 0 ? ";" + String(repeating: "x", count: extensionLength - 1) : ""
        let chunk = "\(String(size, radix: 16))\(more)\r\n\(String(repeating: "a", count: size))\r\n"
        let body = String(repeating: chunk, count: 120)
        let reading = ParsedInput(Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)0\r\n\r\n".utf8))
        #expect(reading.rejection == (isTaken ? nil : .badChunk))
        #expect(reading.requests.first?.body.count == (isTaken ? 120 * size : nil))
    }

    @Test(arguments: [
        ("GET / HTTP/1.1", "Host: a", true), ("GET / HTTP/1.1", "Host: a|Connection: Close", false),
        ("GET / HTTP/1.1", "Host: a|Connection: x, close ,y", false), ("GET / HTTP/1.1", "Host: a|Connection: x|Connection: close", false),
        ("GET / HTTP/1.0", "Host: a", false), ("GET / HTTP/1.0", "Connection: Keep-Alive", true),
        ("GET / HTTP/1.0", "Connection: keep-alive, close", false), ("GET / HTTP/1.1", "Host: a|Content-Length: 0", true),
    ])
    func `keeps the connection open or not`(line: String, fields: String, keepsAlive: Bool) {
        let reading = read("\(line)|\(fields)||\(line)|\(fields)||")
        #expect(reading.requests.map(\.keepsAlive) == (keepsAlive ? [true, true] : [false]))
        #expect(reading.isClean)
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS"])
    func `ends the connection if its method has no body but it has one`(method: String) {
        let reading = read("\(method) / HTTP/1.1|Host: a|Content-Length: 3||abcGET / HTTP/1.1|Host: a||")
        #expect(reading.requests.map(\.keepsAlive) == [false])
    }

    @Test func `is found behind another request and behind one empty line`() {
        let reading = read("POST /1 HTTP/1.1|Host: a|Content-Length: 2||ab|GET /2 HTTP/1.1|Host: a||GET /3 HTTP/1.1|Host: a||")
        #expect(reading.requests.map(\.head.path) == ["/1", "/2", "/3"])
        #expect(read("||GET / HTTP/1.1|Host: a||").rejection == .badRequestLine)
    }

    /// L5: the authority of an absolute target applies, and Host must be equal to it.
    @Test(arguments: [
        ("GET http://b.example/x?y HTTP/1.1|Host: B.example||", "b.example", "/x?y"),
        ("GET HTTPS://b.example:1?y HTTP/1.1|Host: b.example:1||", "b.example:1", "/?y"),
        ("GET http://[::1]:80 HTTP/1.0||", "[::1]:80", "/"), ("OPTIONS http://b HTTP/1.1|Host: b||", "b", "*"),
        ("OPTIONS * HTTP/1.1|Host: b||", "b", "*"), ("GET //x HTTP/1.1|Host: b:||", "b:", "//x"),
    ])
    func `has the authority and path of its target`(text: String, authority: String, path: String) {
        let head = read(text).requests.first?.head
        #expect(head?.authority == authority)
        #expect(head?.path == path)
    }

    @Test func `waits for 100 Continue if it has the expectation and a body`() {
        #expect(read("POST / HTTP/1.1|Host: a|Expect: 100-Continue|Content-Length: 1||a").continues == 1)
        #expect(read("POST / HTTP/1.1|Host: a|Expect: 100-continue|Transfer-Encoding: chunked||0||").continues == 1)
        #expect(read("POST / HTTP/1.1|Host: a|Expect: 100-continue|Content-Length: 0||").continues == 0)
        #expect(read("POST / HTTP/1.0|Host: a|Expect: 100-continue|Content-Length: 1||a").continues == 0)
        let tooLarge = read("POST / HTTP/1.1|Host: a|Expect: 100-continue|Content-Length: 9999999||")
        #expect(tooLarge.continues == 0)
        #expect(tooLarge.rejection == .bodyTooLarge)
    }

    /// V3: all bytes that are buffered for clients stay within one budget.
    @Test(arguments: ["Content-Length: 5", "Transfer-Encoding: chunked"])
    func `announces its body and reads nothing of it before it is admitted`(framing: String) {
        var parser = RequestParser(limits: .init())
        let bytes = Array("POST /1 HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n5\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        bytes.withUnsafeBufferPointer { bytes in
            var input = bytes
            guard case .body(let announced)? = parser.next(&input) else {
                Issue.record("no announcement")
                return
            }
            #expect(announced.head.path == "/1" && announced.length == (framing.hasSuffix("5") ? 5 : nil))
            let left = input.count
            #expect(isNil(parser.next(&input)) && input.count == left)
            parser.close()
            #expect(isNil(parser.next(&input)) && input.isEmpty, "what follows is not a request")
            #expect(parser.heldBytes == 0)
        }
    }

    /// V3, X1: the limit of its route, exact to one, with either framing.
    @Test(arguments: [(9, nil), (10, nil), (11, Rejection.bodyTooLarge)])
    func `has a body of at most what was admitted`(count: Int, rejection: Rejection?) {
        let body = String(repeating: "b", count: count)
        for framed in [
            "Content-Length: \(count)\r\n\r\n\(body)",
            "Transfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n\(body)\r\n0\r\n\r\n",
        ] {
            var parser = RequestParser(limits: .init())
            var (found, bodies) = (Rejection?.none, [Int]())
            Array("POST / HTTP/1.1\r\nHost: a\r\n\(framed)".utf8).withUnsafeBufferPointer { bytes in
                var input = bytes
                while let event = parser.next(&input) {
                    switch event {
                    case .body: if case .rejected(let rejection) = parser.readBody(atMost: 10) { found = rejection }
                    case .request(let request): bodies.append(request.body.count)
                    case .rejected(let rejection): found = rejection
                    }
                }
            }
            #expect(found == rejection)
            #expect(bodies == (rejection == nil ? [count] : []))
        }
    }

    // MARK: Rejected requests

    @Test(arguments: [
        "GET  / HTTP/1.1", " GET / HTTP/1.1", "GET / HTTP/1.1 ", "GET /  HTTP/1.1", "GET /", "GET HTTP/1.1", "G(T / HTTP/1.1",
        "GET / http/1.1",
        "GET / HTTP/1", "GET / HTTP/01.1", "GET / HTTP/1.1x", "GET / HTTP/1,1", "GET\t/ HTTP/1.1", "GET /a b HTTP/1.1", "",
        "\u{FEFF}GET / HTTP/1.1",
    ])
    func `is rejected for its request line`(line: String) {
        #expect(read("\(line.isEmpty ? "|" : line)|Host: a||").rejection == .badRequestLine)
    }

    @Test(arguments: [
        "*", "a", "example.com:443", "/#", "/a#b", "/\u{E9}", "/a\tb", "ftp://a/", "http:/a", "http://", "http:///a", "http://u@a/",
        "http://a:x/",
        "http://a:65536/", "http://[::1/", "http://[a]/", "http://a%2/", "http://a b/",
    ])
    func `is rejected for its target`(target: String) {
        let rejection = read("GET \(target) HTTP/1.1|Host: a||").rejection
        #expect(rejection == (target.contains(" ") ? .badRequestLine : .badTarget))
    }

    @Test(arguments: [
        "TRACE", "CONNECT", "get", "Get", "FOO", "GETT", "PRI", String(repeating: "A", count: 33), String(repeating: "A", count: 20_000),
    ])
    func `is rejected for its method`(method: String) {
        #expect(read("\(method) / HTTP/1.1|Host: a||").rejection == .unknownMethod)
    }

    @Test(arguments: ["0.9", "1.2", "2.0", "3.0", "9.9"]) func `is rejected for its version`(version: String) {
        #expect(read("GET / HTTP/\(version)|Host: a||").rejection == .unsupportedVersion)
    }

    @Test(arguments: [
        "", "Host:|", "Host: a|Host: a|", "Host: a|Host: b|", "Host: a, b|", "Host: a/b|", "Host: u@a|", "Host: a b|", "Host: a:99999|",
        "Host: a:b|", "Host: [::1|", "Host: [x]|", "Host: \u{E9}|", "Host: a%zz|", "Host: :80|", "Host: a?|", "Host: a\\b|",
        "Host: [::1]x|",
    ])
    func `is rejected for its host`(fields: String) {
        #expect(read("GET / HTTP/1.1|\(fields)|").rejection == .badHost)
    }

    @Test func `is rejected when host and target disagree`() {
        #expect(read("GET http://a/ HTTP/1.1|Host: b||").rejection == .badHost)
        #expect(read("GET http://a/ HTTP/1.0|Host: b||").rejection == .badHost)
        #expect(read("GET http://a/ HTTP/1.1||").rejection == .badHost)
        #expect(read("GET / HTTP/1.0|Host: a|Host: a||").rejection == .badHost)
    }

    @Test(arguments: [
        " X: folded", "\tX: folded", "X : 1", "X\t: 1", ": 1", "X", "X[: 1", "X\u{E9}: 1", "X Y: 1", "Content_Length: 1",
        "transfer_encoding: x",
        "Transfer---Encoding: x", "Content-_Length: 1",
    ])
    func `is rejected for a field line`(line: String) {
        #expect(read("GET / HTTP/1.1|Host: a|\(line)||").rejection == .badField)
        #expect(read("POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||0|\(line)||").rejection == .badField)
    }

    @Test(arguments: ["\n", "\r", "\0", "\u{1}", "\u{8}", "\u{B}", "\u{C}", "\u{1B}", "\u{7F}", "\r\r\n", "\n\r\n"])
    func `is rejected for a control character anywhere`(control: String) {
        for text in [
            "GE\(control)T / HTTP/1.1|Host: a||", "GET /\(control) HTTP/1.1|Host: a||", "GET / HTTP/1.1\(control)Host: a||",
            "GET / HTTP/1.1|Ho\(control)st: a||", "GET / HTTP/1.1|Host: a\(control)X: b||", "GET / HTTP/1.1|Host: a|\(control)",
            "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||5\(control)hello|0||",
            "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||5;a\(control)|hello|0||",
            "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||5|hello\(control)0||",
            "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||5|hello|0|\(control)",
        ] {
            #expect(read(text + "x").rejection == .badBytes, "\(text.debugDescription)")
        }
    }

    @Test(arguments: [
        "", "a", "+5", "-5", "-0", "0x5", "5 5", "5,5", "5;", "5.0", "1e1", "99999999999999999999", "\u{665}", "5|Content-Length: 5",
        "5|Content-Length: 6",
    ])
    func `is rejected for its length`(length: String) {
        #expect(read("POST / HTTP/1.1|Host: a|Content-Length: \(length)||hello").rejection == .badLength)
    }

    @Test(arguments: [
        ("", Rejection.badCoding), (",chunked", .badCoding), ("chunked,", .badCoding), ("chunked, chunked", .badCoding),
        ("chunked, gzip", .badCoding), ("chunked;a=b", .badCoding), ("\"chunked\"", .badCoding),
        ("chunked|Transfer-Encoding: chunked", .badCoding),
        ("gzip", .unknownCoding), ("identity", .unknownCoding), ("xchunked", .unknownCoding), ("gzip, chunked", .unknownCoding),
        ("chunked|Content-Length: 5", .badCoding), ("chunked|Content-Length: 0", .badCoding),
    ])
    func `is rejected for its transfer coding`(coding: String, rejection: Rejection) {
        #expect(read("POST / HTTP/1.1|Host: a|Transfer-Encoding: \(coding)||0||").rejection == rejection)
        #expect(read("POST / HTTP/1.0|Host: a|Transfer-Encoding: \(coding)||0||").rejection == .badCoding)
    }

    @Test func `is rejected for a length and a coding in either order`() {
        #expect(read("POST / HTTP/1.1|Host: a|Content-Length: 5|Transfer-Encoding: chunked||0||").rejection == .badCoding)
        #expect(read("POST / HTTP/1.0|Host: a|Transfer-Encoding: chunked||0||").rejection == .badCoding)
    }

    @Test(arguments: [
        "|", " 5|hello", "5 |hello", "0x5|hello", "+5|hello", "-5|hello", "5_0|hello", "g|", ";a|", "5;|hello", "5;a[|hello", "5;a=|hello",
        "5;a=\"|hello", "5;a=\"b|hello", "5;a=\"b\\|hello", "5;a b|hello", "5 a|hello", "5|hello!|0|", "5|hello0|", "10000000000000000|",
        "FFFFFFFFFFFFFFFF0|", "FFFFFFFFFFFFFFFF|", "8000000000000000|", "00000000000000005|hello",
    ])
    func `is rejected for a chunk`(chunk: String) {
        #expect(read("POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||\(chunk)|0||").rejection == .badChunk)
    }

    @Test(arguments: ["Host: a", "Content-Length: 5", "Transfer-Encoding: chunked"])
    func `is rejected for a trailer that routes or frames`(trailer: String) {
        #expect(read("POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||0|\(trailer)||").rejection == .badField)
    }

    @Test(arguments: ["200-ok", "", "100-continue, x", "100"]) func `is rejected for its expectation`(expectation: String) {
        #expect(read("POST / HTTP/1.1|Host: a|Expect: \(expectation)||").rejection == .unknownExpectation)
        #expect(read("POST / HTTP/1.0|Host: a|Expect: \(expectation)||").isClean)
    }

    @Test func `is the last one if it is rejected`() {
        let reading = read("GET /1 HTTP/1.1|Host: a||GET /2 HTTP/1.1|X||GET /3 HTTP/1.1|Host: a||")
        #expect(reading.requests.map(\.head.path) == ["/1"])
        #expect(reading.rejection == .badField)
    }

    @Test func `is truncated only if it has begun`() {
        #expect(read("").isClean)
        #expect(read("GET / HTTP/1.1|Host: a||").isClean)
        for text in ["G", "GET / HTTP/1.1|", "GET / HTTP/1.1|Host: a|", "POST / HTTP/1.1|Host: a|Content-Length: 2||a"] {
            #expect(read(text).isCutShort)
        }
    }

    // MARK: X1: limit - 1, limit, limit + 1

    @Test(arguments: [(7_999, nil), (8_000, nil), (8_001, Rejection.targetTooLong), (8_040, .targetTooLong), (9_000, .targetTooLong)])
    func `has a target of at most 8,000 bytes`(count: Int, rejection: Rejection?) {
        let target = "/" + String(repeating: "a", count: count - 1)
        #expect(read("OPTIONS \(target) HTTP/1.1|Host: a||").rejection == rejection)
    }

    @Test(arguments: [(99, nil), (100, nil), (101, Rejection.headerTooLarge)])
    func `has at most 100 fields, trailers included`(count: Int, rejection: Rejection?) {
        #expect(read("GET / HTTP/1.1|Host: a|" + String(repeating: "X: y|", count: count - 1) + "|").rejection == rejection)
        let trailers = String(repeating: "X: y|", count: count - 2)
        #expect(read("POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||0|\(trailers)|").rejection == rejection)
    }

    @Test(arguments: [(-1, nil), (0, nil), (1, Rejection.headerTooLarge)], [1, 7])
    func `has fields of at most 32 KiB, trailers included`(excess: (Int, Rejection?), lines: Int) {
        let total = 32_768 + excess.0
        func filler(_ total: Int) -> String {
            let each = total / lines
            let sizes = [total - each * (lines - 1)] + Array(repeating: each, count: lines - 1)
            return sizes.map { "X: " + String(repeating: "y", count: $0 - 5) + "|" }.joined()
        }
        #expect(read("GET / HTTP/1.1|Host: a|\(filler(total - "Host: a||".utf8.count - 0))|").rejection == excess.1)
        let head = "Host: a|Transfer-Encoding: chunked|"
        #expect(read("POST / HTTP/1.1|\(head)|0|\(filler(total - head.utf8.count - 2))|").rejection == excess.1)
    }

    @Test(arguments: [(9, nil), (10, nil), (11, Rejection.bodyTooLarge)])
    func `has a body of at most maxBodyBytes with either framing`(count: Int, rejection: Rejection?) {
        let limits = limits { $0.maxBodyBytes = 10 }
        let body = String(repeating: "b", count: count)
        #expect(read("POST / HTTP/1.1|Host: a|Content-Length: \(count)||\(body)", limits: limits).rejection == rejection)
        let hex = String(count, radix: 16)
        let head = "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||"
        #expect(read(head + "\(hex)|\(body)|0||", limits: limits).rejection == rejection)
        #expect(read(head + String(repeating: "1|b|", count: count) + "0||", limits: limits).rejection == rejection)
        #expect(read(head + "7FFFFFFFFFFFFFFF|", limits: limits).rejection == .bodyTooLarge)
    }

    @Test(arguments: [(255, nil), (256, nil), (257, Rejection.badChunk)])
    func `has chunk lines of at most 256 bytes`(count: Int, rejection: Rejection?) {
        let line = "1;" + String(repeating: "e", count: count - 2)
        #expect(read("POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||\(line)|b|0||").rejection == rejection)
    }
}
