import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite(.enabled(if: OtherServers.areInstalled, Comment(rawValue: OtherServers.missing))) struct `A bounce` {
        /// B1, V1: a report in Onward's own format, over HTTP.
        @Test func `stops the mails to its address until an operator removes it`() async throws {
            let folder = try TemporaryFolder()
            let relay = try await MailRelay()
            defer { relay.program.signal(SIGKILL) }
            let reports = try SignedReports(in: folder)
            let server = try await ProductionServer(
                in: folder,
                mail: """
                    {from: no-reply@shop.example.com, relays: [{url: "smtp://127.0.0.1:\(relay.port)"}], feedback: \(reports.setting)}
                    """)
            defer { server.program.signal(SIGKILL) }
            for name in ["ada", "bob"] { try await server.createAccount("\(name)@example.com") }
            let before = try await server.askForReset(of: "ada@example.com")
            var mails = [try await relay.next()]

            let bounce = #"{"type":"mail.bounced","data":{"to":"ada@example.com","permanent":true}}"#
            #expect(try await reports.post("report-1", bounce, to: server, signature: "v1,AAAA").status == 401)
            #expect(try await server.output(of: "mail", "suppressed", "list") == ["No address is suppressed."])
            #expect(try await reports.post("report-1", bounce, to: server).status == 200)
            let listed = try await server.output(of: "mail", "suppressed", "list", "ada@example.com", "--json")
            #expect(listed.count == 1 && listed[0].contains(#""reason":"bounce","provider":"plain""#), "\(listed)")
            #expect(try await server.output(of: "mail", "suppressed", "list", "bob@example.com") == ["No address is suppressed."])

            // The answer is that of before, and the mail after it is the next that the relay gets.
            let during = try await server.askForReset(of: "ada@example.com")
            #expect(before.status == 200 && during.status == 200 && before.body == during.body)
            #expect(try await server.output(of: "mail", "trace", "ada@example.com").filter { $0.contains("resetPassword") }.count == 1)
            _ = try await server.askForReset(of: "bob@example.com")
            mails.append(try await relay.next(besides: mails))

            #expect(try await server.output(of: "mail", "suppressed", "remove", "ada@example.com") == ["Removed 1."])
            // A report counts once.
            #expect(try await reports.post("report-1", bounce, to: server).status == 200)
            #expect(try await server.askForReset(of: "ada@example.com").body == before.body)
            mails.append(try await relay.next(besides: mails))
            #expect(mails.map(\.recipient) == ["ada@example.com", "bob@example.com", "ada@example.com"])
            server.program.signal(SIGTERM)
            #expect(await server.program.status == 0)
        }
    }
}

/// The reports of a provider that signs by Standard Webhooks.
struct SignedReports: Sendable {
    private static let secret = "whsec_" + Data("twenty-four bytes or more".utf8).base64EncodedString()
    /// Python's HMAC judges ours.
    private static let signing = """
        import base64, hashlib, hmac, sys
        key, content = base64.b64decode(sys.argv[1].removeprefix('whsec_')), sys.argv[2].encode()
        print('v1,' + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode())
        """

    /// The value of `feedback` in the configuration.
    let setting: String

    /// - Parameter folder: for the secret.
    init(in folder: TemporaryFolder) throws {
        let file = folder.path + "/feedback-secret"
        try #require(
            FileManager.default.createFile(atPath: file, contents: Data(Self.secret.utf8), attributes: [.posixPermissions: 0o600]))
        setting = #"{plain: {secret: {file: "\#(file)"}}}"#
    }

    /// Posts a report as a provider does, signed at this moment: a signature is good for minutes.
    /// - Parameter signature: nil: the right one.
    func post(_ id: String, _ body: String, to server: ProductionServer, host: String = ProductionServer.host, signature: String? = nil)
        async throws -> HTTP.Reply
    {
        let moment = String(Int(Date().timeIntervalSince1970))
        let python = try Program.path(to: "python3")
        let right = try await Program(python, ["-c", Self.signing, Self.secret, "\(id).\(moment).\(body)"]).linesToEnd()
        let headers = [
            "Host": host, "Content-Type": "application/json", "webhook-id": id, "webhook-timestamp": moment,
            "webhook-signature": try signature ?? #require(right.first),
        ]
        let address = "http://127.0.0.1:\(server.port)/v1/projects/shop/mail-feedback/plain"
        return try await HTTP.send("POST", address, headers: headers, body: body)
    }
}
