import Base
import Testing

@Suite struct `A web URL` {
    @Test(arguments: [
        ("https://Example.COM", "https://example.com/"),
        ("HTTPS://example.com:443/", "https://example.com/"),
        ("http://example.com:80?x", "http://example.com/?x"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("https://example.com/a/./b/../c/%2e%2E/d", "https://example.com/a/d"),
        ("https://example.com/../..", "https://example.com/"),
        ("https://example.com//evil.example/", "https://example.com//evil.example/"),
        ("https://example.com/ü?ü=ü'\"#ü`", "https://example.com/%C3%BC?%C3%BC=%C3%BC%27%22#%C3%BC%60"),
        ("https://example.com/?#", "https://example.com/?#"),
        ("https://example.com/%41?%41#%41", "https://example.com/%41?%41#%41"),
        ("https://example.com#@evil.example", "https://example.com/#@evil.example"),
        ("https://münchen.example", "https://xn--mnchen-3ya.example/"),
        ("https://MÜNCHEN.example", "https://xn--mnchen-3ya.example/"),
        ("https://XN--MNCHEN-3YA.example", "https://xn--mnchen-3ya.example/"),
        ("https://faß.example", "https://xn--fa-hia.example/"),
        ("https://r3---sn.example", "https://r3---sn.example/"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/"),
        ("https://[::FFFF:1.2.3.4]/", "https://[::ffff:102:304]/"),
        ("https://[1:0:0:2:0:0:0:3]/", "https://[1:0:0:2::3]/"),
        ("https://[0:1:0:1:0:1:0:1]/", "https://[0:1:0:1:0:1:0:1]/"),
        ("https://[2001:db8::]/", "https://[2001:db8::]/"),
        ("com.Example.app://Welcome/x?y#z", "com.example.app://Welcome/x?y#z"),
        ("myapp:///x", "myapp:///x"), ("myapp://", "myapp://"), ("myapp://a?'", "myapp://a?'"),
    ])
    func `a web URL is serialized as in a browser`(input: String, serialized: String) throws {
        let url = try WebURL(input)
        #expect(url.serialized == serialized)
        #expect(url.isCanonical && url.isReadAlikeByOthers)
    }

    /// L7: parameters may come in any order, and one that comes twice with other values is refused.
    /// L8: a parameter is percent-decoded exactly once.
    @Test func `a web URL is split from a query that may contain anything`() throws {
        let (page, query) = try WebURL.split(link: "https://Example.com/a?x=50%&y=%zz%41&z=a\\b c#d?e")
        #expect(page.serialized == "https://example.com/a")
        #expect(query.map(\.name) == ["x", "y", "z"] && query.map(\.value) == ["50%", "%zzA", "a\\b c"])
        for text in ["https://example.com", "https://example.com?", "https://example.com/#?x=1"] {
            let (page, query) = try WebURL.split(link: text)
            #expect(page.serialized == "https://example.com/" && query.isEmpty)
        }
        #expect(throws: WebURL.ParseError.malformedPercent) { _ = try WebURL.split(link: "https://example.com/50%?x") }
        #expect(throws: WebURL.ParseError.tooLong) {
            _ = try WebURL.split(link: "https://example.com/?" + String(repeating: "a", count: 8_000))
        }
    }

    /// R4, R5, R7, R8: refused, not repaired.
    @Test(
        arguments: [
            ("", .empty), ("https://example.com/" + String(repeating: "a", count: 8_000), .tooLong),
            ("https://example.com/" + String(repeating: "ü", count: 2_000), .tooLong),
            ("https://exam\tple.com", .controlCharacter), ("https://example.com/\n", .controlCharacter),
            ("\u{0}https://example.com", .controlCharacter),
            ("https://example.com/\u{7F}", .controlCharacter), ("https://example.com/\u{85}", .controlCharacter),
            (" https://example.com", .whitespace), ("https://example.com/a b", .whitespace), ("https://example.com/\u{A0}", .whitespace),
            ("https://example.com/\u{3000}", .whitespace), ("https://example.com/\u{2028}", .whitespace),
            (#"https://evil.example\@example.com"#, .backslash), (#"https:\\example.com"#, .backslash),
            (#"https://example.com?\"#, .backslash),
            ("https://example.com/%", .malformedPercent), ("https://example.com/%4", .malformedPercent),
            ("https://example.com/%zz", .malformedPercent),
            ("example.com", .missingScheme), ("//example.com", .missingScheme), ("/path", .missingScheme), ("1a://x", .missingScheme),
            ("://x", .missingScheme), ("höhe://x", .missingScheme),
            ("javascript:alert(1)", .forbiddenScheme), ("JavaScript://example.com/%0aalert(1)", .forbiddenScheme),
            ("data:text/html,x", .forbiddenScheme),
            ("vbscript:x", .forbiddenScheme), ("file:///etc/passwd", .forbiddenScheme), ("blob:https://example.com/x", .forbiddenScheme),
            ("intent://x#Intent;end", .forbiddenScheme), ("ftp://example.com", .forbiddenScheme), ("wss://example.com", .forbiddenScheme),
            ("https:example.com", .missingSlashes), ("https:/example.com", .missingSlashes), ("myapp:x", .missingSlashes),
            ("https:///example.com", .extraSlashes), ("http:////example.com", .extraSlashes),
            ("https://user@example.com", .userInfo), ("https://a:b@example.com", .userInfo), ("https://a@b@example.com", .userInfo),
            ("https://@example.com", .userInfo), ("myapp://a@b", .userInfo),
            ("https://example.com:", .malformedPort), ("https://example.com:0", .malformedPort),
            ("https://example.com:080", .malformedPort),
            ("https://example.com:65536", .malformedPort), ("https://example.com:80:81", .malformedPort),
            ("https://example.com:+1", .malformedPort),
            ("https://example.com:٣", .malformedPort),
            ("https://[::1", .malformedIPv6), ("https://[::1%1]", .malformedPercent), ("https://[::1%25eth0]", .malformedIPv6),
            ("https://[1::2::3]", .malformedIPv6),
            ("https://[:::]", .malformedIPv6), ("https://[1:2:3:4:5:6:7]", .malformedIPv6), ("https://[1:2:3:4:5:6:7:8:9]", .malformedIPv6),
            ("https://[1:2:3:4:5:6:7:8::]", .malformedIPv6), ("https://[::12345]", .malformedIPv6), ("https://[::1.2.3]", .malformedIPv6),
            ("https://[1.2.3.4::]", .malformedIPv6), ("https://[::01.2.3.4]", .malformedIPv6), ("https://[]", .malformedIPv6),
            ("https://[::1]x", .malformedIPv6),
            ("https://", .missingHost), ("https://?x", .missingHost), ("https://:80", .missingHost),
            ("https://ex%61mple.com", .percentInHost), ("https://example.com%2f@evil.example", .userInfo),
            ("https://example.com%2eevil.example", .percentInHost),
            ("https://a_b.example", .hostCharacter), ("https://a$.example", .hostCharacter), ("https://a,b", .hostCharacter),
            ("https://[x", .malformedIPv6),
            ("https://a..example", .emptyLabel), ("https://.example", .emptyLabel), ("https://example.com.", .trailingDot),
            ("https://.", .trailingDot),
            ("https://-a.example", .hyphenAtEdge), ("https://a-.example", .hyphenAtEdge),
            ("https://\(String(repeating: "a", count: 64)).example", .longLabel),
            ("https://\(String(repeating: "a.", count: 126))ab", .longName), ("https://\(String(repeating: "ü", count: 600))", .longName),
            ("https://1.2.3", .numericHost), ("https://2130706433", .numericHost), ("https://0x7f.1", .numericHost),
            ("https://0x7f000001", .numericHost),
            ("https://0177.0.0.1", .numericHost), ("https://256.1.1.1", .numericHost), ("https://1.2.3.4.5", .numericHost),
            ("https://example.0x", .numericHost),
            ("https://example.1", .numericHost), ("https://01.2.3.4", .numericHost),
            ("https://１２７.0.0.1", .internationalName), ("https://example。com", .internationalName),
            ("https://ｅxample.com", .internationalName),
            ("https://ẞ.example", .internationalName), ("https://ﬁ.example", .internationalName),
            ("https://a\u{AD}b.example", .internationalName),
            ("https://mu\u{308}nchen.example", .internationalName), ("https://xn--a.example", .internationalName),
            ("https://xn--.example", .internationalName), ("https://☃.net", .internationalName),
            ("https://xn--n3h.net", .internationalName),
            ("https://xn--abc-.example", .internationalName), ("https://℀.example", .internationalName),
            ("https://\u{202E}a.example", .internationalName),
            ("https://\u{200B}a.example", .internationalName), ("https://\u{E000}.example", .internationalName),
            ("myapp://a:1", .appAuthority), ("myapp://%41", .appAuthority), ("myapp://ü", .appAuthority),
        ] as [(String, WebURL.ParseError)])
    func `a web URL that readers understand differently is refused`(input: String, reason: WebURL.ParseError) {
        #expect(throws: reason) { try WebURL(input) }
    }

    @Test(arguments: WebURL.ParseError.allCases)
    func `a web URL is refused with a distinct sentence`(reason: WebURL.ParseError) {
        #expect(reason.explanation.first?.isUppercase == true && reason.explanation.last == ".")
        #expect(WebURL.ParseError.allCases.count { $0.explanation == reason.explanation } == 1)
    }

    @Test func `a web URL accepts names and labels of maximum length`() throws {
        let label = String(repeating: "a", count: 63)
        let name = "\(label).\(label).\(label).\(label.dropFirst(2))"
        #expect(try WebURL("https://" + name).host == .domain(name))
        #expect(throws: WebURL.ParseError.longName) { try WebURL("https://\(label).\(label).\(label).\(label.dropFirst(1))") }
    }

    /// R2: other readers find the same host in the URL that Onward emits.
    @Test(arguments: [
        ("http://localhost?a=1&b=5#f=1", "http://localhost?a=1&b=5#f=1"), ("http://localhost/?a=1", "http://localhost?a=1"),
        ("HTTPS://A.example:443#f", "https://a.example#f"), ("http://[::1]:8080?", "http://[::1]:8080?"),
        ("https://a.example", "https://a.example/"), ("https://a.example/b?c", "https://a.example/b?c"),
        ("https://a.example?b=c/d", "https://a.example/?b=c/d"), ("https://a.example?b@c", "https://a.example/?b@c"),
        ("https://a.example#/b", "https://a.example/#/b"), ("https://a.example?#@evil.example", "https://a.example/?#@evil.example"),
        ("https://a.example?b%40c", "https://a.example?b%40c"), ("myapp://a?b", "myapp://a?b"),
    ])
    func `a web URL leaves out a lone slash only where no reader takes what follows for the host`(input: String, without: String) throws {
        #expect(try WebURL(input).serializedWithoutLoneSlash == without)
    }

    @Test(arguments: [
        ("https://localhost", true), ("https://127.1.2.3", true), ("https://[::1]", true), ("https://[::2]", false),
        ("https://128.0.0.1", false),
        ("https://localhost.example", false), ("myapp://localhost", false),
    ])
    func `a web URL recognises loopback hosts`(input: String, isLoopback: Bool) throws {
        #expect(try WebURL(input).host?.isLoopback == isLoopback)
    }

    /// R5: every segment of three pieces.
    @Test func `a web URL has no dot segments, however their dots are spelled`() throws {
        let pieces = ["", ".", "%2e", "%2E", "%2f", "%252e", "a"]
        for first in pieces {
            for segment in pieces.flatMap({ second in pieces.map { first + second + $0 } }) {
                let path =
                    switch segment.replacing("%2e", with: ".").replacing("%2E", with: ".") {
                    case ".": "/a/b/c"
                    case "..": "/a/c"
                    default: "/a/b/\(segment)/c"
                    }
                #expect(try WebURL("https://example.com/a/b/\(segment)/c").path == path)
            }
        }
    }

    /// X11: a path of thousands of segments is read as bytes.
    @Test(arguments: ["/.", "/..", "/%2e", "/%2E%2e", "/a/.."])
    func `a web URL has a path of nothing but dot segments`(segment: String) throws {
        #expect(try WebURL("https://example.com" + String(repeating: segment, count: 7_900 / segment.utf8.count)).path == "/")
    }

    /// X11: the length is checked first.
    @Test(arguments: ["a", "https://", "https://a.", "ü", "https://[::", "https://a/../", "%41", "\\"])
    func `a web URL of a megabyte is refused as too long`(unit: String) {
        #expect(throws: WebURL.ParseError.tooLong) { try WebURL(String(repeating: unit, count: 1_000_000 / unit.utf8.count)) }
    }
}

@Suite struct `A query` {
    /// L8: a parameter is percent-decoded exactly once.
    @Test(arguments: [
        ("a=1&b=2", [["a", "1"], ["b", "2"]]), ("a", [["a", ""]]), ("=1", [["", "1"]]), ("&&a=&", [["a", ""]]), ("a=b=c", [["a", "b=c"]]),
        ("a+b=c+d", [["a b", "c d"]]), ("a=%2B%26%3D", [["a", "+&="]]), ("a=%2568ttps", [["a", "%68ttps"]]), ("a=%C3%BC", [["a", "ü"]]),
        ("a=%FF", [["a", "\u{FFFD}"]]), ("a=ü", [["a", "ü"]]),
    ])
    func `a query is decoded exactly once`(query: String, items: [[String]]) throws {
        #expect(try WebURL("https://example.com/?" + query).queryItems.map { [$0.name, $0.value] } == items)
    }

    @Test(arguments: [(0, []), (1, ["a"]), (2, ["a", "b"]), (3, ["a", "b", "c"]), (4, ["a", "b", "c"])])
    func `the parameters of a form are read up to a limit`(limit: Int, names: [String]) {
        #expect(WebURL.formItems(in: "a=1&&b&c=3", atMost: limit).map(\.name) == names)
    }

    @Test(arguments: [
        ("https://example.com", "https://example.com/?mode=a%26b"),
        ("https://example.com?", "https://example.com/?mode=a%26b"),
        ("https://example.com?x=%41+b#f", "https://example.com/?x=%41+b&mode=a%26b#f"),
        ("https://example.com?mode=1&x&%6dode=2", "https://example.com/?x&mode=a%26b"),
        ("myapp://x", "myapp://x?mode=a%26b"),
    ])
    func `a query has parameters replaced by those of the same name`(url: String, result: String) throws {
        let url = try WebURL(url).appending(query: [("mode", "a&b")])
        #expect(url.serialized == result)
        #expect(url.isCanonical)
    }

    @Test func `a query stays absent when no parameters are added`() throws {
        #expect(try WebURL("https://example.com").appending(query: []).serialized == "https://example.com/")
    }

    @Test func `a query preserves every character`() throws {
        let text = String(String.UnicodeScalarView((0...0x1FF).compactMap(Unicode.Scalar.init))) + "\u{2028}💡"
        let url = try WebURL("https://example.com").appending(query: [(text, text)])
        #expect(url.queryItems.map { [$0.name, $0.value] } == [[text, text]])
        #expect(url.isCanonical)
        #expect(WebURL.percentEncoded("aZ09-._~ +&=%/") == "aZ09-._~%20%2B%26%3D%25%2F")
    }
}
