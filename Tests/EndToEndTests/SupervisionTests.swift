import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite struct `Under a supervisor` {
        /// Messages as sd_notify(3) defines them, to a path and to an abstract name.
        @Test(arguments: [true, false])
        func `reports readiness, watchdog, reload and stop by sd_notify`(_ isPath: Bool) async throws {
            let folder = try TemporaryFolder()
            let supervisor = try NotifySocket(named: isPath ? folder.path + "/notify" : "@" + folder.path)
            let server = try await ProductionServer(in: folder, environment: ["NOTIFY_SOCKET": supervisor.name, "WATCHDOG_USEC": "300000"])
            defer { server.program.signal(SIGKILL) }
            _ = try await supervisor.message(with: "READY=1")
            for _ in 0..<3 { _ = try await supervisor.message(with: "WATCHDOG=1") }

            try server.reload(replacing: "displayName: Shop", with: "displayNam: Shop")
            let reloading = try await supervisor.message(with: "RELOADING=1")
            let time = try #require(reloading.compactMap { $0.wholeMatch(of: #/MONOTONIC_USEC=(\d+)/#) }.first.flatMap { Int($0.1) })
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            #expect((now.tv_sec - 60..<now.tv_sec + 1).contains(time / 1_000_000))
            #expect(try await supervisor.message(with: "READY=1").contains { $0.hasPrefix("STATUS=configuration reload failed") })

            server.program.signal(SIGTERM)
            _ = try await supervisor.message(with: "STOPPING=1")
            #expect(await server.program.status == 0)
        }

        @Test func `sends no watchdog messages if WATCHDOG_PID is another process`() async throws {
            let folder = try TemporaryFolder()
            let supervisor = try NotifySocket(named: folder.path + "/notify")
            let server = try await ProductionServer(
                in: folder, environment: ["NOTIFY_SOCKET": supervisor.name, "WATCHDOG_USEC": "300000", "WATCHDOG_PID": "1"])
            defer { server.program.signal(SIGKILL) }
            #expect(try await supervisor.message() == ["READY=1"])
            server.program.signal(SIGTERM)
            #expect(try await supervisor.message() == ["STOPPING=1"])
            #expect(await server.program.status == 0)
        }

        /// O2: what collects the log also learns why there is no server.
        @Test(arguments: [
            ("json", #""level":"critical","message":"server failed","problem":""#), ("text", " CRITICAL server failed problem="),
        ])
        func `logs why it does not start, in the format of the log`(format: String, line: String) async throws {
            let folder = try TemporaryFolder()
            let file = folder.path + "/onward.yaml"
            try "log: {format: \(format)}\nsecret: {env: NONE}\nprojects: []\n".write(toFile: file, atomically: true, encoding: .utf8)
            let program = try Program("/bin/sh", ["-c", #""$0" serve --config "$1" 2>&1; echo "status $?""#, DevServer.executable, file])
            let lines = try await program.linesToEnd()
            #expect(lines.last == "status 78")
            #expect(lines.count > 2 && lines.dropLast().allSatisfy { $0.contains(line) })
            #expect(lines.contains { $0.contains("\(file):2:") && $0.contains("the environment variable NONE is not set") })
        }

        /// Z8: the supervisor keeps the socket open, so a connection that comes between two
        /// processes waits and is answered by the second.
        @Test func `is restarted on its sockets without an error`() async throws {
            let folder = try TemporaryFolder()
            let (front, admin) = (try ListeningSocket(), try ListeningSocket())
            defer { for socket in [front, admin] { close(socket.descriptor) } }
            let environment = ["LISTEN_FDS": "2", "LISTEN_FDNAMES": "admin:http"]
            func start() async throws -> ProductionServer {
                // The configured addresses, which no machine has, are not used.
                try await ProductionServer(
                    in: folder, listen: "10.255.255.254:1", admins: "10.255.255.254:2", environment: environment,
                    sockets: [admin.descriptor, front.descriptor])
            }
            var server = try await start()
            defer { server.program.signal(SIGKILL) }
            #expect(server.port == front.port && server.adminPort == admin.port)
            #expect(try await server.call("accounts:query", [:], at: admin.port).status == 200)
            let report = try await LoadGenerator.run("/healthz", at: front.port) {
                for _ in 0..<3 {
                    server.program.signal(SIGTERM)
                    #expect(await server.program.status == 0)
                    server = try await start()
                }
            }
            #expect(report.objections.isEmpty, "\(report.objections.count) of \(report.replies): \(report.objections.first ?? "")")
            #expect(report.replies > 10)
        }

        @Test(arguments: [("", "has the name"), ("onward.socket", "FileDescriptorName="), ("https", "expected tls and listenTLS")])
        func `refuses a socket with an unknown name`(_ name: String, _ said: String) async throws {
            let folder = try TemporaryFolder()
            let socket = try ListeningSocket()
            defer { close(socket.descriptor) }
            let refused = await #expect(throws: Program.Missing.self) {
                _ = try await ProductionServer(
                    in: folder, environment: ["LISTEN_FDS": "1", "LISTEN_FDNAMES": name], sockets: [socket.descriptor])
            }
            #expect(refused?.description.contains(said) == true, "\(String(describing: refused))")
        }

        /// Z8: two processes on one port and one database, the new one before the old one ends.
        @Test func `is replaced by a second process on the same port without an error`() async throws {
            let folder = try TemporaryFolder()
            var server = try await ProductionServer(in: folder)
            defer { server.program.signal(SIGKILL) }
            let port = server.port
            let rounds = Int(ProcessInfo.processInfo.environment["ONWARD_UPGRADES"] ?? "") ?? 4
            let report = try await LoadGenerator.run("/healthz", at: port) {
                for _ in 0..<rounds {
                    let successor = try await ProductionServer(in: folder, listen: "127.0.0.1:\(port)")
                    server.program.signal(SIGTERM)
                    #expect(await server.program.status == 0)
                    server = successor
                }
            }
            #expect(report.objections.isEmpty, "\(report.objections.count) of \(report.replies): \(report.objections.first ?? "")")
            #expect(report.replies > 10)
        }
    }
}
