/// The steps of `WebURL.init`, in its order. Each looks at every byte at most a fixed number of times (X11).
extension WebURL {
    /// A part of the input: with its characters in a row, each step is a walk over an array.
    typealias Characters = ArraySlice<Unicode.Scalar>

    /// Refuses what no part of a URL may contain. Browsers drop, trim or rewrite these, other readers do not (R5).
    static func screened(_ input: String) throws(Unreadable) -> Characters {
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

    /// Schemes that run script, read files, wrap another URL, or are not for links at all (R8). Not even an operator can register one.
    static let forbiddenSchemes: Set<String> = [
        "about", "android-app", "blob", "chrome", "chrome-extension", "content", "data", "file", "filesystem", "ftp", "intent", "jar",
        "javascript", "mailto", "moz-extension", "res", "resource", "search-ms", "shell", "sms", "tel", "vbscript", "view-source", "ws",
        "wss",
    ]

    /// Whether an app may register this as its custom scheme: lower case, without `://`, and not forbidden.
    /// Source: RFC 8252, 7.1
    package static func isAppScheme(_ text: String) -> Bool {
        (try? WebURL(text + "://"))?.scheme == text
    }

    /// Takes `scheme:` from the front. Source: RFC 3986, 3.1
    static func readScheme(_ rest: inout Characters) throws(Unreadable) -> String {
        let name = rest.prefix { $0.isASCIIAlphanumeric || $0 == "+" || $0 == "-" || $0 == "." }
        guard let first = name.first, first.isASCIILetter, rest[name.endIndex...].first == ":" else { throw .missingScheme }
        let scheme = name.map(\.asciiLowercased).ascii
        guard !forbiddenSchemes.contains(scheme) else { throw .forbiddenScheme }
        rest = rest[name.endIndex...].dropFirst()
        return scheme
    }

    /// Reads `host` or `host:port`; a port that is the scheme's default becomes nil.
    static func readAuthority(_ authority: Characters, scheme: String) throws(Unreadable) -> (Host, UInt16?) {
        guard !authority.contains("@") else { throw .userInfo }
        let isBracketed = authority.first == "["
        let afterBracket = isBracketed ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : authority.startIndex
        guard let afterBracket else { throw .malformedIPv6 }
        guard let colon = authority[afterBracket...].firstIndex(of: ":") else { return (try Host(authority), nil) }
        let port = try readPort(authority[colon...].dropFirst())
        return (try Host(authority[..<colon]), port == defaultPort(of: scheme) ? nil : port)
    }

    private static func readPort(_ digits: Characters) throws(Unreadable) -> UInt16 {
        guard digits.allSatisfy(\.isASCIIDigit), digits.first != "0", let port = UInt16(digits.ascii) else { throw .malformedPort }
        return port
    }

    /// Reads what follows an app's `scheme://`. To a browser this host is opaque, so its letters keep their case.
    static func readAppAuthority(_ authority: Characters) throws(Unreadable) -> Host? {
        guard !authority.contains("@") else { throw .userInfo }
        guard authority.allSatisfy({ $0.isASCIIAlphanumeric || $0 == "-" || $0 == "." || $0 == "_" }) else { throw .appAuthority }
        return authority.isEmpty ? nil : .opaque(authority.ascii)
    }

    /// What stands before the first of a delimiter, and what after it; nil where there is none.
    static func cut(_ text: Characters, at delimiter: Unicode.Scalar) -> (before: Characters, after: Characters?) {
        guard let index = text.firstIndex(of: delimiter) else { return (text, nil) }
        return (text[..<index], text[index...].dropFirst())
    }

    /// Removes `.` and `..`, also in the spelling `%2e`, as browsers do before they send a request.
    static func withoutDotSegments(_ path: String) -> String {
        guard path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else { return path }
        var kept: [Substring] = []
        var endsInSlash = false
        for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let plain = segment.utf8.count > 6 ? segment : segment.replacing("%2e", with: ".").replacing("%2E", with: ".")
            endsInSlash = plain == "." || plain == ".."
            if plain == ".." { _ = kept.popLast() } else if plain != "." { kept.append(segment) }
        }
        if endsInSlash { kept.append("") }
        return kept.map { "/" + $0 }.joined()
    }
}
