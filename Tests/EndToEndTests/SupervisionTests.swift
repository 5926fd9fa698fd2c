import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite struct `Under a supervisor` {
        /// What sd_notify(3) says, by a path and by a name.
        @Test(arguments: [true, false])
        func `tells how it goes`(_ isPath: Bool) async throws {
            let folder = try Folder()
            let parent = try Parent(named: isPath ? folder.path + "/notify" : "@" + folder.path)
            let server = try await Production(in: folder, environment: ["NOTIFY_SOCKET": parent.name, "WATCHDOG_USEC": "300000"])
            defer { server.program.signal(SIGKILL) }
            _ = try await parent.hears("READY=1")
            for _ in 0..<3 { _ = try await parent.hears("WATCHDOG=1") }

            try server.reload(replacing: "displayName: Shop", with: "displayNam: Shop")
            let reloading = try await parent.hears("RELOADING=1")
            let time = try #require(reloading.compactMap { $0.wholeMatch(of: #/MONOTONIC_USEC=(\d+)/#) }.first.flatMap { Int($0.1) })
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            #expect((now.tv_sec - 60..<now.tv_sec + 1).contains(time / 1_000_000))
            #expect(try await parent.hears("READY=1").contains { $0.hasPrefix("STATUS=the configuration stays") })

            server.program.signal(SIGTERM)
            _ = try await parent.hears("STOPPING=1")
            #expect(await server.program.status == 0)
        }

        @Test func `says nothing that is meant for another process`() async throws {
            let folder = try Folder()
            let parent = try Parent(named: folder.path + "/notify")
            let server = try await Production(
                in: folder, environment: ["NOTIFY_SOCKET": parent.name, "WATCHDOG_USEC": "300000", "WATCHDOG_PID": "1"])
            defer { server.program.signal(SIGKILL) }
            // Another process is meant: nothing is said between the first word and the last.
            #expect(try await parent.hears("") == ["READY=1"])
            server.program.signal(SIGTERM)
            #expect(try await parent.hears("") == ["STOPPING=1"])
            #expect(await server.program.status == 0)
        }

        /// Z8: the socket stays with whoever opened it, so a connection waits where there is nobody, and then is answered.
        @Test func `is restarted on its sockets without an error`() async throws {
            let folder = try Folder()
            let (front, admin) = (try Parent.listeningSocket(), try Parent.listeningSocket())
            defer { for socket in [front, admin] { close(socket.descriptor) } }
            let environment = ["LISTEN_FDS": "2", "LISTEN_FDNAMES": "admin:http"]
            func start() async throws -> Production {
                // What the configuration says of addresses is not used: nobody has these.
                try await Production(
                    in: folder, listen: "10.255.255.254:1", admins: "10.255.255.254:2", environment: environment,
                    sockets: [admin.descriptor, front.descriptor])
            }
            var server = try await start()
            defer { server.program.signal(SIGKILL) }
            #expect(server.port == front.port && server.adminPort == admin.port)
            #expect(try await server.call("accounts:query", [:], at: admin.port).status == 200)
            let report = try await Crowd.asks("/healthz", at: front.port) {
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
        func `refuses a socket that is for nothing`(_ name: String, _ said: String) async throws {
            let folder = try Folder()
            let socket = try Parent.listeningSocket()
            defer { close(socket.descriptor) }
            let refused = await #expect(throws: Program.Missing.self) {
                _ = try await Production(
                    in: folder, environment: ["LISTEN_FDS": "1", "LISTEN_FDNAMES": name], sockets: [socket.descriptor])
            }
            #expect(refused?.description.contains(said) == true, "\(String(describing: refused))")
        }

        /// Z8: two processes on one port and one database, the new one before the old one ends.
        @Test func `gives its port over to its successor without an error`() async throws {
            let folder = try Folder()
            var server = try await Production(in: folder)
            defer { server.program.signal(SIGKILL) }
            let port = server.port
            let rounds = Int(ProcessInfo.processInfo.environment["ONWARD_UPGRADES"] ?? "") ?? 4
            let report = try await Crowd.asks("/healthz", at: port) {
                for _ in 0..<rounds {
                    let successor = try await Production(in: folder, listen: "127.0.0.1:\(port)")
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
