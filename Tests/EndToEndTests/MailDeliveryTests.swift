import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite(.enabled(if: OtherServers.areInstalled, Comment(rawValue: OtherServers.missing))) struct `A mail` {
        /// M1, M2, M3: with a real SMTP server. The server is killed while it sends; each mail
        /// arrives, and one that arrives twice has the same Message-ID.
        @Test func `arrives although the server is killed while it sends`() async throws {
            let count = 40
            let folder = try TemporaryFolder()
            let relay = try await MailRelay()
            defer { relay.program.signal(SIGKILL) }
            let mail = #"{from: "Shop <no-reply@shop.example.com>", relays: [{url: "smtp://127.0.0.1:\#(relay.port)"}]}"#
            var server = try await ProductionServer(in: folder, mail: mail)
            defer { server.program.signal(SIGKILL) }
            for number in 0..<count {
                let address = JSON.text("user\(number)@example.com")
                let made = try await server.call("accounts", ["email": address, "password": "correct horse battery"], at: server.adminPort)
                #expect(made.status == 200)
                let sent = try await server.call(
                    "accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": address], at: server.adminPort)
                #expect(sent.status == 200)
            }
            var arrived = [try await relay.next()]
            server.program.signal(SIGKILL)
            _ = await server.program.status
            server = try await ProductionServer(in: folder, mail: mail)
            while Set(arrived.map(\.recipient)).count < count { arrived.append(try await relay.next()) }
            #expect(Set(arrived.map(\.messageID)).count == count)
            #expect(arrived.allSatisfy { $0.messageID.hasSuffix("@shop.example.com>") && $0.sender == "no-reply@shop.example.com" })
            let trace = try await server.output(of: "mail", "trace", "user0@example.com", "--json")
            #expect(trace.count == 1 && trace[0].contains(#""state":"sent""#) && trace[0].contains(#""code":"live""#))
        }
    }
}
