/// The steps of `WebURL.init`, in their order. Each takes linear time (X11).
extension WebURL {
    /// A part of the input as an array slice, which is faster to walk than a string.
    typealias Characters = ArraySlice<Unicode.Scalar>

    /// Refuses characters that no part of a URL may contain. Browsers remove or rewrite them, other
    /// parsers do not (R5).
    static func screened(_ input: String) throws(ParseError) -> Characters {
        guard !input.isEmpty else { throw .empty }
        guard input.utf8.count <= maxBytes else { throw .tooLong }
        var characters: [Unicode.Scalar] = []
        characters.reserveCapacity(input.utf8.count)
        var hexDigitsDue = 0
        for scalar in input.unicodeScalars {
            if hexDigitsDue > 0 {
                guard scalar.isASCIIHexDigit else { throw .malformedPercent }
                hexDigitsDue -= 1
            } else if scalar == "%" {
                hexDigitsDue = 2
            }
            guard scalar.isASCII ? scalar >= " " && scalar != "\u{7f}" : scalar.properties.generalCategory != .control else {
                throw .controlCharacter
            }
            guard scalar != " ", scalar.isASCII || !scalar.properties.isWhitespace else { throw .whitespace }
            guard scalar != "\\" else { throw .backslash }
            characters.append(scalar)
        }
        guard hexDigitsDue == 0 else { throw .malformedPercent }
        return characters[...]
    }

    /// Schemes that run scripts, read files, contain another URL, or are not for links (R8). They
    /// cannot be registered in the configuration either.
    static let forbiddenSchemes: Set<String> = [
        "about", "android-app", "blob", "chrome", "chrome-extension", "content", "data", "file", "filesystem", "ftp", "intent", "jar",
        "javascript", "mailto", "moz-extension", "res", "resource", "search-ms", "shell", "sms", "tel", "vbscript", "view-source", "ws",
        "wss",
    ]

    /// Whether an app may register this custom scheme: in lower case, without `://`, not forbidden.
    /// Source: RFC 8252, 7.1
    public static func isAppScheme(_ text: String) -> Bool {
        (try? WebURL(text + "://"))?.scheme == text
    }

    /// Whether a text of at most `maxBytes` begins with a scheme. This is the check of URLs that
    /// are never opened: the parser refuses some that browsers show, such as
    /// `https://example.com/?q=50%`.
    public static func isAbsolute(_ text: String) -> Bool {
        guard text.utf8.count <= maxBytes else { return false }
        let name = text.unicodeScalars.prefix { $0.isASCIIAlphanumeric || $0 == "+" || $0 == "-" || $0 == "." }
        return name.first?.isASCIILetter == true && text.unicodeScalars[name.endIndex...].first == ":"
    }

    /// Parses `scheme:` and removes it from the input. Source: RFC 3986, 3.1
    static func readScheme(_ rest: inout Characters) throws(ParseError) -> String {
        let name = rest.prefix { $0.isASCIIAlphanumeric || $0 == "+" || $0 == "-" || $0 == "." }
        guard let first = name.first, first.isASCIILetter, rest[name.endIndex...].first == ":" else { throw .missingScheme }
        let scheme = name.map(\.asciiLowercased).ascii
        guard !forbiddenSchemes.contains(scheme) else { throw .forbiddenScheme }
        rest = rest[name.endIndex...].dropFirst()
        return scheme
    }

    /// Parses `host` or `host:port`; the scheme's default port becomes nil.
    static func readAuthority(_ authority: Characters, scheme: String) throws(ParseError) -> (Host, UInt16?) {
        guard !authority.contains("@") else { throw .userInfo }
        let isBracketed = authority.first == "["
        let afterBracket = isBracketed ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : authority.startIndex
        guard let afterBracket else { throw .malformedIPv6 }
        guard let colon = authority[afterBracket...].firstIndex(of: ":") else { return (try Host(authority), nil) }
        let port = try readPort(authority[colon...].dropFirst())
        return (try Host(authority[..<colon]), port == defaultPort(of: scheme) ? nil : port)
    }

    private static func readPort(_ digits: Characters) throws(ParseError) -> UInt16 {
        guard digits.allSatisfy(\.isASCIIDigit), digits.first != "0", let port = UInt16(digits.ascii) else { throw .malformedPort }
        return port
    }

    /// Parses the authority of an app's URL. Its case is kept, because such a host is opaque to
    /// browsers.
    static func readAppAuthority(_ authority: Characters) throws(ParseError) -> Host? {
        guard !authority.contains("@") else { throw .userInfo }
        guard authority.allSatisfy({ $0.isASCIIAlphanumeric || $0 == "-" || $0 == "." || $0 == "_" }) else { throw .appAuthority }
        return authority.isEmpty ? nil : .opaque(authority.ascii)
    }

    /// Splits a text at the first delimiter; `after` is nil if there is none.
    static func cut(_ text: Characters, at delimiter: Unicode.Scalar) -> (before: Characters, after: Characters?) {
        guard let index = text.firstIndex(of: delimiter) else { return (text, nil) }
        return (text[..<index], text[index...].dropFirst())
    }

    /// Removes the segments `.` and `..`, even if spelled `%2e`, as browsers do.
    static func withoutDotSegments(_ path: String) -> String {
        guard path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else { return path }
        var kept: [Substring] = []
        var endsInSlash = false
        for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let dots = dotCount(of: segment)
            endsInSlash = dots > 0
            if dots == 2 { _ = kept.popLast() } else if dots == 0 { kept.append(segment) }
        }
        if endsInSlash { kept.append("") }
        return kept.map { "/" + $0 }.joined()
    }

    /// The number of dots in a segment that consists of one or two, each of them `.` or `%2e`; 0
    /// for other segments. It compares bytes, because a path may have thousands of segments (X11).
    private static func dotCount(of segment: Substring) -> Int {
        var rest = segment.utf8
        var count = 0
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.popFirst() == UInt8(ascii: "2"), let digit = rest.popFirst(), digit | 0x20 == UInt8(ascii: "e") else { return 0 }
            } else if byte != UInt8(ascii: ".") {
                return 0
            }
            count += 1
            guard count <= 2 else { return 0 }
        }
        return count
    }
}
