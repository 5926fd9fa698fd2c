extension WebURL {
    /// A host in its canonical form, in which it may be compared.
    public enum Host: Sendable, Hashable {
        /// A domain name in ASCII and lower case, with labels of letters, digits and hyphens; at
        /// most 253 characters, no trailing dot.
        case domain(String)
        case address(IPAddress)
        /// The authority of an app's URL, a name that only the app interprets.
        case opaque(String)

        public var serialized: String {
            switch self {
            case .domain(let name), .opaque(let name): name
            case .address(let address): address.isIPv6 ? "[\(address)]" : address.description
            }
        }

        /// Whether a connection stays on this machine: `localhost`, 127.0.0.0/8 and ::1.
        public var isLoopback: Bool {
            switch self {
            case .domain(let name): name == "localhost"
            case .address(let address): address.isLoopback
            case .opaque: false
            }
        }
    }
}

extension WebURL.Host {
    /// The ASCII form of a domain name, in lower case; nil if the text is not a domain name.
    public static func asciiDomain(_ text: String) -> String? {
        guard case .domain(let name) = try? Self(WebURL.Characters(text.unicodeScalars)) else { return nil }
        return name
    }

    /// The Unicode form of a domain name in ASCII; nil if it has none, or none that leads back to
    /// the name.
    public static func unicodeDomain(_ name: String) -> String? { InternationalName.unicode(of: name) }

    /// Parses the host of an http or https URL.
    init(_ text: WebURL.Characters) throws(WebURL.ParseError) {
        guard let first = text.first else { throw .missingHost }
        if first == "[" {
            guard text.last == "]", let address = IPAddress(ipv6: text.dropFirst().dropLast().text[...]) else { throw .malformedIPv6 }
            self = .address(address)
            return
        }
        guard !text.contains("%") else { throw .percentInHost }
        guard text.allSatisfy({ !$0.isASCII || $0.isASCIIAlphanumeric || $0 == "-" || $0 == "." }) else { throw .hostCharacter }

        let name = try InternationalName.ascii(of: text)
        guard let end = name.last, end != "." else { throw .trailingDot }
        var label = name
        while let dot = label.firstIndex(of: ".") {
            try Self.check(label[..<dot])
            label = label[dot...].dropFirst()
        }
        try Self.check(label)
        guard name.count <= 253 else { throw .longName }

        if Self.isNumber(label) {
            guard let address = IPAddress(ipv4: name.ascii[...]) else { throw .numericHost }
            self = .address(address)
        } else {
            self = .domain(name.ascii)
        }
    }

    /// Checks that a label consists of letters, digits and hyphens. Source: RFC 1123, 2.1; RFC
    /// 1034, 3.5
    private static func check(_ label: WebURL.Characters) throws(WebURL.ParseError) {
        guard !label.isEmpty else { throw .emptyLabel }
        guard label.count <= 63 else { throw .longLabel }
        guard label.allSatisfy({ $0.isASCIIAlphanumeric || $0 == "-" }) else { throw .internationalName }
        guard label.first != "-", label.last != "-" else { throw .hyphenAtEdge }
    }

    /// Whether browsers parse a name that ends in this label as an IPv4 address, in decimal, octal
    /// or hexadecimal. Source: https://url.spec.whatwg.org/#ends-in-a-number-checker
    private static func isNumber(_ label: WebURL.Characters) -> Bool {
        label.allSatisfy { $0.isASCIIDigit } || label.starts(with: ["0", "x"]) && label.dropFirst(2).allSatisfy { $0.isASCIIHexDigit }
    }
}
