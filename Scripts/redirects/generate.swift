import Glibc

/// Makes URLs from a seed, decides about each as a continue URL, and prints those that Onward would
/// emit, one a line: the origin that Onward takes it for, and the text. Of those that it refuses it
/// prints one in a hundred: the reason, and the text in hexadecimal.
///
///     generate SEED COUNT < SAMPLES      texts that end with a zero byte

private struct Generator {
    var state: UInt64

    /// SplitMix64. Source: Steele, Lea and Flood, 2014.
    mutating func next(below bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }

    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[next(below: choices.count)] }

    /// The first choice most often.
    mutating func mostly(_ choices: [String]) -> String { next(below: 6) > 0 ? choices[0] : pick(choices) }
}

private let domains = try! AuthorizedDomains(
    ["app.example.com", "=one.example.net", "ports.example.org:*", "bücher.example", "localhost", "[::1]", "127.0.0.1"],
    schemes: ["com.example.app"], plainHTTP: ["plain.example.com"])
private let hosts = [
    "app.example.com", "sub.app.example.com", "one.example.net", "ports.example.org:8443", "bücher.example", "xn--bcher-kva.example",
    "localhost:5173", "[::1]", "[::1]:80", "127.0.0.1", "127.0.0.1:443", "plain.example.com", "APP.example.COM", "app.example.com.",
    "app.example.com:443", "app。example。com", "ａｐｐ.example.com", "app.ex\u{AD}ample.com", "app%2Eexample.com", "[0:0:0:0:0:0:0:1]", "127.1", "0x7f.1",
    "2130706433", "evil.test", "app.example.com.evil.test", "evil.test:443", "app.example.com@evil.test", "evil.test#app.example.com", "e𝒳ample.com",
    "a_b.app.example.com", "-a.app.example.com", "xn--a.app.example.com", "app.example.com:", "app.example.com:0443", "app.example.com:65536",
    "faß.app.example.com", "☃.app.example.com", "%61pp.example.com", "[::ffff:127.0.0.1]", "[::1%25eth0]", "b\u{200D}ücher.example",
]
private let marks: [Unicode.Scalar] = Array(
    "/\\@:?#%.;,[]<>\"'`{}|^~&=+-_ \t\n\r\u{0}\u{1}\u{7F}\u{80}\u{A0}\u{AD}\u{130}\u{2024}\u{3002}\u{FF0E}\u{FF0F}\u{FF20}\u{FF1A}\u{FF03}\u{FF3C}\u{200B}\u{200D}\u{2028}\u{202E}\u{FEFF}\u{FFFD}\u{1F600}\u{E0061}"
        .unicodeScalars)

extension Generator {
    private mutating func mark() -> String { String(String.UnicodeScalarView([pick(marks)])) }

    private mutating func piece() -> String {
        switch next(below: 8) {
        case 0: mark()
        case 1: pick(["%2f", "%5C", "%00", "%0d%0a", "%25", "%", "%u002f", "%E2%80%AE", "..", ".", "%2e%2E", "//", "/\\", "@evil.test", "javascript:"])
        case 2: String(UnicodeScalar(UInt32(next(below: 0x2FF))) ?? "x")
        default: pick(["a", "page", "Ä", "x y", "1", "index.html", "s;v=1", "b"])
        }
    }

    /// A URL by the grammar, with strange parts now and then.
    private mutating func url() -> String {
        var text = mostly(["https:", "http:", "HTTPS:", "hTtP:", "com.example.app:", "javascript:", "data:", "ftp:", "file:", "", " https:", "ht\ttps:", "https"])
        text += mostly(["//", "//", "/", "", "\\\\", "/\\", "///", "\\/", "//\t", "\t//"])
        if next(below: 12) == 0 { text += mostly(["u@", "u:p@", "@", ":@", "%40@", "app.example.com@", "u@v@"]) }
        text += pick(hosts)
        if next(below: 4) > 0 {
            text += mostly(["/", "/", "\\", "", "/.", "/.."])
            for _ in 0..<next(below: 4) { text += piece() + mostly(["/", "", "\\"]) }
        }
        if next(below: 3) == 0 { text += "?" + piece() + mostly(["=", "&", ""]) + piece() }
        if next(below: 4) == 0 { text += "#" + piece() }
        return text
    }

    mutating func text(from samples: [String]) -> String {
        var text = samples.isEmpty || next(below: 4) > 0 ? url() : pick(samples)
        guard next(below: 2) == 0 else { return text }
        for _ in 0...next(below: 2) {
            let place = text.unicodeScalars.index(text.unicodeScalars.startIndex, offsetBy: next(below: text.unicodeScalars.count + 1))
            switch next(below: 4) {
            case 0 where place < text.unicodeScalars.endIndex: text.unicodeScalars.remove(at: place)
            case 1 where !samples.isEmpty: text = String(text.unicodeScalars[..<place]) + pick(samples)
            default: text.unicodeScalars.insert(contentsOf: mark().unicodeScalars, at: place)
            }
        }
        return text
    }
}

extension AuthorizedDomains.NotAuthorized {
    fileprivate var name: String {
        switch self {
        case .unreadable(let error): "unreadable.\(error)"
        case .notListed: "notListed"
        case .scheme: "scheme"
        }
    }
}

@main enum Generate {
    static func main() {
        var bytes: [UInt8] = []
        while case let character = getchar(), character >= 0 { bytes.append(UInt8(character)) }
        let samples = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        var generator = Generator(state: UInt64(CommandLine.arguments[1])!)
        for number in 0..<Int(CommandLine.arguments[2])! {
            let text = generator.text(from: samples)
            do throws(AuthorizedDomains.NotAuthorized) {
                let url = try domains.authorize(text)
                for emitted in [url.serialized, url.appending(query: [("mode", "a b&")]).serialized, url.serialized(withFragment: [("k", "#/\\@")])] {
                    print("+\(url.url.origin)\t\(emitted)")
                }
            } catch {
                guard number % 100 == 0 else { continue }
                let hexadecimal = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                print("-\(error.name)\t\(hexadecimal)")
            }
        }
    }
}
