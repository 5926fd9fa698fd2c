import Foundation

/// PgBouncer in front of a server of the tests: each transaction gets another connection. It ends
/// with this process.
package struct PostgreSQLPooler: Sendable {
    package let port: UInt16
    private let guardian: Program
    /// One end of a pipe, whose closing ends the pooler.
    private let life: Int32

    private static let shared = Result { try PostgreSQLPooler(before: try PostgreSQLCluster.newDatabase().port) }

    /// The URL of a database of the server that all tests share, through one pooler for all tests.
    package static func url(of database: PostgreSQLTestDatabase) throws -> String { database.url(port: try shared.get().port) }

    /// - Parameter server: the port of the server.
    private init(before server: UInt16) throws {
        let listening = try ListeningSocket()
        port = listening.port
        close(listening.descriptor)
        let file = FileManager.default.temporaryDirectory.path + "/onward-pgbouncer-\(UUID().uuidString.prefix(8)).ini"
        try """
        [databases]
        * = host=127.0.0.1 port=\(server) user=postgres
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = \(port)
        auth_type = any
        pool_mode = transaction
        default_pool_size = 4
        max_client_conn = 1000
        server_idle_timeout = 1
        unix_socket_dir =
        """.write(toFile: file, atomically: true, encoding: .utf8)
        chmod(file, 0o644)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Program.Missing(description: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        life = ends[1]
        // It does not run as root.
        let user = geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] : []
        let script = #"file=$1; shift; "$@" "$file" 3<&- & read -r nothing <&3; kill -9 $!; rm -f "$file""#
        guardian = try Program(
            "/bin/sh", ["-c", script, "sh", file] + user + [Program.path(to: "pgbouncer")], errors: "/dev/null", descriptors: [ends[0]])
        close(ends[0])
    }
}
