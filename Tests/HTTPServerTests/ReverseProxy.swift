import Foundation
import Testing
import World

/// A running nginx or haproxy in front of a server. It listens on a Unix domain socket, so no port
/// has to be chosen, and adds to each forwarded request how it parsed it.
final class ReverseProxy: Sendable {
    enum Kind: String, CaseIterable {
        case nginx, haproxy

        static let installed = allCases.filter { OtherServers.mayRun && FileManager.default.isExecutableFile(atPath: $0.program) }
        var program: String { "/usr/sbin/\(rawValue)" }
    }

    /// The names of the added fields: a random id, the method, and the target without scheme and
    /// host.
    static let fields = (id: "X-Via", method: "X-Via-Method", target: "X-Via-Target")

    let kind: Kind
    /// The socket with short client timeouts.
    var socket: String { "\(folder)/socket" }
    /// The socket with long client timeouts.
    var patientSocket: String { "\(folder)/patient" }
    private let folder = FileManager.default.temporaryDirectory.appending(path: "onward-proxy-\(UUID().uuidString.prefix(8))").path

    /// - Parameter port: the server's.
    init(_ kind: Kind, to port: UInt16) async throws {
        self.kind = kind
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = "\(folder)/configuration"
        try (kind == .nginx ? nginx(port) : haproxy(port)).write(toFile: file, atomically: true, encoding: .utf8)
        let arguments =
            switch kind {
            case .nginx: ["-e", "\(folder)/errors", "-p", folder, "-c", file]
            case .haproxy: ["-D", "-q", "-p", "\(folder)/pid", "-f", file]
            }
        // The command ends when the proxy listens and has gone to the background.
        try #require(await Program(kind.program, arguments, errors: "\(folder)/errors").status == 0)
    }

    deinit {
        if let text = try? String(contentsOfFile: "\(folder)/pid", encoding: .utf8), let pid = pid_t(text.trimmingCharacters(in: .newlines))
        {
            kill(pid, SIGKILL)
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The numbers of forwarded requests that were answered 200 and that were refused, from its own
    /// log or statistics.
    func counts() async throws -> (answered: Int, refused: Int) {
        switch kind {
        case .nginx:
            let lines = try String(contentsOfFile: "\(folder)/requests", encoding: .utf8).split(separator: "\n").filter { $0 != "-" }
            return (lines.count { $0 == "200" }, lines.count { $0 != "200" })
        case .haproxy:
            let client = try await Client.connect(toFile: "\(folder)/requests")
            try await client.send("show stat onward 4 -1\n")
            let rows = try await client.receiveAll().split(separator: "\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false)
            }
            func column(_ name: String) throws -> Int {
                Int(try #require(rows.last)[try #require(rows.first?.firstIndex(of: Substring(name)))]) ?? 0
            }
            return (try column("hrsp_2xx"), try column("hrsp_4xx") + column("hrsp_5xx"))
        }
    }

    private func nginx(_ port: UInt16) -> String {
        func server(_ socket: String, _ timeout: String) -> String {
            """
            server {
                listen unix:\(socket);
                client_header_timeout \(timeout); client_body_timeout \(timeout); keepalive_timeout \(timeout); lingering_timeout \(timeout);
                location / {
                    proxy_pass http://onward; proxy_http_version 1.1; proxy_next_upstream off; proxy_read_timeout 300s;
                    proxy_ignore_client_abort on;
                    proxy_set_header Connection ""; proxy_set_header Host $http_host;
                    proxy_set_header \(Self.fields.id) $request_id; proxy_set_header \(Self.fields.method) $request_method;
                    proxy_set_header \(Self.fields.target) $request_uri;
                }
            }
            """
        }
        return """
            daemon on; master_process off; pid \(folder)/pid; error_log \(folder)/errors;
            events { worker_connections 512; }
            http {
                log_format requests '$upstream_status'; access_log \(folder)/requests requests;
                client_body_temp_path \(folder)/bodies; proxy_temp_path \(folder)/answers;
                upstream onward { server 127.0.0.1:\(port); keepalive 4; }
                \(server(socket, "300ms"))
                \(server(patientSocket, "300s"))
            }

            """
    }

    private func haproxy(_ port: UInt16) -> String {
        func frontend(_ socket: String, _ timeout: String) -> String {
            """
            frontend \(timeout)
                bind unix@\(socket)
                timeout client \(timeout)
                timeout http-request \(timeout)
                timeout http-keep-alive \(timeout)
                http-request set-header \(Self.fields.id) %[uuid()]
                http-request set-header \(Self.fields.method) %[method]
                http-request set-header \(Self.fields.target) %[pathq]
                default_backend onward

            """
        }
        return """
            global
                maxconn 512
                stats socket \(folder)/requests
            defaults
                mode http
                timeout connect 300s
                timeout server 300s
            backend onward
                http-reuse always
                retries 0
                server onward 127.0.0.1:\(port)
            \(frontend(socket, "300ms"))
            \(frontend(patientSocket, "300s"))
            """
    }
}
