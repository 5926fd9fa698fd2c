import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite struct `The admin listener` {
        /// L2, O3: calls as admin SDKs send them, and their audit records.
        @Test func `accepts the owner token, which the public listener refuses, and records each call`() async throws {
            let folder = try TemporaryFolder()
            let server = try await ProductionServer(in: folder)
            defer { server.program.signal(SIGKILL) }
            let id = "user-1"
            #expect(
                try await server.call("accounts", ["localId": .text(id), "email": "ada@example.com"], at: server.adminPort).status == 200)
            let found = try await server.call("accounts:lookup", ["localId": [.text(id)]], at: server.adminPort)
            #expect(try found.json["users"].list.first?["email"] == "ada@example.com")

            let publicly = try await server.call("accounts:lookup", ["localId": [.text(id)]], at: server.port, host: ProductionServer.host)
            #expect(publicly.status == 401)
            #expect(
                try await server.call("accounts:delete", ["localId": .text(id)], at: server.adminPort, host: ProductionServer.host).status
                    == 421)
            let browser = try await server.call(
                "accounts:delete", ["localId": .text(id)], at: server.adminPort, headers: ["Origin": "https://evil.example"])
            #expect(browser.status == 403 && !browser.headers.keys.contains { $0.hasPrefix("access-control") })

            let key = try #require(try await server.output(of: "admin-key", "create", "--label", "two words").first)
            let bearer = "Bearer \(key)"
            for (port, host) in [(server.port, ProductionServer.host), (server.adminPort, nil)] {
                let reply = try await server.call("accounts:lookup", ["localId": [.text(id)]], at: port, host: host, authorization: bearer)
                #expect(reply.status == 200)
            }
            let records = try await server.audit()
            #expect(records.map { $0["method"].text } == ["signUp", "lookup", "admin-key create", "lookup", "lookup"])
            #expect(records.allSatisfy { $0["outcome"] == "done" })
            let keyID = try #require(records[2]["subjects"].texts.first)
            #expect(records[2]["actor"].text?.hasPrefix("cli:") == true)
            #expect(records.map { $0["actor"] }.suffix(2) == ["key:\(keyID) two words", "key:\(keyID) two words"])
            #expect(records[0]["actor"] == "owner" && records[0]["peer"] == "127.0.0.1" && records[0]["subjects"] == [.text(id)])
            #expect(!"\(records)".contains(key) && !"\(records)".contains("ada@example.com"))

            // A revoked key stops at once.
            _ = try await server.output(of: "admin-key", "revoke", keyID)
            let late = try await server.call(
                "accounts:lookup", ["localId": [.text(id)]], at: server.port, host: ProductionServer.host, authorization: bearer)
            #expect(late.status == 401)
            #expect(
                try await server.audit("--actor", "cli:", "--since", "1h").map { $0["method"].text } == [
                    "admin-key create", "admin-key revoke",
                ])
            #expect(try await server.audit("--project", "elsewhere").isEmpty)

            // `--follow` also shows what is done from now on.
            let follower = try server.command(["audit", "--follow", "--actor", "owner"])
            defer { follower.signal(SIGKILL) }
            _ = try await follower.first(#/"method":"(lookup)"/#)
            #expect(try await server.call("accounts:delete", ["localId": .text(id)], at: server.adminPort).status == 200)
            #expect(try await follower.first(#/"method":"delete".*"outcome":"(\w+)"/#) == "done")
            #expect(try await server.audit("--actor", "owner").map { $0["method"].text } == ["signUp", "lookup", "delete"])

            // Z1: both end with one signal.
            server.program.signal(SIGTERM)
            #expect(await server.program.status == 0)
        }

        /// D2, O3: the server is killed while admins create accounts.
        @Test func `has recorded every change it made when it is killed`() async throws {
            let folder = try TemporaryFolder()
            let killed = try await ProductionServer(in: folder)
            defer { killed.program.signal(SIGKILL) }
            let ids = (0..<40).map { "user-\($0)" }
            try await withThrowingTaskGroup(of: Int?.self) { calls in
                for id in ids {
                    calls.addTask { try? await killed.call("accounts", ["localId": .text(id)], at: killed.adminPort).status }
                }
                var answered = 0
                for try await status in calls where status != nil {
                    answered += 1
                    if answered == 12 { killed.program.signal(SIGKILL) }
                }
                #expect(answered >= 12)
            }
            _ = await killed.program.status

            let server = try await ProductionServer(in: folder)
            defer { server.program.signal(SIGKILL) }
            let recorded = try await server.audit()
            let found = try await server.call("accounts:lookup", ["localId": .list(ids.map { .text($0) })], at: server.adminPort)
            let made = try found.json["users"].list.compactMap { $0["localId"].text }
            let (done, unknown) = (subjects(recorded, "done"), subjects(recorded, "unknown"))
            #expect(made.count >= 12)
            #expect(Set(made).isSubset(of: done.union(unknown)))
            #expect(done.isSubset(of: made))
        }

        private func subjects(_ records: [JSON], _ outcome: JSON) -> Set<String> {
            Set(records.filter { $0["outcome"] == outcome }.flatMap { $0["subjects"].texts })
        }

        @Test func `does not start if the admin address cannot be bound`() async throws {
            let folder = try TemporaryFolder()
            // No machine here has this address.
            await #expect(throws: Program.Missing.self) { _ = try await ProductionServer(in: folder, admins: "10.255.255.254:9099") }
        }
    }
}
