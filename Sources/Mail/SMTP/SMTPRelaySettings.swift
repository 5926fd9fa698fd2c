internal import Base
public import Network

/// A relay as it is configured.
public struct SMTPRelaySettings: Sendable, Hashable {
    /// Whether an smtp relay has to offer TLS.
    public enum StartTLS: String, Sendable, Hashable, CaseIterable { case required, never }

    public enum Invalid: Error, Hashable {
        case notAURL
        case unknownScheme(String)
        /// User and password belong to their own keys, because URLs are logged.
        case credentialsInURL
        /// Nothing may follow the port.
        case pathInURL
        /// `starttls` was given for an smtps URL, which always has TLS.
        case startTLSWithImplicitTLS
        /// The relay is on another machine, and the connection to it would not be encrypted.
        case credentialsInClear
        case heloName(String)
        case pinnedPublicKey
        /// A user or password with a control character.
        case credentials
        case limit(String)
    }

    /// The port of message submission, and that of submission inside TLS. Source: RFC 6409, RFC
    /// 8314.
    public static let defaultPort: UInt16 = 587
    public static let defaultPortInsideTLS: UInt16 = 465

    public let endpoint: SMTPEndpoint
    public let credentials: SMTPCredentials?
    /// The number of mails that are handed over in any minute at most; nil for no limit.
    public let ratePerMinute: Int?
    /// The number of connections at most.
    public let maxConnections: Int
    public let limits: SMTPLimits
    /// Whether connections to the relay stay on this machine.
    let isLoopback: Bool

    /// - Parameters:
    ///   - url: `smtp://HOST[:PORT]` or `smtps://HOST[:PORT]`.
    ///   - startTLS: nil for `never` if the relay is on this machine, otherwise for `required`.
    ///   - heloName: the name that this machine calls itself, or its address.
    public init(
        url: String, startTLS: StartTLS? = nil, heloName: String, credentials: SMTPCredentials? = nil, caFile: String? = nil,
        pinnedPublicKey: String? = nil, ratePerMinute: Int? = nil, maxConnections: Int = 4, limits: SMTPLimits = SMTPLimits()
    ) throws(Invalid) {
        let (scheme, host, port) = try Self.parse(url)
        let isImplicit = scheme == "smtps"
        if isImplicit, startTLS != nil { throw .startTLSWithImplicitTLS }
        let encryption: SMTPEndpoint.Encryption =
            isImplicit ? .implicit : startTLS ?? (host.isLoopback ? .never : .required) == .required ? .startTLS : .none
        guard credentials == nil || encryption != .none || host.isLoopback else { throw .credentialsInClear }
        guard let heloName = Self.heloName(heloName) else { throw .heloName(heloName) }
        guard pinnedPublicKey?.wholeMatch(of: #/sha256//[A-Za-z0-9+/]{43}=(;sha256//[A-Za-z0-9+/]{43}=)*/#) != nil || pinnedPublicKey == nil
        else { throw .pinnedPublicKey }
        if case .password(let user, let password) = credentials, !Self.isClean(user) || !Self.isClean(password) { throw .credentials }
        if case .tokenFile(let user, _) = credentials, !Self.isClean(user) { throw .credentials }
        guard ratePerMinute.map({ (1...1_000_000).contains($0) }) ?? true else { throw .limit("the rate is from 1 to 1000000 a minute") }
        guard (1...64).contains(maxConnections) else { throw .limit("the connections are from 1 to 64") }
        endpoint = SMTPEndpoint(
            host: host.serialized, port: port ?? (isImplicit ? Self.defaultPortInsideTLS : Self.defaultPort), encryption: encryption,
            heloName: heloName, caFile: caFile, pinnedPublicKey: pinnedPublicKey)
        isLoopback = host.isLoopback
        self.credentials = credentials
        self.ratePerMinute = ratePerMinute
        self.maxConnections = maxConnections
        self.limits = limits
    }

    /// Reads scheme, host and port with the parser of web URLs, so that a host has one grammar.
    private static func parse(_ url: String) throws(Invalid) -> (scheme: String, host: WebURL.Host, port: UInt16?) {
        guard let mark = url.firstRange(of: "://") else { throw .notAURL }
        let scheme = url[..<mark.lowerBound].lowercased()
        guard scheme == "smtp" || scheme == "smtps" else { throw .unknownScheme(scheme) }
        let authority = url[mark.upperBound...]
        guard !authority.contains("@") else { throw .credentialsInURL }
        // Each of the two parsers leaves out its own default port.
        guard let web = try? WebURL("http://\(authority)"), let secure = try? WebURL("https://\(authority)"), let host = web.host else {
            throw .notAURL
        }
        guard web.path == "/", web.query == nil, web.fragment == nil else { throw .pathInURL }
        return (scheme, host, web.port ?? secure.port)
    }

    /// A name, or an address as a literal, in the form that follows EHLO; nil if it is neither.
    /// Source: RFC 5321 section 4.1.3.
    private static func heloName(_ name: String) -> String? {
        let bare = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast().trimmingPrefix("IPv6:")) : name
        if case .address(let address) = try? WebURL("http://\(bare.contains(":") ? "[\(bare)]" : bare)").host {
            return address.isIPv6 ? "[IPv6:\(address)]" : "[\(address)]"
        }
        let isName = name.utf8.count <= 255 && name.wholeMatch(of: /[A-Za-z0-9]([A-Za-z0-9.\-]*[A-Za-z0-9])?/) != nil
        return isName ? name : nil
    }

    private static func isClean(_ text: String) -> Bool { text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
}

extension SMTPRelaySettings.Invalid: CustomStringConvertible {
    /// The error as a sentence without its subject, for the operator.
    public var description: String {
        switch self {
        case .notAURL: "is not a URL; write it as smtp://mail.example.com:587"
        case .unknownScheme(let scheme): "has the scheme \(scheme); use smtp or smtps"
        case .credentialsInURL: "contains credentials; use the keys user and password"
        case .pathInURL: "has text after the port; remove it"
        case .startTLSWithImplicitTLS: "is smtps, which always has TLS; remove starttls"
        case .credentialsInClear: "would receive credentials without TLS; remove starttls: never"
        case .heloName(let name): "would be greeted as \(name), which is not a host name"
        case .pinnedPublicKey: "has a pinned key that is not sha256// and 44 characters of base64; separate several by ;"
        case .credentials: "has a user or password with a control character"
        case .limit(let text): text
        }
    }
}
