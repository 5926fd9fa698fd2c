public import Base

extension AuthorizedDomains {
    /// One entry of the list, parsed and checked.
    struct Entry: Sendable, Hashable {
        enum Ports: Sendable, Hashable {
            /// The scheme's default port; on this machine, any port (RFC 8252, 7.3).
            case usual
            case only(UInt16)
            case any
        }

        /// The entry as written in the configuration.
        let text: String
        let host: WebURL.Host
        let isExact: Bool
        let ports: Ports

        /// Whether the entry allows a connection to this host and port.
        func covers(_ other: WebURL.Host, port: UInt16, isDefault: Bool) -> Bool {
            guard covers(other) else { return false }
            return switch ports {
            case .usual: isDefault || host.isLoopback
            case .only(let only): port == only
            case .any: true
            }
        }

        /// Whether the entry covers a host, regardless of the port. Sub-domains are compared label
        /// by label (R3); addresses and `localhost` have none.
        func covers(_ other: WebURL.Host) -> Bool {
            if host == other { return true }
            guard !isExact, !host.isLoopback, case .domain(let parent) = host, case .domain(let name) = other else { return false }
            let rest = name.utf8.dropLast(parent.utf8.count)
            return rest.last == UInt8(ascii: ".") && name.utf8[rest.endIndex...].elementsEqual(parent.utf8)
        }

        /// The narrowest entry that covers a host, or nil if no entry may cover it.
        static func text(covering host: WebURL.Host, port: UInt16?) -> String? {
            let suffix = port.map { host.isLoopback ? "" : ":\($0)" } ?? ""
            return [host.serialized + suffix, "=" + host.serialized + suffix].first { (try? Entry($0)) != nil }
        }
    }
}

extension AuthorizedDomains.Entry {
    init(_ text: String) throws(AuthorizedDomains.BadEntry) {
        self.text = text
        isExact = text.hasPrefix("=")
        let (name, ports) = try Self.split(text, bare: isExact ? text.dropFirst() : text[...])
        self.ports = ports
        do throws(WebURL.ParseError) {
            // One parser reads hosts here and in links, so both follow one grammar.
            let url = try WebURL("https://" + name)
            guard let host = url.host else { throw .missingHost }
            guard url.serialized == url.origin + "/" else { throw .hostCharacter }
            self.host = host
        } catch {
            throw .init(text, .unreadable(error))
        }
        guard case .domain(let domain) = host, !host.isLoopback else { return }
        guard !PublicSuffix.isPublicSuffix(domain) else { throw .init(text, .publicSuffix) }
        guard isExact || domain.contains(".") else { throw .init(text, .topLevel, instead: "=" + text) }
    }

    /// Separates the port from the name, and refuses characters that a host may not contain, with
    /// the entry that was probably meant.
    private static func split(_ text: String, bare: Substring) throws(AuthorizedDomains.BadEntry) -> (name: Substring, ports: Ports) {
        if let scheme = bare.firstRange(of: "://") {
            throw .init(text, .scheme, instead: String(bare[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }))
        }
        if bare.hasPrefix("*.") || bare.hasPrefix(".") {
            throw .init(text, .wildcard, instead: String(bare.drop { $0 == "*" || $0 == "." }))
        }
        if let path = bare.firstIndex(where: { $0 == "/" || $0 == "?" || $0 == "#" }) {
            let isRange = !bare[path...].dropFirst().isEmpty && bare[path...].dropFirst().allSatisfy(\.isNumber)
            throw .init(text, isRange ? .range : .path, instead: isRange ? nil : String(bare[..<path]))
        }
        if bare.contains("@") { throw .init(text, .userInfo, instead: bare.split(separator: "@").last.map(String.init)) }

        let colons = bare.count { $0 == ":" }
        if colons > 1, !bare.hasPrefix("[") { throw .init(text, .bareIPv6, instead: "[\(bare)]") }
        let afterBracket = bare.lastIndex(of: "]") ?? bare.startIndex
        guard let colon = bare[afterBracket...].firstIndex(of: ":") else {
            guard !bare.contains("*") else { throw .init(text, .wildcard) }
            return (bare, .usual)
        }
        let (name, port) = (bare[..<colon], bare[colon...].dropFirst())
        guard !name.contains("*") else { throw .init(text, .wildcard) }
        if port == "*" { return (name, .any) }
        guard port.allSatisfy({ $0.isASCII && $0.isNumber }), port.first != "0", let number = UInt16(port) else { throw .init(text, .port) }
        return (name, .only(number))
    }
}

extension AuthorizedDomains {
    /// A configuration entry that is refused at start because it would allow more or less than it
    /// appears to (R13).
    public struct BadEntry: Error, Sendable, Hashable {
        public enum Reason: Sendable, Hashable {
            case scheme, path, wildcard, range, userInfo, bareIPv6, port, publicSuffix, topLevel
            case unreadable(WebURL.ParseError)
            /// A custom scheme that an app cannot register, or that is unsafe.
            case notAnAppScheme
        }

        /// The entry as written.
        public let entry: String
        public let reason: Reason
        /// The entry that was probably meant; nil if unknown.
        public let instead: String?

        init(_ entry: String, _ reason: Reason, instead: String? = nil) {
            (self.entry, self.reason) = (entry, reason)
            self.instead = instead.flatMap { try? Entry($0).text }
        }

        /// An explanation of the error and of what to write instead, in one or two sentences.
        public var explanation: String {
            "The entry \"\(entry)\" \(fault)." + (instead.map { " Write \"\($0)\"." } ?? "")
        }

        private var fault: String {
            switch reason {
            case .scheme: "names a scheme; an entry is a bare host, and hosts for plain http have a list of their own"
            case .path: "names a path; an entry is a bare host and covers every path"
            case .wildcard: "contains a wildcard; an entry covers its sub-domains anyway, and :* covers every port"
            case .range: "is a range of addresses; list each address"
            case .userInfo: "contains an @; an entry is a bare host"
            case .bareIPv6: "is an IPv6 address without brackets"
            case .port: "has a port that is neither a number from 1 to 65535 nor *"
            case .publicSuffix: "is a public suffix, under which anyone can register a host; name your own host below it"
            case .topLevel: "is a top-level name and would cover all hosts below it; an = in front covers it alone"
            case .unreadable(let error): "is not a host: " + error.explanation.dropLast()
            case .notAnAppScheme: "is not the scheme of an app, such as com.example.app in lower case"
            }
        }
    }
}
