import Testing
@testable import HTTPServer

/// Bytes that two HTTP parsers may read differently, and the required result.
struct Attack: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    /// The paths of the requests that are answered, in order.
    let paths: [String]
    let rejection: Rejection?
    /// Whether the last request lacks its end.
    let isCutShort: Bool

    /// - Parameter text: `|` stands for CR LF.
    init(_ name: String, _ text: String, paths: [String] = [], _ rejection: Rejection?, isCutShort: Bool = false) {
        testDescription = name
        bytes = Array(text.replacing("|", with: "\r\n").utf8)
        (self.paths, self.rejection, self.isCutShort) = (paths, rejection, isCutShort)
    }

    /// A POST whose body ends at different positions for different parsers.
    private static func body(_ name: String, _ fields: String, _ body: String, _ rejection: Rejection) -> Attack {
        Attack("\(name) (\(fields.debugDescription))", "POST / HTTP/1.1|Host: a|\(fields)||\(body)", rejection)
    }

    private static let hidden = "GET /hidden HTTP/1.1|Host: a||"
    private static let afterLastChunk = "0||\(hidden)"
    private static let insideChunk = "21|\(hidden)|0||"

    static let all = lengths + codings + disguises + chunks + lines + targets + hosts + others

    private static let lengths: [Attack] =
        [
            body("CL.TE", "Content-Length: 38|Transfer-Encoding: chunked", afterLastChunk, .badCoding),
            body("TE.CL", "Transfer-Encoding: chunked|Content-Length: 4", insideChunk, .badCoding),
            body("CL.TE", "Content-Length: 0|Transfer-Encoding: chunked", afterLastChunk, .badCoding),
            body("CL.CL", "Content-Length: 33|Content-Length: 0", hidden, .badLength),
            body("CL.CL", "Content-Length: 0|Content-Length: 33", hidden, .badLength),
            body("CL.CL", "Content-Length: 33|X: y|content-length: 33", hidden, .badLength),
            body("CL.CL", "Content-Length: 33|Content-Length:", hidden, .badLength),
        ]
        + [
            "0, 33", "33,33", "+0", "-0", "0x21", "0 33", "0;33", "0.0", "1e1", "３３", "0\u{A0}", "\"0\"", "18446744073709551616",
            "9223372036854775808",
        ].map { body("odd length", "Content-Length: \($0)", hidden, .badLength) } + [
            // CL.0 and 0.CL: a parser that gives no body to a GET would take the body for the next
            // request, so the connection ends.
            Attack("GET with a body", "GET / HTTP/1.1|Host: a|Content-Length: 33||\(hidden)\(hidden)", paths: ["/"], nil),
            Attack("HEAD with chunks", "HEAD / HTTP/1.1|Host: a|Transfer-Encoding: chunked||\(insideChunk)\(hidden)", paths: ["/"], nil),
            Attack("OPTIONS with a body", "OPTIONS * HTTP/1.1|Host: a|Content-Length: 33||\(hidden)\(hidden)", paths: ["*"], nil),
            Attack("a body that is a request", "POST / HTTP/1.1|Host: a|Content-Length: 33||\(hidden)", paths: ["/"], nil),
            Attack("a body with zeros before its length", "POST / HTTP/1.1|Host: a|Content-Length: 0033||\(hidden)", paths: ["/"], nil),
            Attack("a body that lacks its end", "POST / HTTP/1.1|Host: a|Content-Length: 34||\(hidden)", nil, isCutShort: true),
            Attack("no length, so no body", "POST /1 HTTP/1.1|Host: a||GET /2 HTTP/1.1|Host: a||", paths: ["/1", "/2"], nil),
        ]

    private static let codings: [Attack] =
        [
            "chunked|Transfer-Encoding: identity", "chunked|Transfer-Encoding: chunked",
            "chunked, identity", "chunked, chunked", "chunked,", ", chunked", "chunked;q=1", "\"chunked\"", "chunked identity",
            "chun\u{212A}ed",
            "| chunked", "|\tchunked", "\u{A0}chunked",
        ].map { body("TE.TE", "Transfer-Encoding: \($0)", afterLastChunk, .badCoding) }
        + [
            "identity", "identity|Transfer-Encoding: chunked", "xchunked", "chunkedx", "'chunked'", "x, chunked", "gzip, chunked",
        ].map { body("TE.TE", "Transfer-Encoding: \($0)", afterLastChunk, .unknownCoding) }
        + [
            "\u{B}chunked", "chunked\u{C}", "chunked\0", "\u{8}chunked", "chunked\r", "chunked\n", "\nchunked", "chunked\u{7F}",
        ].map { body("TE.TE", "Transfer-Encoding: \($0)", afterLastChunk, .badBytes) } + [
            Attack("TE in HTTP/1.0", "POST / HTTP/1.0|Host: a|Transfer-Encoding: chunked||\(afterLastChunk)", .badCoding),
            Attack(
                "chunked in any case, behind tabs", "POST / HTTP/1.1|Host: a|TRANSFER-encoding:\t CHUNKED \t||\(insideChunk)", paths: ["/"],
                nil),
        ]

    /// Fields that some parsers take for framing fields.
    private static let disguises: [Attack] = ["Transfer-Encoding", "Content-Length"].flatMap { name -> [Attack] in
        let value = name == "Content-Length" ? "33" : "chunked"
        let dashless = name.replacing("-", with: "_")
        let fields: [(String, Rejection)] = [
            ("\(name) : \(value)", .badField), ("\(name)\t: \(value)", .badField), (" \(name): \(value)", .badField),
            ("X: y| \(name): \(value)", .badField), ("X:|\t\(name): \(value)", .badField), ("\(dashless): \(value)", .badField),
            ("\(name)|: \(value)", .badField), ("X\(name)\u{0}: \(value)", .badBytes), ("X: y\n\(name): \(value)", .badBytes),
            ("X: y\r\(name): \(value)", .badBytes), ("X: y\r\r\n\(name): \(value)", .badBytes), (": \(value)", .badField),
            ("\(name)\u{A0}: \(value)", .badField),
            ("\(name.replacing("s", with: "\u{17F}").replacing("L", with: "\u{13D}")): \(value)", .badField),
            ("\"\(name)\": \(value)", .badField), ("\(name)[]: \(value)", .badField), ("\(name); \(value)", .badField),
        ]
        return fields.map { body("disguise", $0.0, afterLastChunk, $0.1) }
    }

    private static let chunks: [Attack] =
        [
            ("2;\nxx|21|0||", .badBytes), ("2;a\rxx|21|0||", .badBytes), ("2\nxx|0||", .badBytes), ("2|xx\n0||", .badBytes),
            ("2|xx\r0||", .badBytes),
            ("0|\n", .badBytes), ("0\n\n", .badBytes), ("0;\"\n\"||", .badBytes), ("2|xxx0||", .badChunk), ("2|xx0||", .badChunk),
            ("2|x|0||", .badBytes),
            ("2 |xx|0||", .badChunk), (" 2|xx|0||", .badChunk), ("+2|xx|0||", .badChunk), ("-2|xx|0||", .badChunk),
            ("0x2|xx|0||", .badChunk),
            ("2_0|xx|0||", .badChunk), ("2,2|xx|0||", .badChunk), ("10000000000000002|xx|0||", .badChunk),
            ("fffffffffffffffe|xx|0||", .badChunk),
            ("\u{FF12}|xx|0||", .badChunk), ("2;|xx|0||", .badChunk), ("2;a=\"|xx|0||", .badChunk), ("2;a b|xx|0||", .badChunk),
            ("|2|xx|0||", .badChunk),
            ("7fffffffffffffff|xx|0||", .bodyTooLarge), ("0|Content-Length: 33||", .badField),
            ("0|Transfer-Encoding: chunked||", .badField),
            ("0|Host: b||", .badField), ("0|X : y||", .badField), ("0|X: y| folded||", .badField), ("0|\(hidden)", .badField),
            ("0|X: \0||", .badBytes),
        ].map { chunks, rejection in body("chunks \(chunks.debugDescription)", "Transfer-Encoding: chunked", chunks + hidden, rejection) }
        + [
            Attack(
                "what may stand in chunk lines",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||21 ; a ; b = \"\\\";\" ;c|\(hidden)|"
                    + "000;x=y|X: y|Authorization: z||GET /next HTTP/1.1|Host: a||", paths: ["/", "/next"], nil)
        ]

    private static let lines: [Attack] = [
        Attack("HTTP/0.9", "GET /hidden|", .badRequestLine), Attack("HTTP/0.9 by name", "GET / HTTP/0.9||\(hidden)", .unsupportedVersion),
        Attack("HTTP/0.9 behind another", "GET /1 HTTP/1.1|Host: a||GET /hidden|", paths: ["/1"], .badRequestLine),
        Attack("two versions", "GET / HTTP/1.1 HTTP/0.9|Host: a||\(hidden)", .badRequestLine),
        Attack("a version of its own", "GET / HTTP/1.1.1|Host: a||\(hidden)", .badRequestLine),
        Attack("HTTP/2 begins", "PRI * HTTP/2.0||SM||", .unsupportedVersion), Attack("TLS begins", "\u{16}\u{3}\u{1}\0|", .badBytes),
        Attack("a proxy's preface", "PROXY TCP4 192.0.2.1 192.0.2.2 1 2|\(hidden)", .badRequestLine),
        Attack("a space before the first field", "GET / HTTP/1.1| Host: a||\(hidden)", .badField),
        Attack("space on a line of its own", "GET / HTTP/1.1|Host: a| ||\(hidden)", .badField),
        Attack("a field without a colon", "GET / HTTP/1.1|Host: a|X||\(hidden)", .badField),
        Attack("a line end alone", "GET / HTTP/1.1|Host: a\n\n\(hidden)", .badBytes),
        Attack("line ends the wrong way round", "GET / HTTP/1.1\n\rHost: a\n\r\n\r\(hidden)", .badBytes),
        Attack("two empty lines", "||\(hidden)", .badRequestLine), Attack("a byte order mark", "\u{FEFF}\(hidden)", .badRequestLine),
        Attack("an empty line between two", "GET /1 HTTP/1.1|Host: a|||GET /2 HTTP/1.1|Host: a||", paths: ["/1", "/2"], nil),
        Attack("an end in the middle of a line", "GET /1 HTTP/1.1|Host: a||GET /hidden HTTP/1.1|Ho", paths: ["/1"], nil, isCutShort: true),
    ]

    private static let targets: [Attack] = [
        ("http://b/", Rejection.badHost), ("http://a:80/", .badHost), ("http://a.b/", .badHost), ("http://b@a/", .badTarget),
        ("http://a\\@b/", .badTarget),
        ("http://a%00/", .badHost), ("http:/a/", .badTarget), ("http:a", .badTarget), ("http://", .badTarget), ("//a@b", nil),
        ("a", .badTarget), ("a:80", .badTarget),
        ("*", .badTarget), ("/#", .badTarget), ("/\u{E9}", .badTarget), ("/\u{85}", .badTarget), ("ws://a/", .badTarget),
        ("urn:a", .badTarget), ("\\\\a", .badTarget), ("?a", .badTarget),
    ].map { target, rejection in
        Attack("target \(target)", "GET \(target) HTTP/1.1|Host: a||", paths: rejection == nil ? [target] : [], rejection)
    }

    private static let hosts: [Attack] = [
        "", "Host:|", "Host: |", "Host: a|Host: a|", "Host: a|host: b|", "Host: a, b|", "Host: a b|", "Host:| a|", "Host: a/|", "Host: a?|",
        "Host: b@a|",
        "Host: http://a|", "Host: a:b|", "Host: a:-1|", "Host: a:80:80|", "Host: [::1|", "Host: [::1]]|", "Host: a%|", "Host: \u{E9}|",
        "Host: a\\|",
    ].map { Attack("host \($0.debugDescription)", "GET / HTTP/1.1|\($0)|\(hidden)", .badHost) }

    private static let others: [Attack] = [
        // There is no protocol upgrade, and a Connection field removes no other field.
        Attack(
            "HTTP/2 in the clear",
            "GET / HTTP/1.1|Host: a|Connection: Upgrade, HTTP2-Settings|Upgrade: h2c|HTTP2-Settings: AAMAAABkAAQAAP__||", paths: ["/"], nil),
        Attack(
            "a length that is of this connection only", "POST / HTTP/1.1|Host: a|Connection: Content-Length|Content-Length: 33||\(hidden)",
            paths: ["/"], nil),
        Attack("something after the last one", "GET / HTTP/1.1|Host: a|Connection: close||\(hidden)", paths: ["/"], nil),
        Attack("something after a error", "GET /1 HTTP/1.1|Host: a||GET /2 HTTP/1.1|X||\(hidden)", paths: ["/1"], .badField),
        Attack("a tunnel", "CONNECT a:443 HTTP/1.1|Host: a:443||\(hidden)", .unknownMethod),
        Attack("an echo", "TRACE / HTTP/1.1|Host: a||\(hidden)", .unknownMethod),
        Attack("another expectation", "POST / HTTP/1.1|Host: a|Expect: 100-continue, x|Content-Length: 33||\(hidden)", .unknownExpectation),
    ]
}
