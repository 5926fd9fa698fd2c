import Base
import Testing

@Suite struct `A random web URL` {
    private static let pieces =
        [
            "https://", "http://", "HTTP:", "myapp://", "javascript:", "//", "/", "\\", "@", ":", "?", "#", "&", "=", "%", "%2e", "%2f",
            "%00", ".", "..",
            "example", "example.com", "evil.example", "localhost", "127.0.0.1", "0x7f", "1", "[::1]", "[", "]", "xn--", "xn--fa-hia", "faß",
            "ſ", "K", "。",
            "\u{AD}", "\u{200D}", "\u{202E}", "İ", "Σ", "ß", "💡", "ü", "u\u{308}", ":443", ":80", ":8443", "-", "_", "a", "Z", "'", "\"",
            "<", "{", "|", "^", "`", "+",
            " ", "\t", "\u{0}", "\u{A0}", ";", ",", "$", "!", "*", "(", "~",
        ]

    /// R2: a parsed serialization is the same value, and other parsers find the same host in it.
    @Test(arguments: 0..<4) func `is parsed back from its serialization`(seed: UInt64) {
        var random = SplitMix(state: seed)
        var accepted = 0
        for _ in 0..<4_000 {
            let start =
                Bool.random(using: &random) ? "https://" + ["a", "a.example", "ü.example", "127.0.0.1"].randomElement(using: &random)! : ""
            let text = (0..<Int.random(in: 1...7, using: &random)).reduce(start) { text, _ in
                text + Self.pieces.randomElement(using: &random)!
            }
            guard let url = try? WebURL(text) else { continue }
            accepted += 1
            if !url.isCanonical || !url.isReadAlikeByOthers { Issue.record("\(text.debugDescription) became \(url)") }
        }
        #expect(accepted > 150, "accepted \(accepted)")
    }

    /// R3 to R5: no additional character makes another parser find a host that ours does not.
    @Test(arguments: [
        "https://app.example.com/a?b=https://evil.example#c", "http://127.0.0.1:80/", "https://[::1]:8443", "com.example.app://welcome/x",
    ])
    func `has one host for all parsers after adding any character`(text: String) {
        let scalars =
            (0...0x7F).compactMap(Unicode.Scalar.init) + [
                "\u{80}", "\u{A0}", "\u{AD}", "\u{DF}", "\u{2028}", "\u{2044}", "\u{2100}", "\u{3002}", "\u{FF0F}", "\u{FF20}", "\u{FF61}",
                "\u{FEFF}", "\u{E0001}",
            ]
        for scalar in scalars {
            for index in 0...text.unicodeScalars.count {
                var longer = Array(text.unicodeScalars)
                longer.insert(scalar, at: index)
                guard let url = try? WebURL(String(String.UnicodeScalarView(longer))) else { continue }
                if !url.isCanonical || !url.isReadAlikeByOthers { Issue.record("\(scalar.debugDescription) at \(index) became \(url)") }
            }
        }
    }
}

/// Pseudorandom numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
