import Foundation
import Testing
import World

extension `Onward from end to end` {
    /// Two processes with one database, as behind a proxy.
    @Suite struct `Two servers with a client that waits` {
        private func ask(_ method: String, _ body: JSON, at server: ProductionServer) async throws -> JSON {
            let reply = try await HTTP.send(
                "POST", "http://127.0.0.1:\(server.port)/identitytoolkit.googleapis.com/v1/accounts:\(method)?key=shop-key-1", json: body,
                headers: ["Host": ProductionServer.host])
            try #require(reply.status == 200, "\(method): \(reply.body)")
            return try JSONDecoder().decode(JSON.self, from: Data(reply.body.utf8))
        }

        /// V11: an account that is changed by one server is told of by the other. Without a change
        /// the answer to a wait is another one.
        @Test func `tell it of a change by either`() async throws {
            let folder = try TemporaryFolder()
            let (one, other) = (try await ProductionServer(in: folder), try await ProductionServer(in: folder))
            defer { for server in [one, other] { server.program.signal(SIGKILL) } }
            let user = try await ask(
                "signUp", ["email": "ada@example.com", "password": "a quiet long phrase", "returnSecureToken": .bool(true)], at: one)
            let token = try #require(user["idToken"].text)
            var mark = try #require(try await ask("watch", ["idToken": .text(token)], at: one)["since"].text)
            for (waiting, changing) in [(one, other), (other, one)] {
                let known = mark
                async let answer = ask("watch", ["idToken": .text(token), "since": .text(known)], at: waiting)
                let name = changing.port == one.port ? "Ada" : "Ada L"
                let change = try await changing.call(
                    "accounts:update", ["localId": user["localId"], "displayName": .text(name)], at: changing.adminPort)
                #expect(change.status == 200)
                let changed = try await answer
                #expect(changed["changed"] == true)
                mark = try #require(changed["since"].text)
            }
        }
    }
}
