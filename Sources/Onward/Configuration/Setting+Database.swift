import EmailActions
import Yams

extension Setting {
    /// The database: the path of an SQLite file, or the URL of a PostgreSQL server, which may also
    /// be written without a mapping.
    func database(_ environment: Configuration.Environment?) throws(SettingError) -> DatabaseSetting? {
        if let text = node.scalar?.string {
            guard PostgreSQLURL.hasScheme(text) else {
                throw SettingError("expected {path: FILE} for SQLite, or {url: postgres://…} for PostgreSQL")
            }
            return .postgreSQL(PostgreSQLSettings(.url(try postgreSQLURL())))
        }
        return try section { section in section.database(environment) }
    }

    /// A URL without a password.
    fileprivate func postgreSQLURL() throws(SettingError) -> PostgreSQLURL {
        let url = try PostgreSQLURL(try text())
        guard !url.hasPassword else {
            throw SettingError(
                "a password does not belong in this file; expected the URL without it, and password: {file: PATH} or {env: NAME} beside url"
            )
        }
        return url
    }

    fileprivate func address(_ environment: Configuration.Environment?) throws(SettingError) -> PostgreSQLSettings.Address {
        guard node.scalar == nil else {
            let url = try postgreSQLURL()
            try Self.checkTarget(of: url)
            return .url(url)
        }
        let reference = try section { section throws(SettingError) in try section.secretReference(environment) }
        if let environment { try Self.checkTarget(of: try PostgreSQLURL(try reference.text(environment))) }
        return .secret(reference)
    }

    /// Onward writes, which a stand-by server refuses.
    private static func checkTarget(of url: PostgreSQLURL) throws(SettingError) {
        guard let target = url.parameters["target_session_attrs"], !["read-write", "primary"].contains(target) else { return }
        throw SettingError(
            "target_session_attrs=\(target) may choose a server that cannot write; expected read-write, which is the default")
    }
}

extension Section {
    fileprivate func database(_ environment: Configuration.Environment?) -> DatabaseSetting? {
        let address = value("url") { url throws(SettingError) in try url.address(environment) }
        guard has("url") else {
            return required("path", expecting: "a file (SQLite), or the key url (PostgreSQL)") { path throws(SettingError) in
                try path.text()
            }.map { .sqlite(path: $0) }
        }
        let direct = value("directURL") { url throws(SettingError) in try url.address(environment) }
        let password = value("password") { value throws(SettingError) in
            try value.secretSection { section throws(SettingError) in try section.secretReference(environment) }
        }
        let connections = value("maxConnections") { value throws(SettingError) in try value.count(in: 1...1000) }
        let prepared = value("preparedStatements") { value throws(SettingError) in try value.flag() }
        let wait = value("waitAtStart") { value throws(SettingError) in try value.span(in: .zero ... .hours(1)) }
        guard let address else { return nil }
        var settings = PostgreSQLSettings(address)
        settings.directAddress = direct
        settings.password = password
        settings.maxConnections = connections ?? settings.maxConnections
        settings.preparedStatements = prepared ?? settings.preparedStatements
        settings.waitAtStart = wait ?? settings.waitAtStart
        return .postgreSQL(settings)
    }
}
