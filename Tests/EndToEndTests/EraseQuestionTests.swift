import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite struct `The question before a person is erased` {
        /// Standard input is read whether or not it is a terminal, so that the answer may be piped.
        @Test func `is answered with yes, or nothing is erased`() async throws {
            let folder = try TemporaryFolder()
            let server = try await ProductionServer(in: folder)
            defer { server.program.signal(SIGKILL) }
            try await server.createAccount("ada@example.com")
            func isThere() async throws -> Bool {
                let found = try await server.call("accounts:lookup", ["email": ["ada@example.com"]], at: server.adminPort)
                return try !found.json["users"].list.isEmpty
            }
            let asked = try await server.audit().count
            for answer in ["", "\n", "no\n", "yesterday\n", "ada@example.com\n"] {
                let command = try erase(answer, on: server)
                let question =
                    #/^Erase (ada@example\.com) and everything .* from project shop\? This cannot be undone\. \[yes/no\] onward: nothing was erased; answer yes, or pass --yes/#
                #expect(try await command.first(question) == "ada@example.com")
                #expect(await command.status == 1)
                #expect(try await isThere(), "\(answer)")
            }
            #expect(try await server.audit().count == asked + 5, "the lookups, and no erasure")

            let command = try erase("Yes\n", on: server)
            _ = try await command.first(#/\[yes/no\] Project shop: (the account \S+ was erased)/#)
            #expect(await command.status == 0)
            #expect(try await !isThere())
        }

        private func erase(_ answer: String, on server: ProductionServer) throws -> Program {
            let script = #"printf %s "$0" | "$1" users erase ada@example.com --config "$2""#
            return try Program("/bin/sh", ["-c", script, answer, DevServer.executable, server.configuration])
        }
    }
}
