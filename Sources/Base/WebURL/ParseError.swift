extension WebURL {
    /// The reason why a text is not accepted as a URL.
    public enum ParseError: String, Error, Sendable, Hashable, CaseIterable {
        case empty, tooLong, controlCharacter, whitespace, backslash, malformedPercent
        case missingScheme, forbiddenScheme, missingSlashes, extraSlashes
        case userInfo, malformedPort, malformedIPv6
        case missingHost, percentInHost, hostCharacter, emptyLabel, trailingDot, hyphenAtEdge, longLabel, longName
        case numericHost, internationalName, appAuthority

        /// A sentence for a page, a log or the command line.
        public var explanation: String {
            switch self {
            case .empty: "The URL is empty."
            case .tooLong: "The URL is longer than \(WebURL.maxBytes) bytes."
            case .controlCharacter: "The URL contains a control character, such as a tab or a line break."
            case .whitespace: "The URL contains a space; write %20."
            case .backslash: "The URL contains a backslash, which some readers take for a slash; write %5C."
            case .malformedPercent: "The URL contains a % that is not followed by two hexadecimal digits; write %25."
            case .missingScheme: "The URL does not begin with a scheme such as https://."
            case .forbiddenScheme: "The URL's scheme cannot lead to a page or an app."
            case .missingSlashes: "Two slashes must follow the URL's scheme, as in https://example.com."
            case .extraSlashes: "Only two slashes may follow the URL's scheme, as in https://example.com."
            case .userInfo: "The URL contains a user name or an @ before the host."
            case .malformedPort: "The URL's port is not a number from 1 to 65535 without leading zeros."
            case .malformedIPv6: "The URL's host is not an IPv6 address in brackets, such as [::1]; zones are not allowed."
            case .missingHost: "The URL has no host."
            case .percentInHost: "The URL's host contains a percent-encoded character."
            case .hostCharacter: "The URL's host may contain letters, digits, hyphens and dots only."
            case .emptyLabel: "The URL's host contains two dots in a row, or begins with one."
            case .trailingDot: "The URL's host ends in a dot."
            case .hyphenAtEdge: "A part of the URL's host begins or ends with a hyphen."
            case .longLabel: "A part of the URL's host is longer than 63 characters."
            case .longName: "The URL's host is longer than 253 characters."
            case .numericHost: "The URL's host ends in a number and is not an IPv4 address of four decimal numbers, such as 192.0.2.1."
            case .internationalName:
                "The URL's host is not an international domain name in its normal form; write it with xn--. Emoji are not allowed."
            case .appAuthority: "The part after an app's scheme may contain letters, digits, hyphens, dots and underscores only."
            }
        }
    }
}
