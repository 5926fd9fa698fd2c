import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite(.enabled(if: MailRelay.isInstalled, "aiosmtpd is not installed; Scripts/test installs it")) struct `A mail` {
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

/// aiosmtpd, which prints each mail that it accepts.
private struct MailRelay: Sendable {
    struct Mail: Sendable {
        let sender, recipient, messageID: String
    }

    let program: Program
    let port: String

    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    private static let python = root.appending(path: ".build/smtp-venv/bin/python").path

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

    init() async throws {
        program = try Program(Self.python, [Self.root.appending(path: "Tests/Clients/smtp/relay.py").path, "{}"])
        port = try await program.first(#/^listening (\d+)$/#)
    }

    func next() async throws -> Mail {
        struct AcceptedMail: Decodable {
            let from: String
            let to: [String]
            let message: Data
        }
        let line = try JSONDecoder().decode(AcceptedMail.self, from: Data(try await program.first(#/^(\{.*\})$/#).utf8))
        let header = String(decoding: line.message, as: UTF8.self).split(separator: "\r\n\r\n", maxSplits: 1)[0]
        let id = try #require(header.firstMatch(of: #/(?im)^Message-ID: *\r?\n? *(\S+)/#))
        return Mail(sender: line.from, recipient: try #require(line.to.first), messageID: String(id.1))
    }
}
