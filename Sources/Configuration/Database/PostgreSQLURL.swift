import Foundation
import PostgreSQL

/// The parts of a PostgreSQL database's URL that Onward itself reads; libpq reads the URL again
/// when it connects. There may be several hosts, separated by commas.
///
/// Source: postgresql.org/docs/15/libpq-connect.html#id-1.7.3.8.3.6
public struct PostgreSQLURL: Sendable, Hashable {
    public struct Server: Sendable, Hashable, CustomStringConvertible {
        /// A name, an IP address, or the folder of a Unix socket, which begins with a slash.
        public let host: String
        public let port: String

        var isLocal: Bool { host.hasPrefix("/") || host == "localhost" || host == "::1" || host.hasPrefix("127.") }
        public var description: String {
            host.hasPrefix("/") ? "\(host)/.s.PGSQL.\(port)" : "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
    }

    /// The URL as it is given to libpq.
    public let text: String
    public let user: String?
    /// The hosts in the order in which they are tried. Empty if a service file names them.
    public let servers: [Server]
    public let database: String?
    public let parameters: [String: String]
    public let hasPassword: Bool

    /// `ssl=true` of Java's URLs is read, too.
    private static let names = PostgreSQLDatabase.parameterNames + ["ssl"]

    public static func hasScheme(_ text: String) -> Bool { text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") }

    public init(_ text: String) throws(SettingError) {
        guard Self.hasScheme(text), let colon = text.firstIndex(of: ":") else {
            throw SettingError("expected a URL that begins with postgres://, such as postgres://onward@db.example.com/onward")
        }
        var rest = text[text.index(colon, offsetBy: 3)...]
        var authority = rest.prefix { $0 != "/" && $0 != "@" }
        var (user, password) = (String?.none, String?.none)
        if rest.dropFirst(authority.count).first == "@" {
            let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            user = try Self.decoded(parts[0])
            password = parts.count > 1 ? String(parts[1]) : nil
            rest = rest.dropFirst(authority.count + 1)
            authority = rest.prefix { $0 != "/" && $0 != "?" }
        } else {
            authority = rest.prefix { $0 != "/" && $0 != "?" }
        }
        rest = rest.dropFirst(authority.count)
        let path = rest.prefix { $0 != "?" }.dropFirst()
        var parameters: [String: String] = [:]
        for item in rest.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { throw SettingError("expected name=value after the ? of the URL, separated by &") }
            let name = try Self.decoded(pair[0])
            guard Self.names.contains(name) else {
                let nearest = Spelling.nearest(to: name, among: Self.names).map { "; did you mean \($0)?" } ?? ""
                throw SettingError("\(name) is no parameter of a PostgreSQL URL\(nearest)")
            }
            parameters[name] = try Self.decoded(pair[1])
        }
        self.text = text
        self.user = parameters["user"] ?? user.flatMap { $0.isEmpty ? nil : $0 }
        let name = try Self.decoded(path)
        database = parameters["dbname"] ?? (name.isEmpty ? nil : name)
        hasPassword = password != nil || parameters["password"] != nil
        servers = try Self.servers(authority, parameters)
        self.parameters = parameters
    }

    private static func servers(_ authority: Substring, _ parameters: [String: String]) throws(SettingError) -> [Server] {
        let named = parameters["host"] ?? parameters["hostaddr"]
        let ports = (parameters["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let places = named.map { $0[...] } ?? authority
        if places.isEmpty {
            return parameters["service"] == nil ? [Server(host: "/var/run/postgresql", port: ports.first.flatMap(port) ?? "5432")] : []
        }
        var servers: [Server] = []
        for (index, place) in places.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
            let isBracketed = place.first == "["
            let host = isBracketed ? place.dropFirst().prefix { $0 != "]" } : named == nil ? place.prefix { $0 != ":" } : place
            let after = isBracketed ? place.drop { $0 != "]" }.dropFirst() : place.dropFirst(host.count)
            let listed = ports.count == 1 ? ports.first : ports.indices.contains(index) ? ports[index] : nil
            let port = after.isEmpty ? listed.flatMap(port) ?? "5432" : String(after.dropFirst())
            guard !host.isEmpty, after.isEmpty || after.first == ":", let number = Int(port), (1...65_535).contains(number) else {
                throw SettingError("expected hosts as host:port, separated by commas, and IPv6 addresses in brackets")
            }
            servers.append(Server(host: try decoded(host), port: port))
        }
        return servers
    }

    private static func port(_ text: String) -> String? { text.isEmpty ? nil : text }

    private static func decoded(_ text: some StringProtocol) throws(SettingError) -> String {
        guard let decoded = text.removingPercentEncoding, !decoded.utf8.contains(0) else {
            throw SettingError("expected %XX for each special character of the URL, and %25 for a percent sign")
        }
        return decoded
    }

    /// The URL without its password and its parameters, for the operator.
    public var withoutSecrets: String {
        let hosts = servers.map { $0.host.hasPrefix("/") ? "" : $0.description }.joined(separator: ",")
        let service = parameters["service"].map { "?service=\($0)" } ?? ""
        return "postgres://\(user.map { "\($0)@" } ?? "")\(hosts)/\(database ?? "")\(service)"
    }

    /// Whether the connection is encrypted and the server's certificate and name are verified, or
    /// stays on this machine.
    public var isVerified: Bool { parameters["sslmode"] == "verify-full" || (!servers.isEmpty && servers.allSatisfy(\.isLocal)) }

    /// The URL with one more parameter, which overrides an earlier one of the same name.
    public func adding(_ name: String, _ value: String) -> String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
        return text + (text.contains("?") ? "&" : "?") + name + "=" + (value.addingPercentEncoding(withAllowedCharacters: plain) ?? "")
    }
}
