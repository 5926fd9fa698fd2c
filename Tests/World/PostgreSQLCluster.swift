package import Foundation
import PostgreSQL
import Store

/// A PostgreSQL server of this test process, with an empty database for each test that asks for
/// one. It ends with the process, and leaves nothing.
package struct PostgreSQLCluster: Sendable {
    package let folder: String
    package let port: UInt16
    /// Stops the server and deletes its folder when `life` is closed, be it by the end of this
    /// process.
    private let guardian: Program
    /// One end of a pipe.
    private let life: Int32
    /// The beginning of each command. PostgreSQL does not run as root.
    private let user: [String]
    private let settings: [String]

    private static let shared = Result { try PostgreSQLCluster() }

    /// A new database on the server that all tests share.
    package static func newDatabase() throws -> PostgreSQLTestDatabase { try shared.get().newDatabase() }

    /// A new database with the newest schema on the server that all tests share. It is a copy:
    /// migrations cost PostgreSQL more than a second.
    package static func newMigratedDatabase() async throws -> PostgreSQLTestDatabase {
        try shared.get().newDatabase(from: try await migrated.value)
    }

    private static let migrated = Task {
        let database = try newDatabase()
        let connection = try await PostgreSQLDatabase(PostgreSQLDatabase.Options(patientlyAt: database.url))
        _ = try await Store.open(connection)
        try await connection.close()
        // As before the first server.
        try database.psql("DELETE FROM row_id_range")
        return database
    }

    /// Starts a server.
    /// - Parameters:
    ///   - settings: as in `postgresql.conf`.
    ///   - primary: the server that it follows; nil: it is a primary itself.
    package init(settings: [String] = ["fsync=off", "full_page_writes=off"], following primary: PostgreSQLCluster? = nil) throws {
        folder = FileManager.default.temporaryDirectory.path + "/onward-pg-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o755)
        if geteuid() == 0, let account = getpwnam("postgres") {
            chown(folder, account.pointee.pw_uid, account.pointee.pw_gid)
            user = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
        } else {
            user = []
        }
        let listening = try ListeningSocket()
        port = listening.port
        close(listening.descriptor)
        self.settings =
            ["listen_addresses=127.0.0.1", "port=\(port)", "unix_socket_directories=\(folder)", "max_connections=400"] + settings
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Program.Missing(description: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        life = ends[1]
        let bin = try Self.binaries()
        let stop = user + ["\(bin)/pg_ctl", "-D", "\(folder)/data", "-m", "immediate", "stop"]
        guardian = try Program(
            "/bin/sh", ["-c", #"folder=$1; shift; read -r nothing <&3; "$@"; rm -rf "$folder""#, "sh", folder] + stop,
            descriptors: [ends[0]])
        close(ends[0])
        if let primary {
            // Says nothing if all is well.
            let source = "host=127.0.0.1 port=\(primary.port) user=postgres"
            let copy = ["\(bin)/pg_basebackup", "-D", "\(folder)/data", "-d", source, "-R", "-c", "fast", "--no-sync"]
            let output = try Program.output(of: "/usr/bin/env", user + copy)
            guard output.isEmpty else { throw Program.Missing(description: "pg_basebackup failed: \(output)") }
        } else {
            try run("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C")
        }
        try start()
    }

    /// Starts the server again.
    package func start() throws {
        try run("pg_ctl", "-w", "-l", "\(folder)/log", "-o", settings.map { "-c \($0)" }.joined(separator: " "), "start")
    }

    /// Ends the server as a crash would.
    package func crash() throws { try run("pg_ctl", "-m", "immediate", "stop") }

    /// Ends the server and deletes its folder.
    package func remove() { close(life) }

    private func run(_ program: String, _ arguments: String...) throws {
        let path = "\(try Self.binaries())/\(program)"
        let output = try Program.output(of: "/usr/bin/env", user + [path, "-D", "\(folder)/data"] + arguments + [])
        let isDone = ["Success", "done", "server started", "server stopped"].contains { output.contains($0) }
        guard isDone else { throw Program.Missing(description: "\(program) failed: \(output)") }
    }

    package func newDatabase(from template: PostgreSQLTestDatabase? = nil) throws -> PostgreSQLTestDatabase {
        let name = "test_" + UUID().uuidString.filter(\.isHexDigit).lowercased()
        let database = PostgreSQLTestDatabase(folder: folder, port: port, name: name)
        try PostgreSQLTestDatabase.psql("CREATE DATABASE \(name) TEMPLATE \(template?.name ?? "template1")", at: database.maintenanceURL)
        return database
    }

    /// The folder of PostgreSQL's programs: Debian keeps those of a server out of `PATH`.
    package static func binaries() throws -> String {
        let versions = "/usr/lib/postgresql"
        let found = ((try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []).sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }
        for version in found where FileManager.default.isExecutableFile(atPath: "\(versions)/\(version)/bin/initdb") {
            return "\(versions)/\(version)/bin"
        }
        return (try Program.path(to: "initdb") as NSString).deletingLastPathComponent
    }
}

/// A database on a server of the tests.
package struct PostgreSQLTestDatabase: Sendable {
    /// The folder of the server.
    let folder: String
    package let port: UInt16
    package let name: String

    package var url: String { url(port: port) }

    /// - Parameter port: that of a proxy or pooler in front of the server.
    package func url(port: UInt16, user: String = "postgres") -> String { "postgresql://\(user)@127.0.0.1:\(port)/\(name)" }

    /// The URL of the database that is always there, to create and drop others.
    fileprivate var maintenanceURL: String { "postgresql://postgres@127.0.0.1:\(port)/postgres" }

    /// Deletes the database, which takes eight megabytes of the disk, and ends its connections.
    package func drop() throws { try Self.psql("DROP DATABASE \(name) WITH (FORCE)", at: maintenanceURL) }

    /// Runs SQL as an operator would.
    @discardableResult
    package func psql(_ sql: String) throws -> String { try Self.psql(sql, at: url) }

    @discardableResult
    package static func psql(_ sql: String, at url: String) throws -> String {
        let output = try Program.output(of: try Program.path(to: "psql"), ["-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", url, "-c", sql])
        guard !output.contains("ERROR:"), !output.contains("psql: error") else { throw Program.Missing(description: output) }
        return output
    }

    /// The content of the files of the database and of the write-ahead log.
    package func bytesOnDisk() throws -> Data {
        let id = try psql("CHECKPOINT; SELECT oid FROM pg_database WHERE datname = current_database()")
        let number = id.split(whereSeparator: \.isNewline).last ?? ""
        return try ["base/\(number)", "pg_wal"].flatMap { place in
            let path = "\(folder)/data/\(place)"
            return try FileManager.default.contentsOfDirectory(atPath: path).compactMap {
                FileManager.default.contents(atPath: "\(path)/\($0)")
            }
        }.reduce(Data(), +)
    }
}
