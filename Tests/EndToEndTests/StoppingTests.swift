import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite struct `Stopping` {
        /// Z1: by SIGTERM, with requests in every state.
        @Test func `answers each accepted request completely, then exits with 0`() async throws {
            let folder = try TemporaryFolder()
            let onward = try await DevServer(in: folder)
            defer { onward.program.signal(SIGKILL) }
            let api = API(origin: onward.origin)
            var presses: [ActionForm] = []
            for number in 0..<12 {
                let account = try await api.signUp()
                presses.append(try await ActionForm(on: api.link("PASSWORD_RESET", to: account.email), password: "last horse \(number)"))
            }

            let (statuses, watching, idle) = try await ClientSocket.blocking { [presses] in
                // These requests are accepted and wait for the rest of their body.
                let waiting = try presses.map { press in
                    let (port, text) = try press.request()
                    let end = try #require(text.range(of: "\r\n\r\n"))
                    let connection = try ClientSocket(port: port)
                    try connection.send(text[..<end.lowerBound] + "\r\nExpect: 100-continue\r\n\r\n")
                    let heard = try connection.receive { $0.suffix(4) == Array("\r\n\r\n".utf8) }
                    try #require(String(decoding: heard, as: UTF8.self).contains(" 100 "))
                    return (connection, text[end.upperBound...])
                }
                // One waits for mail in the inbox, and none comes.
                let watching = try ClientSocket(port: onward.port)
                try watching.send(try HTTP.request("GET", onward.origin + "/inbox/messages.json?wait=3&after=1000").text)
                // One has its answer and keeps its connection open.
                let idle = try ClientSocket(port: onward.port)
                try idle.send("GET /healthz HTTP/1.1\r\nHost: localhost:\(onward.port)\r\n\r\n")
                try #require(try HTTP.reply(to: "GET", on: idle).status == 200)

                onward.program.signal(SIGTERM)
                try ClientSocket.wait(for: "a refused connection") { (try? ClientSocket(port: onward.port)) == nil }
                for (connection, body) in waiting { try connection.send(body) }
                let statuses = try waiting.map { try HTTP.reply(to: "POST", on: $0.0).status }
                return (statuses, watching: try HTTP.reply(to: "GET", on: watching).status, idle: try idle.receive())
            }
            #expect(statuses == Array(repeating: 303, count: presses.count))
            #expect(watching == 200)
            #expect(idle.isEmpty)
            #expect(await onward.program.status == 0)

            // Every confirmed change is stored.
            let again = try await DevServer(in: folder)
            defer { again.program.signal(SIGKILL) }
            for press in presses { #expect(try await !API(origin: again.origin).isAlive(press.code)) }
            #expect(await again.stop() == 0)

            // O1: the log contains every request and no secret.
            let log = folder.log
            #expect(log.contains("client.path=/__/auth/action"))
            for (name, secret) in presses.flatMap(\.fields) where ["oobCode", "token", "newPassword"].contains(name) {
                #expect(!log.contains(secret) && !log.contains(HTTP.encoded([(name, secret)])), "\(name)")
            }
        }

        /// R18: visits are counted by day and sort of device, without anything about the visitor.
        @Test func `stores the visits of short links that were counted last`() async throws {
            let folder = try TemporaryFolder()
            let project = ", linkDomains: [links.example.com]"
            let onward = try await ProductionServer(in: folder, project: project)
            defer { onward.program.signal(SIGKILL) }
            let link = "https://links.example.com/?link=https://example.com/x"
            #expect(try await onward.output(of: "links", "create", link, "--path", "/a") == ["https://links.example.com/a"])
            let browser = [
                "Host": "links.example.com", "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
            ]
            for _ in 0..<3 {
                let reply = try await HTTP.send("GET", "http://127.0.0.1:\(onward.port)/a", headers: browser)
                #expect(reply.status == 303 && reply.headers["location"] == "https://example.com/x")
            }
            onward.program.signal(SIGTERM)
            #expect(await onward.program.status == 0)

            let again = try await ProductionServer(in: folder, project: project)
            defer { again.program.signal(SIGKILL) }
            let stats = "http://127.0.0.1:\(again.adminPort)/v1/https%3A%2F%2Flinks.example.com%2Fa/linkStats?durationDays=2"
            let counted = try await HTTP.send("GET", stats, headers: ["Authorization": "Bearer owner"]).json["linkEventStats"].list
            #expect(Set(counted.map { "\($0["event"].text ?? "") \($0["count"].text ?? "")" }) == ["CLICK 3", "REDIRECT 3"])
        }
    }
}
