package import WebURL

extension AuthorizedDomains {
    /// A configuration entry that is refused at start because it would allow more or less than it
    /// appears to (R13).
    package struct BadEntry: Error, Sendable, Hashable {
        package enum Reason: Sendable, Hashable {
            case scheme, path, wildcard, range, userInfo, bareIPv6, port, publicSuffix, topLevel
            case unreadable(WebURL.ParseError)
            /// A custom scheme that an app cannot register, or that is unsafe.
            case notAnAppScheme
        }

        /// The entry as written.
        package let entry: String
        package let reason: Reason
        /// The entry that was probably meant; nil if unknown.
        package let instead: String?

        init(_ entry: String, _ reason: Reason, instead: String? = nil) {
            (self.entry, self.reason) = (entry, reason)
            self.instead = instead.flatMap { try? Entry($0).text }
        }

        /// An explanation of the error and of what to write instead, in one or two sentences.
        package var explanation: String {
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
