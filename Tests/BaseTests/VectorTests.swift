import Base
import Testing
import Vectors

/// Every accepted URL is parsed as browsers do, and every URL that they refuse is refused (R1, R2,
/// R5, R7).
@Suite(.enabled(if: Vectors.arePresent, "shared/data is not beside this clone")) struct `URLs of the public vectors` {
    struct Case: Decodable {
        let input: String
        let base, href, `protocol`, hostname, port, pathname, search, hash: String?
        let failure: Bool?

        /// Cases with an invalid base URL, which is not tested here.
        var isAboutInput: Bool { base?.hasPrefix("http://[0:") != true }
    }

    @Test(arguments: [
        ("urltestdata", 80), ("ada_extra_urltestdata", 2), ("ada_long_urltestdata", 0), ("urltestdata-javascript-only", 0),
    ])
    func `are parsed as in the tests of the URL standard`(file: String, atLeast: Int) throws {
        let cases: [Case] = try Vectors.cases("url/\(file).json")
        var accepted = 0
        for one in cases where one.isAboutInput {
            guard let url = try? WebURL(one.input) else { continue }
            accepted += 1
            #expect(url.serialized == one.href, "\(one.input)")
            #expect(url.hostForComparison == one.hostname, "\(one.input)")
            #expect(url.port.map(String.init) ?? "" == one.port)
            #expect(url.path == one.pathname)
            #expect(url.isCanonical && url.isReadAlikeByOthers, "\(url)")
        }
        #expect(!cases.isEmpty && accepted >= atLeast, "accepted \(accepted)")
    }

    @Test func `have the expected host`() throws {
        let cases: [Case] = try Vectors.cases("url/hostname-oracle.json", under: "cases")
        #expect(cases.count >= 921)
        var web = 0
        for one in cases where one.isAboutInput {
            guard let url = try? WebURL(one.input) else { continue }
            web += url.effectivePort == nil ? 0 : 1
            #expect(url.hostForComparison == one.hostname, "\(one.input)")
            #expect(url.serialized == one.href, "\(one.input)")
        }
        #expect(web >= 60, "accepted \(web)")
    }

    struct Name: Decodable {
        let input: String
        let output: String?
    }

    @Test(arguments: [("toascii", 10), ("IdnaTestV2", 200), ("IdnaTestV2-removed", 0)])
    func `have the ASCII names of UTS 46 or are refused`(file: String, atLeast: Int) throws {
        let names: [Name] = try Vectors.cases("url/\(file).json")
        var accepted = 0
        for name in names {
            guard let host = try? WebURL("https://" + name.input).host else { continue }
            accepted += 1
            #expect(host.serialized == name.output, "\(name.input)")
        }
        #expect(!names.isEmpty && accepted >= atLeast, "accepted \(accepted)")
    }

    struct Punycode: Decodable {
        let decoded: String
        let encoded: String
    }

    @Test func `have punycode labels that decode and encode again`() throws {
        let labels: [Punycode] = try Vectors.cases("url/punycode_tests.json")
        #expect(labels.count >= 24)
        for label in labels where !label.decoded.unicodeScalars.allSatisfy(\.isASCII) {
            if let host = try? WebURL("https://\(label.decoded).example").host {
                #expect(host == .domain("xn--\(label.encoded.lowercased()).example"))
            }
            if let host = try? WebURL("https://xn--\(label.encoded).example").host {
                #expect(host == .domain("xn--\(label.encoded.lowercased()).example"))
            }
        }
    }

    struct Bare: Decodable { let decoded: String }

    @Test func `are refused for excessively long punycode`() throws {
        for label in try Vectors.cases("url/bad_punycode_tests.json", as: Bare.self) {
            #expect(throws: WebURL.ParseError.self) { try WebURL("https://\(label.decoded).example") }
        }
    }

    struct Length: Decodable {
        let input: String
        let failure: Bool
    }

    @Test func `are refused when a name is too long for DNS`() throws {
        for length in try Vectors.cases("url/verifydnslength_tests.json", as: Length.self) {
            if length.failure { #expect(throws: WebURL.ParseError.self) { try WebURL(length.input) } }
        }
    }

    struct Encoding: Decodable {
        let input: String
        let output: [String: String]
    }

    @Test func `have the query encoding of UTF-8`() throws {
        let encodings: [Encoding] = try Vectors.cases("url/percent-encoding.json")
        #expect(encodings.count >= 7)
        for encoding in encodings {
            guard let url = try? WebURL("https://example.com/?\(encoding.input)#\(encoding.input)") else { continue }
            #expect(url.query == encoding.output["utf-8"])
            #expect(url.fragment == encoding.output["utf-8"])
        }
    }

    @Test func `are refused where parsers disagree`() throws {
        let accepted = try Vectors.lines("url/orange-tsai-samples.txt").filter { !$0.hasPrefix("#") }.compactMap { try? WebURL($0) }
        #expect(accepted.allSatisfy { $0.isReadAlikeByOthers })
        #expect(
            accepted.map(\.serialized) == [
                "http://127.0.0.1/#@127.2.2.2/", "http://127.0.0.1/?@127.2.2.2/", "http://[::ffff:7f00:1]/", "http://[::7f00:1]/",
                "http://0.0.0.0/",
            ])
    }

    struct Payload: Decodable {
        struct Seen: Decodable {
            let `protocol`, hostname: String
        }
        let payload: String
        let absolute, chromium: Seen?
        let rfc3986_authority_host, python_urlsplit_host: String?
    }

    @Test func `have the same host in Chromium, Node, RFC 3986 and Python`() throws {
        let payloads: [Payload] = try Vectors.cases("redirect/payloads-labelled.json", under: "cases")
        #expect(payloads.count >= 685)
        var accepted = 0
        for one in payloads {
            guard let url = try? WebURL(one.payload) else { continue }
            accepted += 1
            #expect(url.hostForComparison == one.absolute?.hostname, "\(one.payload)")
            #expect(url.hostForComparison == one.chromium?.hostname, "\(one.payload)")
            #expect(url.scheme + ":" == one.chromium?.protocol, "\(one.payload)")
            #expect(url.isCanonical && url.isReadAlikeByOthers, "\(url)")
        }
        #expect(accepted >= 20, "accepted \(accepted)")
    }
}
