import Base

extension ValueForm<DatabaseSetting> {
    /// The database: the path of an SQLite file, or the URL of a PostgreSQL server, which may also
    /// be written without a mapping.
    static var database: ValueForm {
        .either(
            ValueForm<PostgreSQLURL>.postgreSQLURL.map { .postgreSQL(PostgreSQLSettings(.url($0))) },
            if: { PostgreSQLURL.hasScheme($0.word ?? "") },
            or: .either(
                .section(
                    SQLiteSection.self, "{path: FILE} for SQLite, or {url: postgres://…} for PostgreSQL", alsoKnown: ["url"]),
                if: { !$0.has("url") }, or: .section(PostgreSQLSection.self)))
    }
}

private struct SQLiteSection: Section {
    var path: String?

    static var keys: [ConfigurationKey<Self>] {
        ConfigurationKey("path", \.path, .text).required("a file (SQLite), or the key url (PostgreSQL)").shown("onward.sqlite")
    }

    func value(in setting: Setting) -> DatabaseSetting? { path.map { .sqlite(path: $0) } }
}

private struct PostgreSQLSection: Section {
    /// The defaults, with a placeholder for the address.
    var settings = PostgreSQLSettings(.secret(.file("")))

    static var keys: [ConfigurationKey<Self>] {
        "postgres://onward@db1.example.com,db2.example.com/onward?sslmode=verify-full, as libpq reads it, without a password. Or {env:"
        "NAME} or {file: PATH} with a whole URL."
        ConfigurationKey("url", \.settings.address, .address(isReplica: false)).required("the URL of a PostgreSQL server")
        "{file: PATH} or {env: NAME}. Default: libpq's password file."
        ConfigurationKey("password", \.settings.password, .secretReference)
        "The most connections of this node for transactions. Reads have half as many beside them, and two look after the rest."
        ConfigurationKey("maxConnections", \.settings.maxConnections, .count(1...1000))
        "False behind PgBouncer in transaction mode."
        ConfigurationKey("preparedStatements", \.settings.preparedStatements, .boolean)
        "The server itself, if url is that of a pooler, for notifications."
        ConfigurationKey("directURL", \.settings.directAddress, .address(isReplica: false))
        "{url: postgres://…, maxStaleness: 2s}, servers that follow it, for pages that only show a link. One that is further behind is"
        "not asked. Default: none (Docs/Scaling.md)."
        ConfigurationKey("replica", \.settings.replica, .section(PostgreSQLSettings.Replica.self))
        "How long a start waits for a server that is down."
        ConfigurationKey("waitAtStart", \.settings.waitAtStart, .duration(.zero ... .hours(1)))
    }

    func value(in setting: Setting) -> DatabaseSetting? { .postgreSQL(settings) }
}

extension PostgreSQLSettings.Replica: Section {
    public init() { self.init(address: .secret(.file("")), maxStaleness: .seconds(2)) }

    static var keys: [ConfigurationKey<Self>] {
        ConfigurationKey("url", \.address, .address(isReplica: true)).required("the URL of a PostgreSQL server")
        ConfigurationKey("maxStaleness", \.maxStaleness, .duration(.milliseconds(100) ... .minutes(1)))
    }
}

extension ValueForm<PostgreSQLURL> {
    /// A URL without a password.
    fileprivate static var postgreSQLURL: ValueForm {
        .text("the URL of a PostgreSQL server") { text in
            let url = try PostgreSQLURL(text)
            guard !url.hasPassword else {
                throw SettingError(
                    "a password does not belong in this file; expected the URL without it, and password: {file: PATH} or {env: NAME} "
                        + "beside url")
            }
            return url
        }
    }
}

extension ValueForm<PostgreSQLSettings.Address> {
    /// A URL, or the place of one.
    fileprivate static func address(isReplica: Bool) -> ValueForm {
        .either(
            ValueForm<PostgreSQLURL>.postgreSQLURL.map { url in
                try url.checkTarget(isReplica: isReplica)
                return .url(url)
            }, if: { $0.word != nil },
            or: ValueForm<SecretReference>.secretReference.map { reference, setting in
                if let environment = setting.context.environment {
                    try PostgreSQLURL(try reference.text(environment)).checkTarget(isReplica: isReplica)
                }
                return .secret(reference)
            })
    }
}

extension PostgreSQLURL {
    /// Onward writes, which a stand-by server refuses. A replica is read only.
    fileprivate func checkTarget(isReplica: Bool) throws(SettingError) {
        guard let target = parameters["target_session_attrs"], ["read-write", "primary"].contains(target) == isReplica else { return }
        throw SettingError(
            isReplica
                ? "target_session_attrs=\(target) refuses a replica; expected prefer-standby, which is the default here"
                : "target_session_attrs=\(target) may choose a server that cannot write; expected read-write, which is the default")
    }
}
