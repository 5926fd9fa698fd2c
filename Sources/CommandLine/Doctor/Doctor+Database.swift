import Accounts
internal import Base
import Configuration
import Foundation
import Server
import Store

extension Doctor {
    /// The database, and the clock beside its high-water mark.
    func database() async -> [Diagnosis] {
        switch configuration.database {
        case .sqlite(let path):
            guard FileManager.default.fileExists(atPath: path) else {
                return [.note("database \(path)", "does not exist yet", "`onward serve` creates it."), Diagnosis(diskOf: path)]
            }
            return await [mark("Run the command as the user of the server: sudo -u onward onward doctor."), Diagnosis(diskOf: path)]
        case .postgreSQL(let settings): return await server(settings)
        }
    }

    /// - Parameter remedy: the advice if the database cannot be read.
    private func mark(_ remedy: String) async -> Diagnosis {
        let subject = "database \(configuration.database.name)"
        do {
            guard let mark = try await configuration.database.withStoreAsItIs({ store in try await store.clockMark() }) else {
                return .note(subject, "no server has run with it yet")
            }
            let behind = mark.time - now()
            guard behind > .minutes(1) else { return .ok(subject, "can be read, and the clock has not gone back") }
            return .error(
                "clock", "is \(behind.configured) behind the time that this database has seen",
                "Correct the clock. If the mark is wrong: `onward clock accept`.")
        } catch { return .error(subject, explanation(of: error), remedy) }
    }

    /// Each host of the URL, and what the server that was chosen says of itself.
    private func server(_ settings: PostgreSQLSettings) async -> [Diagnosis] {
        var found: [Diagnosis] = []
        if let url = try? settings.address.url() {
            if !url.isVerified { found.append(Self.unverified(url)) }
            for server in url.servers {
                found.append(Self.host(server, failure: TCPProbe(host: server.host, port: server.port).failure(within: .seconds(3))))
            }
        }
        if let url = try? settings.replica?.address.url() {
            if !url.isVerified { found.append(Self.unverified(url)) }
            for server in url.servers {
                found.append(Self.replica(server, failure: TCPProbe(host: server.host, port: server.port).failure(within: .seconds(3))))
            }
        }
        do {
            let facts = try await configuration.database.withDatabase { try await PostgreSQLFacts(of: $0) }
            found += facts.diagnoses(of: settings)
        } catch {
            return found + [
                .error(
                    "database \(settings.name)", explanation(of: error),
                    "Correct database.url, the password and the server's pg_hba.conf. psql with the same URL shows the same error.")
            ]
        }
        return await found + [mark("Run `onward migrate`, or start the server, if the database is new.")]
    }

    static func unverified(_ url: PostgreSQLURL) -> Diagnosis {
        .warning(
            "database \(url.withoutSecrets)", "the server is not verified, so another machine can take its place and read everything",
            "Add sslmode=verify-full to the URL, and sslrootcert= with the certificate of the authority that signed the server's.")
    }

    static func host(_ server: PostgreSQLURL.Server, failure: String?) -> Diagnosis {
        guard let failure else { return .ok("database host \(server)", "accepts connections") }
        return .warning(
            "database host \(server)", failure,
            "Start it, or open the way to it. Without it nothing is left to fail over to; remove it from database.url if it is gone.")
    }

    static func replica(_ server: PostgreSQLURL.Server, failure: String?) -> Diagnosis {
        guard let failure else { return .ok("database replica \(server)", "accepts connections") }
        return .warning(
            "database replica \(server)", failure,
            "Start it, or open the way to it; pages are read from the primary meanwhile. Remove database.replica if it is gone.")
    }
}

/// The properties that Onward depends on, as a PostgreSQL server reports them.
struct PostgreSQLFacts: Sendable, Hashable {
    var version = ""
    /// Such as 150014.
    var versionNumber = 0
    var role = ""
    var isSuperuser = false
    var isEncrypted = false
    var isStandby = false
    var maxConnections = 0
    /// The names and values of the settings that durability depends on.
    var durability: [String: String] = [:]

    init() {}

    init(of database: any OpenedDatabase) async throws(ActionError) {
        durability = try await database.durabilitySettings()
        let texts = try await database.read { db throws(ActionError) in
            do throws(SQLFailure) {
                guard var row = try db.rows(Self.query, []).first else { return [String]() }
                var texts: [String] = []
                for _ in 0..<7 { texts.append(try row.next()) }
                return texts
            } catch { throw ActionError(error) }
        }
        guard texts.count == 7 else { return }
        (version, versionNumber, role) = (texts[0], Int(texts[1]) ?? 0, texts[2])
        (isSuperuser, isEncrypted, isStandby) = (texts[3] == "true", texts[4] == "true", texts[5] == "true")
        maxConnections = Int(texts[6]) ?? 0
    }

    /// Every value is text, and none is null.
    private static let query = """
        SELECT current_setting('server_version'), current_setting('server_version_num'), current_user::text, \
        coalesce((SELECT rolsuper::text FROM pg_roles WHERE rolname = current_user), 'false'), \
        coalesce((SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()), 'false'), \
        pg_is_in_recovery()::text, current_setting('max_connections')
        """

    /// The settings that can lose a committed transaction or damage a page, with the values that
    /// prevent it.
    private static let required: KeyValuePairs<String, Set<String>> = [
        "fsync": ["on"], "full_page_writes": ["on"], "synchronous_commit": ["on", "local", "remote_write", "remote_apply"],
    ]

    func diagnoses(of settings: PostgreSQLSettings) -> [Diagnosis] {
        let subject = "database \(settings.name)"
        var found = [
            versionNumber >= 140_000
                ? Diagnosis.ok(subject, "PostgreSQL \(version), role \(role), \(isEncrypted ? "encrypted" : "not encrypted")")
                : .error(subject, "PostgreSQL \(version) is too old", "Upgrade the server to PostgreSQL 14 or newer.")
        ]
        if isStandby {
            found.append(
                .error(subject, "the server is a stand-by, which cannot be written", "Leave target_session_attrs=read-write in the URL."))
        }
        for (name, values) in Self.required {
            guard let value = durability[name] else { continue }
            found.append(
                values.contains(value)
                    ? .ok("\(name) of the server", value)
                    : .error(
                        "\(name) of the server", "is \(value): after a crash used links could work again, or data be damaged",
                        "Set \(name) = on in postgresql.conf, for the database and for the role, and reload the server."))
        }
        if isSuperuser {
            found.append(
                .warning(
                    "role \(role)", "is a superuser, which Onward does not need",
                    "Let a role of its own be the owner of the database: CREATE ROLE onward LOGIN; ALTER DATABASE … OWNER TO onward."))
        }
        // With those of reads, and two that look after the rest.
        let connections = settings.maxConnections + (settings.maxConnections + 1) / 2 + 2
        if maxConnections > 0, connections * 2 > maxConnections {
            found.append(
                .warning(
                    "connections", "this node may use \(connections) of the server's \(maxConnections), which all nodes share",
                    "Lower database.maxConnections, raise max_connections of the server, or add a pooler (Docs/Scaling.md)."))
        }
        return found
    }
}
