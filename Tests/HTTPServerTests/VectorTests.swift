import Testing
@testable import HTTPServer

/// H1-H9, H11, H17 with public vectors. The verdict of the file applies unless our stricter policy
/// is named beside the case.
@Suite(.enabled(if: VectorFile.folder != nil, "shared/data is not beside the repository"))
struct `The public vectors` {
    /// Policy: all classes as published; `either` is refused, unless the case is named here. What
    /// "reject" tolerates ("or close") counts as refused when the connection ends after one answer.
    /// An end in the middle of a request is answered with 400.
    @Test(arguments: VectorFile.cases("http11probe"))
    func `of Http11Probe are judged as published`(vector: VectorFile.Case) {
        let ours: [String: Rejection] = [
            "COMP-EXPECT-UNKNOWN": .unknownExpectation,  // 417 is one of the answers it allows
            "COMP-METHOD-TRACE": .unknownMethod,  // and so is 501
        ]
        // Underscores that the file lost on its way: these two are plain, valid requests. And
        // nothing at all is no request.
        let valid = ["SMUG-CHUNK-UNDERSCORE", "SMUG-CL-UNDERSCORE", "MAL-EMPTY-REQUEST"]
        // What no proxy reads in another way than we do (H18 tries that). Fields and targets are
        // for the layer above; the rest: an absolute target, a body for GET (and then the end),
        // blanks around a length, zeros before it, and trailers, which are dropped.
        let open =
            [
                "ABSOLUTE-FORM", "GET-WITH-CL-BODY", "CHUNKED-EXTENSION", "HTTP10-NO-HOST", "405-ALLOW", "DATE-FORMAT", "NO-1XX-HTTP10",
                "NO-CL-IN-204", "LONG-URL-OK", "DUPLICATE-CT", "RANGE-INVALID",
            ].map { "COMP-" + $0 }
            + [
                "CL-LEADING-ZEROS", "CL-LEADING-ZEROS-OCTAL", "CL-DOUBLE-ZERO", "CL-TRAILING-SPACE", "CL-EXTRA-LEADING-SP",
                "EXPECT-100-CL", "EXPECT-100-CL-DESYNC", "TRAILER-AUTH", "TRAILER-CONTENT-TYPE", "HEAD-CL-BODY", "OPTIONS-CL-BODY",
            ].map { "SMUG-" + $0 }
            + [
                "CL-TAB-BEFORE-VALUE", "URL-BACKSLASH", "URL-PERCENT-NULL", "URL-PERCENT-CRLF", "RANGE-OVERLAPPING",
            ].map { "MAL-" + $0 } + ["COOK-EMPTY", "COOK-MANY-PAIRS", "COOK-MALFORMED"]
        check(vector, ParsedInput(vector.bytes), ours, valid, open: open + (vector.id.hasPrefix("CAP-") ? [vector.id] : []))
    }

    /// Policy: severe and ambiguous are refused, or answered and closed; the vectors are heads, so
    /// an accepted one waits for its body. We know no transfer coding but `chunked`, no fragment
    /// and no raw non-ASCII.
    @Test(arguments: VectorFile.cases("desync-guardian"))
    func `of desync-guardian are judged as published`(vector: VectorFile.Case) {
        let ours: [String: Rejection] = [
            "desync/more-compliant-tests/Correct TE OK": .unknownCoding,
            "desync/more-compliant-tests/Large Size OK": .bodyTooLarge,
            "desync/more-compliant-tests/Transfer-Encoding: identity and chunked OK": .unknownCoding,
            "desync/more-compliant-tests/Multiple transfer encoding headers in a single request OK": .unknownCoding,
            "desync/more-compliant-tests/TE with custom parameters OK": .badCoding,
            "desync/rfc-compliant/Different Transfer-Encoding headers": .unknownCoding,
            "desync/rfc-compliant/Different Transfer-Encoding headers combined": .unknownCoding,
            "desync/rfc-compliant/Transfer-Encoding with a param: chunked;custom_param": .badCoding,
            "desync/rfc-compliant/Compliant URL": .badTarget,
            "desync/rfc-compliant/International in URI": .badTarget,
            "desync/rfc-compliant/Empty URI": .badRequestLine,
        ]
        check(vector, ParsedInput(vector.bytesWithHost), ours, open: ["desync/acceptable/Get with a body and Content-Length:0"])
    }

    /// Policy: `reject` and `lenient` are refused, and never yield more requests than llhttp
    /// completed. Many texts lack their last line end, so an accepted one may be cut short. It
    /// serves every method of the registry and leaves Host to the layer above.
    @Test(arguments: VectorFile.cases("llhttp"))
    func `of llhttp are judged as published`(vector: VectorFile.Case) {
        let id = vector.id.replacing("llhttp/", with: "", maxReplacements: 1)
        var ours: [String: Rejection] = [
            "connection/CRLF between requests, implicit `keep-alive`": .badRequestLine,  // its second request ends within a line
            "sample/No HTTP version": .badRequestLine,
            "transfer-encoding/POST with `chunked` as last transfer-encoding": .badTarget,  // for their fragments
            "transfer-encoding/POST with `chunked` as last transfer-encoding (multiple headers)": .badTarget,
            "uri/Fragment in URI": .badTarget,
            "uri/Host terminated by a query string": .badHost,  // the Host we add does not agree
            "uri/`host:port` and basic auth": .badTarget,
            "uri/Underscore in hostname": .unknownMethod,
            "method/SOURCE request with ICE": .badRequestLine,
            "method/OPTIONS request with RTSP": .badRequestLine,
            "method/ANNOUNCE request with RTSP": .badRequestLine,
        ]
        let served = ["method/PATCH request", "method/PRI request HTTP2"]
        if id.hasPrefix("method/"), ours[id] == nil, !served.contains(id) { ours[id] = .unknownMethod }
        let reading = ParsedInput(vector.bytesWithHost)
        if vector.class == "reject" || vector.class == "lenient" {
            #expect(reading.requests.count <= max(vector.messages_completed ?? 0, 0))
        }
        check(vector, id: id, reading, ours)
    }

    /// Policy: what gunicorn rejects for its own limits, proxies or header map is not ours to
    /// reject; what it accepts by a lenient setting, we refuse. As everywhere: no fragment, no user
    /// information, no raw non-ASCII, no coding but `chunked`.
    @Test(arguments: VectorFile.cases("gunicorn"))
    func `of gunicorn are judged as published`(vector: VectorFile.Case) {
        let id = vector.id.replacing("gunicorn/", with: "", maxReplacements: 1)
        let ours: [String: Rejection] = [
            "valid/005": .badTarget, "valid/009": .badTarget, "valid/024": .targetTooLong, "valid/025": .unknownCoding,
            "valid/025_line": .unknownCoding, "valid/027": .badTarget, "valid/028": .badField, "valid/029": .unknownCoding,
            "valid/030": .unknownCoding, "valid/031": .unknownMethod, "valid/031compat": .unknownMethod,
            "valid/031compat2": .unknownMethod, "valid/040": .badField, "valid/040_compat": .badField,
            "valid/compat_obs_fold": .badField, "valid/compat_obs_fold_huge": .badField, "valid/pp_01": .badRequestLine,
            "valid/pp_02": .badRequestLine, "valid/pp_04": .badRequestLine, "valid/pp_05": .badRequestLine,
            "valid/rfc9112_smuggle_gzip_chunked_01": .unknownCoding,
            "valid/rfc9112_smuggle_te_identity_chunked_01": .unknownCoding,
            "valid/rfc9112_target_absolute_userinfo_01": .badTarget,
            "valid/rfc9112_target_authority_connect_01": .unknownMethod,
            "valid/rfc9112_target_authority_ipv6_01": .unknownMethod,
        ]
        // Lengths within our limits, X-Forwarded-*, and repeated Content-Type: for the layer above.
        let theirs = ["006", "007", "008", "010", "011", "012", "017", "019", "041", "limit_header_default_01"]
        check(vector, id: id, ParsedInput(vector.bytesWithHost), ours, theirs.map { "invalid/" + $0 })
    }

    /// Policy: as published, but folded lines, raw non-ASCII in a target and more than one space
    /// are refused.
    @Test(arguments: VectorFile.cases("picohttpparser"))
    func `of picohttpparser are judged as published`(vector: VectorFile.Case) {
        let ours: [String: Rejection] = [
            "pico/parse multiline": .badField,
            "pico/accept MSB chars": .badTarget,
            "pico/accept multiple spaces between tokens": .badRequestLine,
        ]
        check(vector, ParsedInput(vector.bytesWithHost), ours)
    }

    private func check(
        _ vector: VectorFile.Case, id: String? = nil, _ reading: ParsedInput, _ ours: [String: Rejection], _ valid: [String] = [],
        open: [String] = []
    ) {
        let id = id ?? vector.id
        let isRefused = reading.isRejected || reading.isCutShort
        let isAnsweredAndClosed = reading.requests.last?.keepsAlive == false
        if let rejection = ours[id] {
            #expect(reading.rejection == rejection)
        } else if valid.contains(id) {
            #expect(!isRefused)
        } else {
            switch vector.class {
            case "accept", "no-101": #expect(!reading.isRejected, "\(reading)")
            case "reject", "reject-or-close", "reject-or-answer-and-close", "lenient":
                #expect(isRefused || isAnsweredAndClosed, "\(reading)")
                #expect(reading.requests.count <= max(1, vector.messages_completed ?? 1))
            case "incomplete": #expect(isRefused, "\(reading)")
            default:
                #expect(vector.class == "either")
                #expect(isRefused != open.contains(id), "\(reading)")
            }
        }
    }

    static let all = ["http11probe", "desync-guardian", "llhttp", "gunicorn", "picohttpparser"]

    @Test(arguments: all)
    func `are parsed the same in any division into reads`(file: String) throws {
        for vector in VectorFile.cases(file) {
            for bytes in Set([vector.bytes, vector.bytesWithHost]) { try expectSameInAnyDivision(bytes, vector.id) }
        }
    }

    @Test(arguments: all) func `are complete`(file: String) { #expect(VectorFile.cases(file).count >= 34) }
}

extension VectorFile.Case {
    /// With a Host in every HTTP/1.1 head when there is none, so that the verdict is about the
    /// defect that the case is named for.
    var bytesWithHost: [UInt8] {
        let bytes = bytes
        let hasHost = ["Host:", "HOST:"].contains { bytes.firstRange(of: Array("\n\($0)".utf8)) != nil }
        guard !hasHost else { return bytes }
        var rest = bytes[...]
        var result: [UInt8] = []
        while let version = rest.firstRange(of: Array(" HTTP/1.1\r\n".utf8)) {
            result += rest[..<version.upperBound] + Array("Host: a\r\n".utf8)
            rest = rest[version.upperBound...]
        }
        return result + rest
    }
}
