import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite struct `A code` {
        /// C3: all clients first send their request without its last byte, and then the last bytes.
        @Test(arguments: [nil, "winning horse"]) func `is applied by exactly one of a hundred simultaneous requests`(password: String?)
            async throws
        {
            let folder = try TemporaryFolder()
            let onward = try await DevServer(in: folder)
            defer { onward.program.signal(SIGKILL) }
            let api = API(origin: onward.origin)
            let ada = try await api.signUp()
            let goal = "http://localhost:1/landing"
            let link = try await api.link(password == nil ? "VERIFY_EMAIL" : "PASSWORD_RESET", to: ada.email, goingOnTo: goal)
            var presses: [ActionForm] = []
            for number in 0..<100 { presses.append(try await ActionForm(on: link, password: password.map { "\($0) \(number)" })) }

            let replies = try await ClientSocket.blocking { [presses] in
                let crowd = try presses.map { press in
                    let (port, text) = try press.request()
                    let connection = try ClientSocket(port: port)
                    try connection.send(text.dropLast())
                    return (connection, text.suffix(1))
                }
                for (connection, last) in crowd { try connection.send(last) }
                return try crowd.map { try HTTP.reply(to: "POST", on: $0.0) }
            }
            let winners = replies.indices.filter { replies[$0].status == 303 }
            #expect(winners.count == 1)
            // After a new password, a page says first that it worked.
            let next = password == nil ? goal : "/__/auth/done"
            #expect(winners.allSatisfy { replies[$0].headers["location"]?.hasPrefix(next) == true })
            let alreadyDone = try LanguageFile.title("done", password == nil ? "verifyEmail" : "resetPassword")
            let busy = try LanguageFile.title("error", "unavailable")
            for reply in replies where reply.status != 303 {
                // Few password changes of one account may wait for each other: the rest is asked to
                // try again, and nothing was changed (S5, V5).
                if password != nil, reply.status == 429, reply.body.contains(busy) { continue }
                #expect(reply.status == 200 && reply.body.contains(alreadyDone))
            }

            if let password, let winner = winners.first {
                for number in [winner, (winner + 1) % 100, (winner + 99) % 100] {
                    #expect(try await api.canSignIn(ada.email, "\(password) \(number)") == (number == winner))
                }
            } else {
                #expect(try await api.account(ada.id)["emailVerified"] == true)
            }
        }
    }
}
