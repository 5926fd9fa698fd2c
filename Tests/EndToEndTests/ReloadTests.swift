import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite struct `A reload by SIGHUP` {
        /// Z3: each page is built from one version of the file, however often it is reloaded during
        /// the request.
        @Test func `is atomic, and no request fails by it`() async throws {
            let folder = try TemporaryFolder()
            let server = try await ProductionServer(in: folder)
            defer { server.program.signal(SIGKILL) }
            let page = "/__/auth/action?mode=resetPassword&apiKey=shop-key-1&oobCode=" + String(repeating: "A", count: 43)
            let names = (0..<12).map { $0 == 0 ? "Shop" : "Name\($0)" }
            try server.reload(
                replacing: "projects:\n  - {id: shop, displayName: Shop",
                with: """
                    abuseLimits: {wrongCodesPerSource: off}
                    projects:
                      - {id: shop, displayName: Shop, brand: {help: help@shop.example.com}
                    """)
            _ = try await server.program.first(#/(configuration reloaded)/#)
            let report = try await LoadGenerator.run(
                page, at: server.port,
                objection: { reply in
                    let shown = names.filter { reply.body.contains(">\($0)<") }
                    guard reply.status == 400 || reply.status == 404 || reply.status == 410, shown.count == 1,
                        reply.body.contains("help@\(shown[0].lowercased()).example.com")
                    else { return "\(reply.status): \(shown) \(reply.body)" }
                    return nil
                }
            ) {
                for (old, new) in zip(names, names.dropFirst()) {
                    try server.reload(
                        replacing: "\(old), brand: {help: help@\(old.lowercased())", with: "\(new), brand: {help: help@\(new.lowercased())")
                    _ = try await server.program.first(#/(configuration reloaded)/#)
                }
            }
            #expect(report.objections.isEmpty, "\(report.objections.count) of \(report.replies): \(report.objections.first ?? "")")
            #expect(report.replies > 100)
            server.program.signal(SIGTERM)
            #expect(await server.program.status == 0)
        }

        /// Z3: a reload takes effect as a whole or not at all. Z6: an impossible value in the
        /// configuration is refused with file, line and key.
        @Test func `changes nothing when the file is wrong, and says where and why`() async throws {
            let folder = try TemporaryFolder()
            let server = try await ProductionServer(in: folder)
            defer { server.program.signal(SIGKILL) }
            let domains = "/identitytoolkit.googleapis.com/v1/projects?key=shop-key-1"
            func answer() async throws -> String {
                try await HTTP.send("GET", "http://127.0.0.1:\(server.port)\(domains)", headers: ["Host": ProductionServer.host]).body
            }
            try server.reload(replacing: "[example.com]", with: "[other.example.com], colour: red")
            let problem = try await server.program.first(#/configuration reload failed[^"]*","problem":"([^"]*)"/#)
            #expect(problem.contains("onward.yaml:8:") && problem.contains("projects[0].colour: unknown key"), "\(problem)")
            #expect(try await answer().contains("\"example.com\""))

            // What only a restart can change is named, and the rest is in force.
            try server.reload(replacing: ", colour: red", with: "")
            try server.reload(replacing: "listen: [\"127.0.0.1:0\"]", with: "listen: [\"127.0.0.1:1\"]")
            #expect(try await server.program.first(#/some keys need a restart","keys":\[([^\]]*)\]/#) == #""listen""#)
            #expect(try await answer().contains("\"other.example.com\""))
            server.program.signal(SIGTERM)
            #expect(await server.program.status == 0)
        }

        /// Z3: the sender, the relay and the providers that report bounces.
        @Test(.enabled(if: OtherServers.areInstalled, Comment(rawValue: OtherServers.missing)))
        func `changes how mails are sent, unless the new settings are wrong`() async throws {
            let folder = try TemporaryFolder()
            let (first, second) = (try await MailRelay(), try await MailRelay())
            defer { for relay in [first, second] { relay.program.signal(SIGKILL) } }
            func setting(_ sender: String, _ relay: MailRelay, _ rest: String = "") -> String {
                #"{from: "\#(sender)", relays: [{url: "smtp://127.0.0.1:\#(relay.port)"}]\#(rest)}"#
            }
            let server = try await ProductionServer(in: folder, mail: setting("Shop <no-reply@shop.example.com>", first))
            defer { server.program.signal(SIGKILL) }
            for name in ["ada", "bob", "eve", "dan"] { try await server.createAccount("\(name)@example.com") }
            var mails: [MailRelay.Mail] = []
            func expect(_ sender: String, at relay: MailRelay, for name: String) async throws {
                _ = try await server.askForReset(of: "\(name)@example.com")
                let mail = try await relay.next(besides: mails)
                mails.append(mail)
                #expect(mail.sender == sender && mail.recipient == "\(name)@example.com")
            }
            try await expect("no-reply@shop.example.com", at: first, for: "ada")

            let store = setting("Store <hello@store.example.com>", second)
            try server.reload(replacing: setting("Shop <no-reply@shop.example.com>", first), with: store)
            _ = try await server.program.first(#/(configuration reloaded)/#)
            try await expect("hello@store.example.com", at: second, for: "bob")

            let wrong = setting("hello", first)
            try server.reload(replacing: store, with: wrong)
            let problem = try await server.program.first(#/configuration reload failed[^"]*","problem":"((?:[^"\\]|\\.)*)"/#)
            #expect(problem.contains("onward.yaml:6:") && problem.contains("mail.from: expected an address, such as"), "\(problem)")
            try await expect("hello@store.example.com", at: second, for: "eve")

            // A provider is refused until the configuration names it.
            let reports = try SignedReports(in: folder)
            let bounce = #"{"type":"mail.bounced","data":{"to":"eve@example.com","permanent":true}}"#
            #expect(try await reports.post("report-1", bounce, to: server).status == 401)
            try server.reload(
                replacing: wrong, with: setting("Store <hello@store.example.com>", second, ", feedback: \(reports.setting)"))
            _ = try await server.program.first(#/(configuration reloaded)/#)
            #expect(try await reports.post("report-1", bounce, to: server).status == 200)
            #expect(try await server.output(of: "mail", "suppressed", "list", "eve@example.com")[0].contains("bounce"))

            // M1: mails wait while the configuration sends none, and are asked for as before.
            try server.reload(replacing: setting("Store <hello@store.example.com>", second, ", feedback: \(reports.setting)"), with: "none")
            _ = try await server.program.first(#/(mail delivery is off)/#)
            #expect(try await server.askForReset(of: "dan@example.com").status == 200)
            #expect(try await server.output(of: "mail", "queue").contains { $0.contains("waiting  resetPassword  shop") })
            try server.reload(replacing: "mail: none", with: "mail: " + store)
            #expect(try await second.next(besides: mails).recipient == "dan@example.com")
            server.program.signal(SIGTERM)
            #expect(await server.program.status == 0)
        }
    }
}
