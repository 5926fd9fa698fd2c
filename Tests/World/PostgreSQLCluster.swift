package import Foundation

/// A PostgreSQL server of this test process, with an empty database for each test that asks for one.
/// It ends with the process, and leaves nothing.
package struct PostgreSQLCluster: Sendable {
    package let folder: String
    package let port: UInt16
    private let server: Program
    /// The server's shell ends it when this end of a pipe is closed, be it by the end of the
    /// process.
    private let life: Int32

    private static let shared = Result { try PostgreSQLCluster() }

    /// A new database on the server that all tests share.
    package static func newDatabase() throws -> PostgreSQLTestDatabase { try shared.get().newDatabase() }

    /// - Parameter settings: as in `postgresql.conf`.
    package init(settings: [String] = ["fsync=off", "full_page_writes=off"]) throws {
        let bin = try Self.binaries()
        folder = FileManager.default.temporaryDirectory.path + "/onward-pg-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o755)
        // PostgreSQL does not run as root.
        var user: [String] = []
        if geteuid() == 0, let account = getpwnam("postgres") {
            chown(folder, account.pointee.pw_uid, account.pointee.pw_gid)
            user = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
        }
        let data = folder + "/data"
        let made = user + ["\(bin)/initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "-D", data]
        let said = try Program.output(of: "/usr/bin/env", made)
        guard FileManager.default.fileExists(atPath: data) || said.contains("Success") else {
            throw Program.Missing(description: "initdb failed: \(said)")
        }
        let listening = try ListeningSocket()
        port = listening.port
        close(listening.descriptor)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Program.Missing(description: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        life = ends[1]
        let options = ["listen_addresses=127.0.0.1", "port=\(port)", "unix_socket_directories=\(folder)", "max_connections=400"] + settings
        let command = user + ["\(bin)/postgres", "-D", data] + options.flatMap { ["-c", $0] }
        server = try Program(
            "/bin/sh",
            ["-c", #"folder=$1; shift; "$@" 3<&- & server=$!; read -r nothing <&3; kill -QUIT $server; wait $server; rm -rf "$folder""#, "sh", folder]
                + command,
            errors: folder + ".log", descriptors: [ends[0]])
        close(ends[0])
        let deadline = ContinuousClock.now + .seconds(60)
        while try !Program.output(of: "\(bin)/pg_isready", ["-h", "127.0.0.1", "-p", "\(port)"]).contains("accepting") {
            guard ContinuousClock.now < deadline else { throw Program.Missing(description: "PostgreSQL does not start: \(folder).log") }
            usleep(50_000)
        }
        unlink(folder + ".log")
    }

    /// Ends the server.
    package func stop() { close(life) }

    package func newDatabase() throws -> PostgreSQLTestDatabase {
        let name = "test_" + UUID().uuidString.filter(\.isHexDigit).lowercased()
        let database = PostgreSQLTestDatabase(folder: folder, port: port, name: name)
        try PostgreSQLTestDatabase(folder: folder, port: port, name: "postgres").psql("CREATE DATABASE \(name)")
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
    let port: UInt16
    package let name: String

    package var url: String { "postgresql://postgres@127.0.0.1:\(port)/\(name)" }

    /// Runs SQL as an operator would.
    @discardableResult
    package func psql(_ sql: String) throws -> String {
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
            return try FileManager.default.contentsOfDirectory(atPath: path).compactMap { FileManager.default.contents(atPath: "\(path)/\($0)") }
        }.reduce(Data(), +)
    }
}
