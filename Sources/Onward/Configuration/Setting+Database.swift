import Accounts
import Base
import Yams

extension Setting {
    /// The database: the path of an SQLite file, or the URL of a PostgreSQL server, which may also
    /// be written without a mapping.
    func database(_ environment: Configuration.Environment?) throws(SettingError) -> DatabaseSetting? {
        try oneOf(node.scalar != nil) { value throws(SettingError) in
            try value.describe(as: .text(what: "the URL of a PostgreSQL server"))
            guard PostgreSQLURL.hasScheme(value.node.scalar?.string ?? "") else {
                throw SettingError("expected {path: FILE} for SQLite, or {url: postgres://…} for PostgreSQL")
            }
            return .postgreSQL(PostgreSQLSettings(.url(try value.postgreSQLURL())))
        } or: { value throws(SettingError) in
            try value.section { section throws(SettingError) in
                try section.oneOf(!section.has("url")) {
                    $0.file()
                } or: {
                    $0.server(environment)
                }
            }
        }
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

    /// - Parameter check: refuses a URL that does not suit.
    fileprivate func address(
        _ environment: Configuration.Environment?, _ check: (PostgreSQLURL) throws(SettingError) -> Void
    ) throws(SettingError) -> PostgreSQLSettings.Address {
        try oneOf(node.scalar != nil) { value throws(SettingError) in
            let url = try value.postgreSQLURL()
            try check(url)
            return .url(url)
        } or: { value throws(SettingError) in
            let reference = try value.section { section throws(SettingError) in try section.secretReference(environment) }
            if let environment { try check(try PostgreSQLURL(try reference.text(environment))) }
            return .secret(reference)
        }
    }

    /// Onward writes, which a stand-by server refuses.
    fileprivate static func checkPrimary(_ url: PostgreSQLURL) throws(SettingError) {
        guard let target = url.parameters["target_session_attrs"], !["read-write", "primary"].contains(target) else { return }
        throw SettingError(
            "target_session_attrs=\(target) may choose a server that cannot write; expected read-write, which is the default")
    }

    /// A replica is read only.
    fileprivate static func checkReplica(_ url: PostgreSQLURL) throws(SettingError) {
        guard let target = url.parameters["target_session_attrs"], ["read-write", "primary"].contains(target) else { return }
        throw SettingError("target_session_attrs=\(target) refuses a replica; expected prefer-standby, which is the default here")
    }
}

extension Section {
    /// The section of an SQLite file.
    fileprivate func file() -> DatabaseSetting? {
        suggest("url")
        return required("path", expecting: "a file (SQLite), or the key url (PostgreSQL)") { path throws(SettingError) in
            try path.text()
        }.map { .sqlite(path: $0) }
    }

    /// The section of a PostgreSQL server.
    fileprivate func server(_ environment: Configuration.Environment?) -> DatabaseSetting? {
        let address = required("url", expecting: "the URL of a PostgreSQL server") { url throws(SettingError) in
            try url.address(environment, Setting.checkPrimary)
        }
        let direct = value("directURL") { url throws(SettingError) in try url.address(environment, Setting.checkPrimary) }
        let replica = value("replica") { value throws(SettingError) in
            try value.section { section in section.replica(environment) }
        }
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
        settings.replica = replica ?? nil
        settings.waitAtStart = wait ?? settings.waitAtStart
        return .postgreSQL(settings)
    }

    private func replica(_ environment: Configuration.Environment?) -> PostgreSQLSettings.Replica? {
        let address = required("url", expecting: "the URL of a PostgreSQL server") { url throws(SettingError) in
            try url.address(environment, Setting.checkReplica)
        }
        let staleness = value("maxStaleness") { value throws(SettingError) in try value.span(in: .milliseconds(100) ... .minutes(1)) }
        return address.map { PostgreSQLSettings.Replica(address: $0, maxStaleness: staleness ?? .seconds(2)) }
    }
}
