internal import CPostgreSQL
internal import Foundation

/// The parameters of a connection, as libpq takes them.
struct ConnectionParameters {
    /// Later ones override earlier ones, and the URL is read in the place of `dbname`.
    private let values: [(name: String, value: String)]

    init(_ options: PostgreSQLDatabase.Options) {
        let deadlines = options.deadlines
        var values = [
            ("application_name", "onward"), ("connect_timeout", "\(max(2, deadlines.connect.components.seconds))"),
            ("target_session_attrs", options.requiresWritable ? "read-write" : "prefer-standby"), ("keepalives_idle", "10"),
            ("keepalives_interval", "3"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "\(min(deadlines.response, .seconds(10)).milliseconds)"),
            // By default libpq looks for Kerberos credentials at each connection, and a thread that
            // does so while the process exits aborts it.
            ("gssencmode", "disable"),
        ]
        // A pooler refuses settings of a connection.
        if options.usesNamedStatements {
            values.append(("options", Self.settings(deadlines).map { "-c \($0.name)=\($0.value)" }.joined(separator: " ")))
        }
        values.append(("dbname", options.url))
        if let password = options.password { values.append(("password", password)) }
        self.values = values + [("client_encoding", "UTF8"), ("fallback_application_name", "onward")]
    }

    /// The settings of a connection or, behind a pooler, of each transaction.
    ///
    /// Every statement has an index. While a table is small, a scan of all of it would be planned,
    /// and a serializable transaction that has scanned a table conflicts with every change of it.
    static func settings(_ deadlines: PostgreSQLDatabase.Options.Deadlines) -> [(name: String, value: String)] {
        [
            ("statement_timeout", "\(deadlines.statement.milliseconds)"), ("lock_timeout", "\(deadlines.lock.milliseconds)"),
            ("idle_in_transaction_session_timeout", "\(deadlines.idleTransaction.milliseconds)"), ("enable_seqscan", "off"),
        ]
    }

    /// Blocks until the connection is open or has failed; nil if there is no memory.
    func connect() -> OpaquePointer? {
        let names = values.map { strdup($0.name) } + [nil]
        let texts = values.map { strdup($0.value) } + [nil]
        defer { for text in names + texts { free(text) } }
        return PQconnectdbParams(names.map { UnsafePointer($0) }, texts.map { UnsafePointer($0) }, 1)
    }

    /// Says which server and database a URL names, without its password; nil if libpq cannot read
    /// it.
    static func description(of url: String) -> String? {
        guard let options = PQconninfoParse(url, nil) else { return nil }
        defer { PQconninfoFree(options) }
        var found: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { found[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        let hosts = (found["host"] ?? found["hostaddr"] ?? found["service"] ?? "localhost").split(separator: ",")
        let ports = (found["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let places = hosts.enumerated().map { index, host in
            let port = ports.count == 1 ? ports[0] : ports.indices.contains(index) ? ports[index] : ""
            return port.isEmpty ? String(host) : "\(host):\(port)"
        }
        return "postgresql://\(places.joined(separator: ","))/\(found["dbname"] ?? found["user"] ?? "")"
    }
}

extension PostgreSQLDatabase {
    /// The names that libpq takes as parameters of a URL.
    public static let parameterNames: [String] = {
        guard let options = PQconndefaults() else { return [] }
        defer { PQconninfoFree(options) }
        return sequence(first: options) { $0 + 1 }.lazy.map(\.pointee.keyword).prefix { $0 != nil }.compactMap {
            $0.map { String(cString: $0) }
        }
    }()
}
