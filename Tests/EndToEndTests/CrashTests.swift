import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite struct `A crash` {
        /// One code and whoever it is for; a reset has the password that would come.
        struct Case: Sendable {
            let account: API.Account
            let press: Press
            let password: String?
        }

        /// C4, D3, C5: killed while codes are being applied, round after round on the same data. What was said to be done is done, and
        /// what was not done can still be done.
        @Test func `leaves each code spent with its effect, or neither`() async throws {
            let folder = try Folder()
            var onward = try await Onward(in: folder)
            defer { onward.program.signal(SIGKILL) }
            for round in 0..<6 {
                let cases = try await prepare(40, at: onward)
                // After so many answers; the rest is somewhere on its way.
                let enough = 3 + round * 3
                let answered = try await Connection.blocking { [onward] in
                    try Self.press(cases, at: onward.origin, until: enough) { onward.program.signal(SIGKILL) }
                }
                #expect(answered.count >= enough && answered.values.allSatisfy { $0 == 303 })
                await onward.kill()
                onward = try await Onward(in: folder)

                let api = API(origin: onward.origin)
                for (number, one) in cases.enumerated() {
                    let isAlive = try await api.isAlive(one.press.code)
                    let hasEffect = try await hasEffect(one, at: api)
                    #expect(isAlive != hasEffect, "round \(round), case \(number)")
                    #expect(hasEffect || answered[number] == nil, "round \(round), case \(number): done was said, and is lost")
                }
                try await replay(cases, at: onward)
            }
        }

        /// Resets and verifications by turns.
        private func prepare(_ count: Int, at onward: Onward) async throws -> [Case] {
            let api = API(origin: onward.origin)
            var cases: [Case] = []
            for number in 0..<count {
                let account = try await api.signUp()
                let password = number % 4 == 0 ? "after horse \(number)" : nil
                let link = try await api.link(password == nil ? "VERIFY_EMAIL" : "PASSWORD_RESET", to: account.email)
                let press = try await Press(on: link, password: password)
                cases.append(Case(account: account, press: press, password: password))
            }
            return cases
        }

        /// Sends all presses at once and reads answers as they come, in order; pulls the plug after `enough` of them.
        /// - Returns: whose answers came, with their status.
        private static func press(
            _ cases: [Case], at origin: String, until enough: Int, pullPlug: () -> Void
        ) throws -> [Int: Int] {
            let connections = try cases.map { one in
                let (port, text) = try one.press.request(to: origin)
                let connection = try Connection(port: port)
                try connection.send(text)
                return connection
            }
            var answered: [Int: Int] = [:]
            for (number, connection) in connections.enumerated() {
                if answered.count == enough { pullPlug() }
                if let reply = try? HTTP.reply(to: "POST", on: connection) { answered[number] = reply.status }
            }
            return answered
        }

        private func hasEffect(_ one: Case, at api: API) async throws -> Bool {
            guard let password = one.password else { return try await api.account(one.account.id)["emailVerified"] == true }
            let (isNew, isOld) = (
                try await api.canSignIn(one.account.email, password), try await api.canSignIn(one.account.email, "correct horse 7")
            )
            #expect(isNew != isOld)
            return isNew
        }

        /// Who saw no answer presses again: done now, or told that it was done. Never refused, never done twice.
        private func replay(_ cases: [Case], at onward: Onward) async throws {
            for one in cases {
                let wasAlive = try await API(origin: onward.origin).isAlive(one.press.code)
                let reply = try await HTTP.post(one.press.form, to: onward.origin + "/__/auth/action")
                #expect(reply.status == (wasAlive ? 303 : 200))
            }
        }
    }
}
