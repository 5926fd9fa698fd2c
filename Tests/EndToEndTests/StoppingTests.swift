import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite struct `Stopping` {
        /// Z1: by SIGTERM, with requests at every stage.
        @Test func `gives each accepted request its whole answer, and ends well`() async throws {
            let folder = try Folder()
            let onward = try await Onward(in: folder)
            defer { onward.program.signal(SIGKILL) }
            let api = API(origin: onward.origin)
            var presses: [Press] = []
            for number in 0..<12 {
                let account = try await api.signUp()
                presses.append(try await Press(on: api.link("PASSWORD_RESET", to: account.email), password: "last horse \(number)"))
            }

            let (statuses, watching, idle) = try await Connection.blocking { [presses] in
                // Half of them are accepted, and wait for the rest of their body.
                let waiting = try presses.map { press in
                    let (port, text) = try press.request()
                    let end = try #require(text.range(of: "\r\n\r\n"))
                    let connection = try Connection(port: port)
                    try connection.send(text[..<end.lowerBound] + "\r\nExpect: 100-continue\r\n\r\n")
                    let heard = try connection.receive { $0.suffix(4) == Array("\r\n\r\n".utf8) }
                    try #require(String(decoding: heard, as: UTF8.self).contains(" 100 "))
                    return (connection, text[end.upperBound...])
                }
                // One looks into the inbox until mail comes, and none does.
                let watching = try Connection(port: onward.port)
                try watching.send(try HTTP.request("GET", onward.origin + "/inbox/messages.json?wait=3&after=1000").text)
                // One has had its answer, and keeps its connection.
                let idle = try Connection(port: onward.port)
                try idle.send("GET /healthz HTTP/1.1\r\nHost: localhost:\(onward.port)\r\n\r\n")
                try #require(try HTTP.reply(to: "GET", on: idle).status == 200)

                onward.program.signal(SIGTERM)
                while (try? Connection(port: onward.port)) != nil { usleep(10_000) }
                for (connection, body) in waiting { try connection.send(body) }
                let statuses = try waiting.map { try HTTP.reply(to: "POST", on: $0.0).status }
                return (statuses, watching: try HTTP.reply(to: "GET", on: watching).status, idle: try idle.receive())
            }
            #expect(statuses == Array(repeating: 303, count: presses.count))
            #expect(watching == 200)
            #expect(idle.isEmpty)
            #expect(await onward.program.status == 0)

            // What was answered was kept.
            let again = try await Onward(in: folder)
            defer { again.program.signal(SIGKILL) }
            for press in presses { #expect(try await !API(origin: again.origin).isAlive(press.code)) }
            #expect(await again.stop() == 0)

            // O1: the log tells of every request, and no secret.
            let log = folder.log
            #expect(log.contains("path=/__/auth/action"))
            for (name, secret) in presses.flatMap(\.form) where ["oobCode", "token", "newPassword"].contains(name) {
                #expect(!log.contains(secret) && !log.contains(HTTP.encoded([(name, secret)])), "\(name)")
            }
        }
    }
}
